#pragma once
// The words of --bandwidth.

#include "cli/inputs.hpp"

#include <attn/regression/bandwidth_selection.hpp>

#include <string>
#include <vector>

namespace nwreg {

/// A bandwidth that is given, not searched and not the rule of thumb.
attn::Bandwidth given_bandwidth(const std::string& word, const attn::KernelRegression& regression, cli::Inputs& inputs);
/// The widths of cv:LOW,HIGH,N.
std::vector<double> grid_of(const std::string& word);

}  // namespace nwreg
