#pragma once
// What a part says of the run that it is a part of: what tmerge compares before it joins parts.

#include "cli/operands.hpp"
#include "cli/result.hpp"
#include "cli/session.hpp"

#include <attn/core/leaf_tree.hpp>

#include <string>
#include <utility>
#include <vector>

namespace cli {

/// The entry of the record with the hash of keys and values, which tmerge can compare with files.
constexpr const char* database_entry = "the hash of keys and values";

/// What all parts of one run have in common, except the instruction set of the processor.
struct PartHeader : RunRecord {
  std::size_t shards = 1;
};

/// A number, for attributes.
attn::TensorView number_of(std::size_t value);

/// The shape, dtype and hash of a tensor.
std::string hash_of(const attn::TensorView& x);

/// Throws Error(usage) naming `option` for an output that is not one new HDF5 file of one part.
void expect_part_file(const Output& output, const char* option, Session& session);
/// The same for a state, whose numbers are not for --dtype.
void expect_state_file(const Output& output, const char* option, Session& session);

/// The attributes of a group: the header, `others` and a checksum of them all.
attn::Attributes part_attributes(const std::string& format, const PartHeader& header, attn::Attributes others);

/// The attributes of a part that was written. Every function throws Error(data) that names the file.
class PartAttributes {
 public:
  /// `what` completes "is no ...", if the group is missing or has another format.
  PartAttributes(const attn::Source& source, const std::string& group, const std::string& format,
                 const std::string& what);

  PartHeader header() const;
  std::string text(const char* name) const;
  attn::Shape numbers(const char* name) const;
  std::size_t number(const char* name) const;
  /// The nodes of a tree of so many leaves, from the datasets `level` and `index` of the group.
  std::vector<attn::TreeNode> places(attn::Source& source, std::size_t leaves) const;
  /// The value of a word in a list of choices.
  template <class T>
  T choice(const char* name, const std::vector<std::pair<std::string, T>>& choices) const {
    const std::string word = text(name);
    for (const auto& [known, meaning] : choices)
      if (known == word) return meaning;
    refuse("has the " + std::string(name) + " '" + word + "', which is not known");
  }
  const attn::Attributes& all() const noexcept { return attributes_; }

  [[noreturn]] void refuse(const std::string& detail) const;

 private:
  std::string label_, group_;
  attn::Attributes attributes_;
};

}  // namespace cli
