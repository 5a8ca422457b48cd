#pragma once
// The state of attention over a part of the database, so that parts can be computed one after another, or on different
// machines, and joined to the bits of one run (core/leaf_tree.hpp).
//
// Source: Milakov and Gimelshein 2018; Rabe and Staats 2021, section 3; Shyam et al. 2024.

#include <attn/attention/shapes.hpp>
#include <attn/core/isa.hpp>
#include <attn/core/leaf_tree.hpp>
#include <attn/core/tensor.hpp>

#include <vector>

namespace ATTN_API attn {

/// For each query, over the keys of a node, in f64:
///
///     maximum (B, H, L)       m = max_j s_j                              -inf: no key
///     total   (B, H, L)       l = sum_j exp(s_j - m)
///     output  (B, H, L, d_v)  o = sum_j exp(s_j - m) v_j
///
/// so that o / l is the pooled value and m + log(l) the log-sum-exp.
/// The normalisers sum, none and uniform use the same three with m = 0 and their weights in place of exp(s_j - m).
struct StateNode {
  TreeNode place;
  Tensor maximum, total, output;

  StateNode() = default;
  /// No keys: -inf, 0, 0.
  StateNode(const TreeNode& place, const AttentionSizes& sizes);
};

/// The state of consecutive leaves: the largest nodes that they fill, in the order of their keys.
struct AttentionState {
  std::vector<StateNode> nodes;
  bool exceeds_f32 = false;  ///< numbers of some leaf exceeded the range of f32, so that the leaf was computed in f64
};

/// Adds a node of the keys after those of `state`, and joins the nodes that now have both children:
///     m = max(m1, m2), l = sum_p l_p exp(m_p - m), o = sum_p o_p exp(m_p - m).
/// Throws Error(data) if the shapes differ. The bits do not depend on the instruction set.
void append(AttentionState& state, StateNode next, Isa isa);

/// The root: all nodes joined from the last to the first. `state` begins with the first key and ends with the last.
StateNode root_of(AttentionState state, const AttentionSizes& sizes, Isa isa);

}  // namespace attn
