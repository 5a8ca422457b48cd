#pragma once
// What is said of a result beside it.

#include "cli/report.hpp"
#include "nwreg/samples.hpp"

#include <attn/regression/nadaraya_watson.hpp>

namespace nwreg {

/// Notes on queries that are not finite, windows that were empty or could not carry the degree, and the method.
void note_result(const attn::RegressionResult& result, const PreparedSamples& data, const attn::Smoother& smoother,
                 cli::Report& report);

}  // namespace nwreg
