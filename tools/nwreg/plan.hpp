#pragma once
// What nwreg needs and writes, from shapes alone.

#include "cli/result.hpp"
#include "nwreg/options.hpp"

namespace nwreg {

/// How much a search tries and holds, and how many weights are not 0, is not known before, and not in it.
cli::Plan plan_of(const Options& options, const PreparedSamples& data);

}  // namespace nwreg
