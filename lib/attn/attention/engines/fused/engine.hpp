#pragma once
// Fused attention: scores, weights and pooling tile by tile, in the vectors of the processor; never L x S in memory.
//
// Keys are cut into blocks of 512, at multiples of 512 of the whole sequence (256 where tiles multiply). For each query
// a block gives its maximum, its sum of weights and its pooled values, by itself; the blocks are merged in order. So
// the bits of a row depend only on its query, on the keys that it attends to and on the instruction set: not on other
// queries, excluded keys, threads, or whether the keys come at once, in blocks or from a cache.
//
// Source: Milakov and Gimelshein 2018; Rabe and Staats 2021; Dao et al. 2022.

#include <attn/attention/engines/engine.hpp>

namespace attn {

/// f32 and f64 under every normaliser but hard, with every score and mask; f16 and bf16 are widened to f32 when they
/// are read.
extern const AttentionEngine fused_engine;

/// Writes the rows that finish() left because they exceeded the range of f32, from the state of the widened problem;
/// outputs as for the problem itself. Returns the number of queries that had no key left.
std::size_t finish_beyond(const AttentionProblem& wide, const AttentionState& state, const std::vector<QueryRow>& rows,
                          const AttentionOutputs& outputs);

}  // namespace attn
