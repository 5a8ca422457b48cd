#pragma once
// The smoother with its bandwidth: read, computed by a rule, or chosen by a search.

#include "nwreg/smoother.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace nwreg {

struct SettledSmoother {
  attn::Smoother smoother;
  std::optional<attn::Selection> selection;
  attn::Attributes attributes;  ///< for the results
};
/// Passes on the regression without samples whose y is missing, by which a bandwidth is chosen: a missing y would
/// spoil the predictions around it.
void with_complete_samples(const PreparedSamples& data, const attn::KernelRegression& regression, cli::Session& session,
                           const std::function<void(const attn::KernelRegression&)>& use);
/// What the search, or the grid, goes by.
attn::SelectionParameters selection_parameters(const SmootherOptions& options, const PreparedSamples& data);
/// What a result says of its smoother.
attn::Attributes attributes_of(const attn::Smoother& smoother);
/// Includes the curve of the search if that is wanted.
SettledSmoother settle_smoother(const SmootherOptions& options, const PreparedSamples& data,
                                const attn::KernelRegression& regression, bool wants_curve, cli::Session& session);
/// Names of the columns of the curve.
std::vector<std::string> curve_columns(const SettledSmoother& settled);

}  // namespace nwreg
