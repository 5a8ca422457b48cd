#pragma once
// A batch in leaves of a few lines, whose gradients are computed apart and added in a tree: lines of other lengths are
// no padding then, and what a leaf keeps of forward stays in the caches.

#include <attn/transformer/training.hpp>

#include <utility>
#include <vector>

namespace attn {

/// The lines of a batch, 16 by 16, each leaf cut to its longest line.
std::vector<TrainingBatch> leaves_of(const TrainingBatch& batch, std::int64_t ignored_label);

/// The sum of the gradients of leaves in a binary tree, whose form depends on their number alone.
class GradientTree {
 public:
  explicit GradientTree(const Execution& execution) : execution_(execution) {}

  /// The gradients of the next leaf.
  void add(ParameterGradients leaf);
  /// The sum of at least one leaf.
  ParameterGradients take();

 private:
  void join_last();

  const Execution& execution_;
  std::vector<std::pair<std::size_t, ParameterGradients>> sums_;  ///< of so many leaves each, the largest first
};

}  // namespace attn
