#pragma once
// Reports on pairs of tensors and of attributes, for people and for scripts.

#include "cli/results/difference.hpp"
#include "tdiff/operands.hpp"

#include <attn/core/source_sink.hpp>

#include <functional>
#include <string>
#include <vector>

namespace tdiff {

/// The comparison of two tensors, or the reason why they cannot be compared.
struct Comparison {
  attn::TensorInfo a, b;  ///< descriptions; the elements may be released
  std::string obstacle;   ///< "shapes (2, 3) and (3, 2) differ"; empty if the elements were compared
  cli::Difference difference;

  bool equal() const noexcept { return obstacle.empty() && difference.equal(); }
};

struct DifferenceReport {
  std::size_t batch = 1;
  std::vector<Comparison> comparisons;
  std::vector<Comparison> attributes;       ///< of strict comparisons, named "a.h5:/x@units"
  std::vector<std::string> only_a, only_b;  ///< names that only one side has
  std::vector<std::string> not_compared;    ///< attributes that are not tensors, with the reason

  bool equal() const noexcept;
};

/// Lines about differences; empty if there are none. After the first batch, lines give the number of the batch.
std::string to_text(const DifferenceReport& report);
std::string to_json(const DifferenceReport& report);

using CompareTensors = std::function<Comparison(const attn::TensorView& a, const attn::TensorView& b)>;

/// Adds to the report the attributes of both places, those of only one, and those that are not tensors and so are not
/// compared. Omits the history.
void compare_attributes(const Place& a, const Place& b, const CompareTensors& compare, DifferenceReport& report);

/// The same for both collections themselves and for the groups of either.
void compare_groups(const Collection& a, const Collection& b, const CompareTensors& compare, DifferenceReport& report);

}  // namespace tdiff
