#pragma once
// What nwreg can be asked for.

#include "cli/regression_options.hpp"
#include "cli/regression_plot.hpp"
#include "cli/session.hpp"

namespace nwreg {

struct Options {
  cli::SampleOptions samples;
  cli::SmootherOptions smoother;
  bool leave_one_out = false, derivative = false, sparse = false, with_query = false;
  double level = 0.95;  ///< of the confidence band
  cli::RegressionPlot plot;
  cli::Output output;
};

void declare(cli::Command& command, Options& options);

/// Throws Error(usage) for options that exclude each other or would do nothing.
void check(const Options& options, const cli::Session& session);

}  // namespace nwreg
