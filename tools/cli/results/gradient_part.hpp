#pragma once
// The file of the gradients over a part of a batch: what transformer-train writes and tmerge reads.
//
// Datasets: gradients/level, gradients/index and gradients/checksum (nodes) u64, gradients/loss (leaves) f64 and, for
// each parameter, gradients/d/NAME (nodes, ...), f32 or f64. All else is in the attributes of the group `gradients`.

#include "cli/results/part.hpp"

#include <attn/core/hash.hpp>
#include <attn/transformer/gradient_tree.hpp>

#include <map>
#include <string>
#include <vector>

namespace cli {

struct GradientPart {
  PartHeader header;
  std::size_t lines = 0;       ///< of the whole batch
  std::vector<double> losses;  ///< of each leaf of the part
  std::vector<attn::TreeNode> places;
  std::vector<attn::Digest> checksums = {};  ///< of each node, when read

  std::size_t leaves() const { return (lines + attn::leaf_lines - 1) / attn::leaf_lines; }  ///< of the whole batch
  /// The number of a leaf in `losses`.
  std::size_t loss_of(std::size_t leaf) const { return leaf - places.front().first_leaf(); }
};

/// The gradients of a node by the names of the parameters.
using NodeGradients = std::map<std::string, attn::TensorView>;

void add_gradients(attn::Sink& sink, const GradientPart& part, const std::vector<NodeGradients>& nodes);

bool has_gradients(const attn::Source& source);

/// Throws Error(data) naming the file for a damaged part.
GradientPart read_gradient_part(attn::Source& source);

/// The gradients of a node, in memory of their own. Throws Error(data) if the node is not what was written.
NodeGradients read_gradients(attn::Source& source, const GradientPart& part, std::size_t node);

}  // namespace cli
