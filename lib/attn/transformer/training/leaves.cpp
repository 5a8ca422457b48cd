#include <attn/transformer/training/leaves.hpp>

#include <attn/core/shape.hpp>
#include <attn/transformer/gradient_tree.hpp>

#include <algorithm>

namespace attn {
namespace {

/// x[first:last, :length], contiguous.
TensorView part_of(const TensorView& x, std::size_t first, std::size_t last, std::size_t length) {
  Slab slab{{static_cast<std::int64_t>(first), static_cast<std::int64_t>(last)}};
  if (x.rank() == 2) slab.push_back({0, static_cast<std::int64_t>(length)});
  return contiguous(slice(x, slab));
}

/// The length of the longest of these rows (B, L), which end with the last number that is not `none`; at least 1.
std::size_t longest_row(const TensorView& rows, std::int64_t none) {
  const std::vector<std::int64_t> all = to_integers(rows);
  std::size_t longest = 1;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i] != none) longest = std::max(longest, i % rows.shape[1] + 1);
  return longest;
}

}  // namespace

std::vector<TrainingBatch> leaves_of(const TrainingBatch& batch, std::int64_t ignored_label) {
  const std::size_t lines = batch.source.ids.shape.at(0);
  std::vector<TrainingBatch> leaves;
  for (std::size_t first = 0; first < lines; first += leaf_lines) {
    const std::size_t last = std::min(first + leaf_lines, lines);
    const auto part = [&](const TensorView& x, std::size_t length) { return part_of(x, first, last, length); };
    const auto whole = [&](const TensorView& x) { return part(x, x.shape.back()); };
    TrainingBatch& leaf = leaves.emplace_back();
    std::size_t length = batch.source.ids.shape.back();
    if (batch.source.padding_mask) {
      const TensorView mask = whole(*batch.source.padding_mask);
      length = longest_row(mask, 0);
      leaf.source.padding_mask = part(*batch.source.padding_mask, length);
    }
    leaf.source.ids = part(batch.source.ids, length);
    if (batch.source.types) leaf.source.types = part(*batch.source.types, length);
    if (batch.target) {  // the decoder does not look ahead
      length = longest_row(whole(batch.labels), ignored_label);
      leaf.target = TokenBatch{part(batch.target->ids, length)};
    }
    leaf.labels = part(batch.labels, length);
    leaf.dropout = batch.dropout;
    leaf.dropout.first_line += first;
  }
  return leaves;
}

}  // namespace attn
