#pragma once
// The state of attention over one part of the database, so that parts can be computed one after another, or on
// different machines, and then merged.
//
// Source: Milakov and Gimelshein 2018; Rabe and Staats 2021, section 3; Dao et al. 2022.

#include <attn/attention/shapes.hpp>
#include <attn/core/tensor.hpp>

namespace ATTN_API attn {

/// For each query, over the keys seen so far:
///
///     maximum (B, H, L)       m = max_j s_j                              -inf: no key yet
///     total   (B, H, L)       l = sum_j exp(s_j - m)
///     output  (B, H, L, d_v)  o = sum_j exp(s_j - m) v_j
///
/// so that o / l is the pooled value and m + log(l) the log-sum-exp.
/// The normalisers sum, none and uniform use the same three with m = 0 and their weights in place of exp(s_j - m).
struct AttentionState {
  Tensor maximum, total, output;  ///< one dtype, f32 or f64

  AttentionState() = default;
  /// No keys seen: -inf, 0, 0.
  AttentionState(const AttentionSizes& sizes, DType dtype);
};

/// Merges the state of other keys, which come after those of `state`, under softmax:
///     m' = max(m1, m2), l' = sum_p l_p exp(m_p - m'), o' = sum_p o_p exp(m_p - m').
/// Throws Error(data) if the shapes or dtypes differ.
void merge(AttentionState& state, const AttentionState& later);

}  // namespace attn
