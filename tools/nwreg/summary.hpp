#pragma once
// The summary of a regression: the data, the bandwidth, and how well the fit describes the samples.

#include "cli/session.hpp"
#include "nwreg/settled_smoother.hpp"

#include <attn/regression/nadaraya_watson.hpp>

namespace nwreg {

/// What --summary says; the attributes are those of the result.
class Summary {
 public:
  /// fit: at the samples, with self weights. R^2, effective parameters and residual standard deviation, weighted by the
  /// sample weights:
  ///
  ///     R^2 = 1 - sum w (y - fit)^2 / sum w (y - mean)^2,   p = tr S,   s^2 = sum w (y - fit)^2 / sum w  n / (n - p)
  Summary(const PreparedSamples& data, const attn::RegressionResult& fit, const SettledSmoother& settled);

  void add_to(attn::Attributes& attributes) const;
  void say(double seconds, cli::Report& report) const;

 private:
  std::size_t samples_, omitted_;
  std::string method_, bandwidth_;
  double parameters_ = 0;
  std::vector<double> r_squared_, deviation_;  ///< of each column of y; none of labels
};

}  // namespace nwreg
