#pragma once
// The tree over leaves of the lines of a batch (attn/core/leaf_tree.hpp), in which gradients that were computed one
// after another, or on different machines, add up to the bits of one run.

#include <attn/core/execution.hpp>
#include <attn/core/leaf_tree.hpp>
#include <attn/transformer/parameter_gradients.hpp>

#include <cstddef>
#include <vector>

namespace ATTN_API attn {

/// Lines of a leaf.
inline constexpr std::size_t leaf_lines = 16;

/// The sum of the gradients over the leaves of a node.
struct GradientNode {
  TreeNode place;
  ParameterGradients gradients;
};

/// Adds a node of the leaves after those of `nodes`, and adds up the nodes that now have both children.
void append(std::vector<GradientNode>& nodes, GradientNode next, const Execution& execution = {});

/// The root: all nodes added from the last to the first. `nodes` begins with the first leaf and ends with the last.
ParameterGradients root_of(std::vector<GradientNode> nodes, const Execution& execution = {});

}  // namespace attn
