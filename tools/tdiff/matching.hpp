#pragma once
// Which tensors of two files belong together.

#include "cli/session.hpp"

#include <string>
#include <utility>
#include <vector>

namespace tdiff {

/// The names of what is compared: pairs of tensors, and those that only one side has.
struct Matching {
  std::vector<std::pair<std::string, std::string>> both;
  std::vector<std::string> only_a, only_b;
};

/// Two files of one tensor each match whatever the names; otherwise names decide.
Matching match(const attn::Source& a, const attn::Source& b);

/// What comparing these pairs needs: two tensors at a time.
cli::Plan plan_of(const Matching& matching, const attn::Source& a, const attn::Source& b);

}  // namespace tdiff
