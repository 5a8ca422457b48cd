#pragma once
// A batch in leaves of a few lines, whose gradients are computed apart and added in a tree: lines of other lengths are
// no padding then, and what a leaf keeps of forward stays in the caches.

#include <attn/transformer/training.hpp>

#include <vector>

namespace attn {

/// The lines of a batch, leaf_lines by leaf_lines, each leaf cut to its longest line.
std::vector<TrainingBatch> leaves_of(const TrainingBatch& batch, std::int64_t ignored_label);

}  // namespace attn
