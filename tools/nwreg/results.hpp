#pragma once
// The results of a fit: the prediction and what --emit names, the summary, or with --vjp the gradients of the fit of
// degree 0 by samples, queries and bandwidth.

#include "cli/result.hpp"
#include "cli/results/json.hpp"
#include "cli/session.hpp"
#include "nwreg/fits.hpp"

#include <attn/regression/nadaraya_watson.hpp>

#include <optional>
#include <string>
#include <vector>

namespace nwreg {

/// The result and the values of --emit, except the weights.
/// attributes: of the first. band: of --emit band.
std::vector<cli::Result> results_of(const Options& options, const PreparedSamples& data, const Fits& fits,
                                    const attn::Attributes& attributes, const attn::RegressionResult& result,
                                    const std::optional<Band>& band);
/// (m, n), or of several fits (m, n, C).
void add_weights(const Options& options, const PreparedSamples& data, const Fits& fits,
                 const attn::Execution& execution, std::vector<cli::Result>& results);

/// What --summary says; the attributes are those of the result.
class Summary {
 public:
  /// fit: at the samples, with self weights. R^2, effective parameters and residual standard deviation, weighted by the
  /// sample weights:
  ///
  ///     R^2 = 1 - sum w (y - fit)^2 / sum w (y - mean)^2,   p = tr S,   s^2 = sum w (y - fit)^2 / sum w  n / (n - p)
  Summary(const PreparedSamples& data, const attn::RegressionResult& fit, const Fits& fits);

  void add_to(attn::Attributes& attributes) const;
  void say(double seconds, cli::Report& report) const;
  cli::Json to_json(double seconds) const;

 private:
  std::size_t samples_, omitted_;
  std::string method_, chosen_by_;             ///< the last empty where the width was given
  std::vector<attn::Bandwidth> bandwidths_;    ///< one, or of each column of y
  std::vector<double> criteria_;               ///< of the searches for them; none: given
  std::vector<double> parameters_;             ///< as many as fits
  std::vector<double> r_squared_, deviation_;  ///< of each column of y; none of labels
};

/// Throws Error(usage) for options whose fit has no gradient here.
void check_gradients(const Options& options);

void write_gradients(const Options& options, const PreparedSamples& data, const attn::Smoother& smoother,
                     cli::Session& session);

}  // namespace nwreg
