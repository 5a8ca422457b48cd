#pragma once
// --vjp of mha and of its stages.

#include "mha/pool.hpp"

namespace mha {

/// Writes the gradients by sequences, heads, weights and the tensors of the options. `heads`: the projected ones, for
/// the stages that attend. `masks`: of the queries, after `before` keys.
void write_gradients(const Options& options, const attn::MultiHeadAttention& attention, const Sequences& sequences,
                     const Heads& heads, const attn::MultiHeadMasks& masks, std::size_t before,
                     const attn::Positions& at, cli::Session& session);

/// The same for --stage merge, whose input is `heads`.
void write_merge_gradients(const Options& options, const attn::MultiHeadAttention& attention,
                           const attn::TensorView& heads, cli::Session& session);

}  // namespace mha
