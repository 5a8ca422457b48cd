#pragma once
// The backward pass of fused attention: tiles of scores again from queries, keys and the log-sum-exp of forward; never
// L x S in memory.

#include <attn/attention/inner/backward.hpp>

namespace attn::fused {

/// Whether backward_rows() computes this: a softmax over products.
bool has_fused_backward(const AttentionProblem& problem, const AttentionCotangents& cotangents) noexcept;

/// The sums of a task.
template <class T>
void backward_rows(const Plan<T>& plan, const AttentionForward& forward, const AttentionCotangents& cotangents,
                   const RowBlock& block, GradientSums<T>& sums);

}  // namespace attn::fused
