#pragma once
// Attributes of tensors, groups and files, compared as the small tensors that they are.

#include "tdiff/matching.hpp"
#include "tdiff/report.hpp"

#include <attn/core/stream.hpp>

#include <functional>
#include <string>

namespace tdiff {

/// What has attributes: a tensor or a group of a source, or with an empty name the whole of it.
struct Place {
  const attn::Source* source;
  std::string name;
  bool is_there = true;

  /// "a.h5:/x@units".
  std::string text(const std::string& attribute) const;
};

using CompareTensors = std::function<Comparison(const attn::TensorView& a, const attn::TensorView& b)>;

/// Adds to the report what both places have, what only one of them has, and what is no tensor on both sides and so is
/// not compared. The history is left out.
void compare_attributes(const Place& a, const Place& b, const CompareTensors& compare, DifferenceReport& report);

/// The same of both collections themselves and of the groups that either has.
void compare_groups(const Collection& a, const Collection& b, const CompareTensors& compare, DifferenceReport& report);

}  // namespace tdiff
