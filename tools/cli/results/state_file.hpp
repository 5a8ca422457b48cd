#pragma once
// The file of a state: what attend --emit state writes, and what tmerge reads and writes.
//
// Datasets, one entry for each node, in the order of their keys: state/level, state/index, state/content and
// state/checksum (nodes) u64, state/maximum and state/total (nodes, B, H, L) f64, state/output (nodes, B, H, L, d_v)
// f64. All else is in the attributes of the group `state`.

#include "cli/results/part.hpp"

#include <attn/attention/attend_part.hpp>

#include <string>
#include <vector>

namespace cli {

/// What the states of one attention have in common, and what finishing needs.
struct StateHeader : PartHeader {
  std::size_t keys = 0;  ///< of the whole
  attn::StateFinish finish;
};

/// The number of leaves.
inline std::size_t leaves_of(std::size_t keys) { return (keys + attn::leaf_keys - 1) / attn::leaf_keys; }

/// The datasets of a state.
std::vector<Result> state_results(attn::AttentionPart part);
GroupAttributes state_attributes(const StateHeader& header);

/// A file of a state.
class StateFile {
 public:
  /// Throws Error(data) naming the file if it is no state, or a damaged one.
  explicit StateFile(attn::Source& source);

  const std::string& label() const noexcept { return source_.label(); }
  const StateHeader& header() const noexcept { return header_; }
  const std::vector<attn::TreeNode>& places() const noexcept { return places_; }
  std::uint64_t content(std::size_t node) const { return content_[node]; }
  attn::AttentionSizes sizes() const;  ///< B, H, L and d_v
  /// Throws Error(data) if the node is not what was written.
  attn::StateNode read(std::size_t node) const;

 private:
  [[noreturn]] void refuse(const std::string& detail) const;

  attn::Source& source_;
  StateHeader header_;
  attn::Shape sizes_;  ///< of state/output
  std::vector<attn::TreeNode> places_;
  std::vector<std::uint64_t> content_, checksum_;
};

}  // namespace cli
