#pragma once
// The file of a part of a run, which --shard I/N writes and tmerge joins with the others.
//
// The group `part` has the head as attributes: the record of the run, the kind of the part, which units it has of how
// many, and what finishing needs. A part of a tree also has its nodes: `node_level`, `node_index`. The tensors of a
// part with rows are the results of a run. All others are part/NAME; their first axis is that of the nodes, unless the
// attribute `rows` of a tensor names the axis of its units. part/checksum has the hash of each tensor, or of each node
// in it. The attribute `checksum` is the hash of all other attributes of the file, and of names, types and shapes.

#include "cli/session.hpp"
#include "cli/shared_options.hpp"

#include <attn/attention/attend.hpp>

#include <optional>
#include <string>
#include <vector>

namespace cli {

/// The entry of the record with the hash of keys and values, which tmerge can compare with files.
constexpr const char* database_entry = "the hash of keys and values";

/// What joining means.
enum class PartKind : std::uint8_t {
  rows,       ///< rows of results, which are put one after another
  add,        ///< sums over lines, for each node of a tree
  attention,  ///< states over keys or samples (attention/state.hpp), for each node
  top         ///< the best keys of a search
};
const Choices<PartKind>& part_kinds();

struct PartHead {
  RunRecord record;
  PartKind kind = PartKind::rows;
  std::string things = "rows";    ///< what is cut: rows, keys, samples, lines
  std::size_t unit = 1, all = 0;  ///< things of a unit, and of the whole run
  std::size_t shards = 1;
  std::size_t first = 0, end = 0;          ///< units of the part
  std::vector<attn::TreeNode> nodes = {};  ///< in their order
  attn::Attributes more = {};              ///< what finishing needs, the same in all parts

  PartHead() = default;
  PartHead(PartKind kind, std::string things, std::size_t unit, std::size_t all, const Shard& shard);

  std::size_t units() const { return (all + unit - 1) / unit; }
  /// Things of the part.
  std::size_t begin() const { return first * unit; }
  std::size_t stop() const { return end * unit < all ? end * unit : all; }
};

/// The axis of a tensor along which the units of a part lie.
void set_row_axis(Result& result, std::size_t axis);

/// Throws Error(usage) naming `option` for an output that is not one new HDF5 file of one part.
void expect_part_file(const Output& output, const char* option, Session& session);
/// The same for a state, whose numbers are not for --dtype.
void expect_state_file(const Output& output, const char* option, Session& session);

/// Writes a part whose head has all but the record.
void write_part(const Output& output, PartHead head, std::vector<Result> results, Session& session);
/// Into a file that is no output of the session.
void add_part(attn::Sink& sink, PartHead head, std::vector<Result> results, Session& session);

/// Writes the states of a part; head.more receives what `finish` says. The word tells tmerge what the rows are.
void write_state(const Output& output, PartHead head, attn::AttentionPart part, const char* word, Session& session);

/// A file that write_part() wrote. Every function throws Error(data) naming the file if it is damaged.
class PartFile {
 public:
  explicit PartFile(attn::Source& source);

  const std::string& label() const noexcept { return label_; }
  const PartHead& head() const noexcept { return head_; }

  struct Tensor {
    attn::TensorInfo info;
    std::optional<std::size_t> axis;  ///< of units
    bool has_nodes;
    std::size_t first_digest;
  };
  const std::vector<Tensor>& tensors() const noexcept { return tensors_; }
  const Tensor& tensor(const std::string& name) const;

  /// A tensor, or its entry for a node, if it is what was written.
  attn::TensorView read(attn::Source& source, const std::string& name, std::size_t node = 0) const;
  /// Reads all of it.
  void check(attn::Source& source) const;

 private:
  attn::TensorView checked(attn::Source& source, const Tensor& tensor, std::size_t node) const;
  [[noreturn]] void refuse(const std::string& detail, const std::string& fix = "") const;

  std::string label_;
  PartHead head_;
  std::vector<Tensor> tensors_;
  std::vector<attn::Digest> digests_;
};

/// What is in a head of states.
attn::StateFinish finish_of(const PartFile& part);
std::string finish_word(const PartHead& head);
attn::AttentionSizes sizes_of(const PartFile& part);
attn::StateNode read_state(attn::Source& source, const PartFile& part, std::size_t node);

}  // namespace cli
