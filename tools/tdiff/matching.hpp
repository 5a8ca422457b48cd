#pragma once
// Matching the tensors of two files.

#include "tdiff/options.hpp"

#include <attn/core/source_sink.hpp>

#include <string>
#include <utility>
#include <vector>

namespace tdiff {

/// The tensors of a source, or of a group in it, and the part of each that is compared.
struct Collection {
  attn::Source* source;
  std::string group;  ///< its path; empty: the whole source
  Options::Part part;
  std::vector<std::string> tensors;  ///< their names, in the order of the file

  bool holds(const std::string& name) const;
  /// The name of a member, relative to the group.
  std::string inner(const std::string& name) const;
};

/// The names to compare: pairs of tensors, and tensors of only one side.
struct Matching {
  std::vector<std::pair<std::string, std::string>> both;
  std::vector<std::string> only_a, only_b;
};

/// Two collections of one tensor each match under any names, and so do columns of tables by position or without names;
/// otherwise the names inside them decide.
Matching match(const Collection& a, const Collection& b, bool by_position);

}  // namespace tdiff
