#pragma once
// The backward pass of fused attention: tiles of scores again from queries, keys and the totals of forward; never
// L x S in memory.

#include <attn/attention/engines/backward.hpp>

namespace attn::fused {

/// Whether backward_rows() computes this: a softmax over products.
bool has_fused_backward(const AttentionProblem& problem, const AttentionCotangents& cotangents) noexcept;

/// The sums of a task. forward: the state of all keys, (B, H, L), out (B, H, L, d_v) without padding.
template <class T>
void backward_rows(const Plan<T>& plan, const RunningState<const T>& forward, const AttentionCotangents& cotangents,
                   const RowBlock& block, GradientSums<T>& sums);

}  // namespace attn::fused
