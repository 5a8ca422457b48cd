#pragma once
// Notes on a result.

#include "cli/report.hpp"
#include "nwreg/settled_smoother.hpp"

#include <attn/regression/nadaraya_watson.hpp>

namespace nwreg {

/// Notes on queries that are not finite, on windows that were empty or too small for the degree, and on the method.
void note_result(const attn::RegressionResult& result, const PreparedSamples& data, const attn::Smoother& smoother,
                 cli::Report& report);

/// What a search for the bandwidth found. word: what searched; unit: the divisor of y in the criterion.
void note_selection(const SettledSmoother& settled, const std::string& word, bool was_given, double unit,
                    const PreparedSamples& data, cli::Report& report);

}  // namespace nwreg
