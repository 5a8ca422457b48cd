#pragma once
// Which tensors of two files belong together.

#include "tdiff/options.hpp"

#include <attn/core/stream.hpp>

#include <string>
#include <utility>
#include <vector>

namespace tdiff {

/// The tensors of a source, or of a group in it, and the part of each that is compared.
struct Collection {
  attn::Source* source;
  std::string group;  ///< its path; empty: all there is
  Options::Part part;
  std::vector<std::string> tensors;  ///< their names, in the order of the file

  bool holds(const std::string& name) const;
  /// The name of something in the group as it is called there.
  std::string inner(const std::string& name) const;
};

/// The names of what is compared: pairs of tensors, and those that only one side has.
struct Matching {
  std::vector<std::pair<std::string, std::string>> both;
  std::vector<std::string> only_a, only_b;
};

/// Two collections of one tensor each match whatever the names; otherwise names inside of them decide.
Matching match(const Collection& a, const Collection& b);

}  // namespace tdiff
