#pragma once
// Options of nwreg.

#include "cli/shared_options.hpp"
#include "nwreg/band.hpp"
#include "nwreg/plot.hpp"

namespace nwreg {

struct Options {
  SampleOptions samples;
  SmootherOptions smoother;
  bool leave_one_out = false, derivative = false, sparse = false, with_query = false, summary = false;
  BandOptions band;
  std::optional<cli::Shard> shard;
  Plot plot;
  cli::Output output;
};

}  // namespace nwreg
