#pragma once
// The tree over leaves of keys, in which parts that were computed one after another, or on different machines, join to
// the bits of one run.
//
// Keys are cut into leaves at multiples of 4096 of the whole sequence. Leaves are joined in a binary tree whose shape
// depends only on the number of keys: node (h, i) joins (h - 1, 2 i) and (h - 1, 2 i + 1). A node whose second child
// begins after the last key is its first child.

#include <attn/core/export.hpp>

#include <cstddef>
#include <limits>
#include <vector>

namespace ATTN_API attn {

/// Keys of a leaf.
inline constexpr std::size_t leaf_keys = 4096;

/// The number of leaves.
inline std::size_t leaves_of(std::size_t keys) noexcept { return (keys + leaf_keys - 1) / leaf_keys; }

/// A place in the tree: the leaves [index 2^level, (index + 1) 2^level).
struct TreeNode {
  std::size_t level = 0, index = 0;

  std::size_t first_leaf() const noexcept { return index << level; }
  std::size_t end_leaf() const noexcept { return (index + 1) << level; }
};

/// Are they the first and the second child of one node?
inline bool are_siblings(const TreeNode& a, const TreeNode& b) noexcept {
  return a.level == b.level && a.index % 2 == 0 && b.index == a.index + 1;
}

inline TreeNode parent_of(const TreeNode& node) noexcept { return {node.level + 1, node.index / 2}; }

/// Leaves [first, last).
struct LeafRange {
  std::size_t first = 0, last = 0;
};
inline constexpr LeafRange all_leaves{0, std::numeric_limits<std::size_t>::max()};

/// The sum of the root, from those of all leaves; 0 without any.
inline double tree_sum(std::vector<double> sums) {
  while (sums.size() > 1) {
    for (std::size_t i = 0; i < sums.size(); i += 2)
      sums[i / 2] = i + 1 < sums.size() ? sums[i] + sums[i + 1] : sums[i];
    sums.resize((sums.size() + 1) / 2);
  }
  return sums.empty() ? 0 : sums.front();
}

}  // namespace attn
