#pragma once
// Fused attention: scores, weights and pooling tile by tile, in the vectors of the processor; never L x S in memory.
//
// Keys are cut into leaves of 4096 keys of the whole sequence (attention/state.hpp), and leaves into blocks of 512 keys
// (256 where tiles multiply). For each query a block gives its maximum, its sum of weights and its pooled values, by
// itself; the blocks of a leaf are merged in order, the leaves in a tree. So the bits of a row depend only on its
// query, on the keys that it attends to and on the instruction set: not on other queries, excluded keys, threads, or
// whether the keys come at once, in blocks or from a cache.
//
// Source: Milakov and Gimelshein 2018; Rabe and Staats 2021; Dao et al. 2022.

#include <attn/attention/inner/engine.hpp>

namespace attn {

/// f32 and f64 under every normaliser but hard, with every score and mask; f16 and bf16 are widened to f32 when they
/// are read.
extern const AttentionEngine fused_engine;

}  // namespace attn
