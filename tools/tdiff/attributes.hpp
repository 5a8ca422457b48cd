#pragma once
// Comparing attributes of tensors, groups and files, as small tensors.

#include "tdiff/matching.hpp"
#include "tdiff/report.hpp"

#include <attn/core/source_sink.hpp>

#include <functional>
#include <string>

namespace tdiff {

/// The owner of attributes: a tensor or a group of a source, or with an empty name the whole source.
struct Place {
  const attn::Source* source;
  std::string name;
  bool is_there = true;

  /// "a.h5:/x@units".
  std::string text(const std::string& attribute) const;
};

using CompareTensors = std::function<Comparison(const attn::TensorView& a, const attn::TensorView& b)>;

/// Adds to the report the attributes of both places, those of only one, and those that are not tensors and so are not
/// compared. Omits the history.
void compare_attributes(const Place& a, const Place& b, const CompareTensors& compare, DifferenceReport& report);

/// The same for both collections themselves and for the groups of either.
void compare_groups(const Collection& a, const Collection& b, const CompareTensors& compare, DifferenceReport& report);

}  // namespace tdiff
