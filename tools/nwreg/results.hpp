#pragma once
// The results of a fit: the prediction and what --emit names.

#include "cli/result.hpp"
#include "nwreg/options.hpp"
#include "nwreg/settled_smoother.hpp"

#include <memory>
#include <vector>

namespace nwreg {

/// The result and the values of --emit, except the weights.
std::vector<cli::Result> results_of(const Options& options, const PreparedSamples& data, const SettledSmoother& settled,
                                    const attn::RegressionResult& result);
void add_weights(const Options& options, const PreparedSamples& data,
                 const std::shared_ptr<const attn::KernelRegression>& regression, const attn::Smoother& smoother,
                 const attn::Execution& execution, std::vector<cli::Result>& results);

}  // namespace nwreg
