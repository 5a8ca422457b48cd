#pragma once
// Fits beside each other: of each column of y, and of each quantile, with a bandwidth of its own.

#include "nwreg/options.hpp"

#include <attn/regression/nadaraya_watson.hpp>
#include <attn/regression/weights.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace nwreg {

/// A fit of all columns of y with one smoother, or of one of them.
struct Fit {
  PreparedSamples data;
  std::shared_ptr<const attn::KernelRegression> regression;
  SettledSmoother settled;
};

struct Fits {
  std::vector<Fit> all;             ///< quantiles of the first column of y first
  std::size_t quantiles = 1;        ///< of each column
  bool has_own_bandwidths = false;  ///< was a bandwidth chosen for each?

  bool is_one() const noexcept { return all.size() == 1; }
  /// What --emit weights and pictures of weights are of.
  std::vector<attn::SmoothedRegression> smoothed() const;

  std::vector<attn::RegressionResult> evaluate(const std::optional<attn::TensorView>& queries,
                                               const attn::RegressionRequest& request,
                                               const attn::Execution& execution) const;
  /// The results as one, with the axis C last, or before the derivatives. Quantiles that cross are sorted.
  /// crossing: set to the number of queries where they did, if it is not null.
  attn::RegressionResult join(const std::vector<attn::RegressionResult>& results,
                              std::size_t* crossing = nullptr) const;

  /// What the results say of their smoothers: (C), where these differ.
  attn::Attributes attributes() const;
  /// The curves of the searches: (widths, d + 2), or of several (widths, d + 2, C), short ones filled up with NaN.
  std::optional<attn::TensorView> curve() const;
};

/// Has each column of y a bandwidth of its own?
bool has_own_bandwidths(const SmootherOptions& options, const PreparedSamples& data);

/// Reads or chooses the bandwidths and prepares the fits. regression: of all columns of y.
Fits prepare_fits(const Options& options, const PreparedSamples& data,
                  std::shared_ptr<const attn::KernelRegression> regression, cli::Session& session);

}  // namespace nwreg
