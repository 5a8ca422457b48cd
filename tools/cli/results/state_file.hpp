#pragma once
// The file of a state: what attend and nwreg write for a part of the keys, and what tmerge reads and writes.
//
// Datasets, one entry for each node, in the order of their keys: state/level, state/index, state/content and
// state/checksum (nodes) u64, state/maximum and state/total (nodes, B, H, L) f64, state/output (nodes, B, H, L, d_v)
// f64. All else is in the attributes of the group `state`.

#include "cli/command.hpp"
#include "cli/results/part.hpp"

#include <attn/attention/attend_part.hpp>

#include <string>
#include <vector>

namespace cli {

/// What the rows of a state are.
enum class StateKind : std::uint8_t {
  attention,
  regression,  ///< queries of nwreg, in two heads: the kernel, with y and y^2 as values; the square of the kernel
  criterion    ///< widths, with the loss of the samples as value; a head for each output
};

/// Their words in files.
const Choices<StateKind>& state_kinds();

/// What the states of one run have in common, and what finishing needs.
struct StateHeader : PartHeader {
  StateKind kind = StateKind::attention;
  std::size_t keys = 0;  ///< of the whole
  attn::StateFinish finish = {};
  /// "level" of the band and what nwreg writes of the smoother (regression), "widths" (criterion).
  attn::Attributes more = {};
};

/// The datasets of a state.
std::vector<Result> state_results(attn::AttentionPart part);
GroupAttributes state_attributes(const StateHeader& header);

/// A file of a state.
class StateFile {
 public:
  /// Throws Error(data) naming the file if it is no state, or a damaged one.
  explicit StateFile(attn::Source& source);

  const std::string& label() const noexcept { return label_; }
  const StateHeader& header() const noexcept { return header_; }
  const std::vector<attn::TreeNode>& places() const noexcept { return places_; }
  const attn::Digest& content(std::size_t node) const { return content_[node]; }
  attn::AttentionSizes sizes() const;  ///< B, H, L and d_v
  /// Reads a node of the file, which may have been closed since. Throws Error(data) if the node is not what was
  /// written.
  attn::StateNode read(attn::Source& source, std::size_t node) const;

 private:
  [[noreturn]] void refuse(const std::string& detail) const;

  std::string label_;
  StateHeader header_;
  attn::Shape sizes_;  ///< of state/output
  std::vector<attn::TreeNode> places_;
  std::vector<attn::Digest> content_, checksum_;
};

}  // namespace cli
