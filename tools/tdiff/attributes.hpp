#pragma once
// Attributes of tensors, groups and files, compared as the small tensors that they are.

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
  /// All but the history. Throws Error(data) for one that is no tensor.
  attn::Attributes attributes() const;
};

using CompareTensors = std::function<Comparison(const attn::TensorView& a, const attn::TensorView& b)>;

/// Adds to the report what both places have, and what only one of them has.
void compare_attributes(const Place& a, const Place& b, const CompareTensors& compare, DifferenceReport& report);

/// The same of both files and of the groups that either has.
void compare_groups(const attn::Source& a, const attn::Source& b, const CompareTensors& compare,
                    DifferenceReport& report);

}  // namespace tdiff
