#pragma once
// What tdiff says about several pairs of tensors, for people and for scripts.

#include "cli/results/difference.hpp"

#include <attn/core/stream.hpp>

#include <string>
#include <vector>

namespace tdiff {

/// Two tensors, compared, or why they could not be.
struct Comparison {
  attn::TensorInfo a, b;  ///< what they were: their elements can go
  std::string obstacle;   ///< "shapes (2, 3) and (3, 2) differ"; empty when the elements were compared
  cli::Difference difference;

  bool equal() const noexcept { return obstacle.empty() && difference.equal(); }
};

struct DifferenceReport {
  std::size_t batch = 1;
  std::vector<Comparison> comparisons;
  std::vector<Comparison> attributes;       ///< of strict comparisons, named "a.h5:/x@units"
  std::vector<std::string> only_a, only_b;  ///< names that only one side has
  std::vector<std::string> not_compared;    ///< attributes that are no tensors, and why

  bool equal() const noexcept;
};

/// Lines about what differs; empty when nothing does. Those of a later batch than the first say which.
std::string to_text(const DifferenceReport& report);
std::string to_json(const DifferenceReport& report);

}  // namespace tdiff
