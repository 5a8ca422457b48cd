#pragma once
// --band: what the confidence band covers.

#include <attn/regression/bands.hpp>

#include <optional>
#include <vector>

namespace nwreg {

struct Fits;

struct BandOptions {
  attn::BandKind kind = attn::BandKind::pointwise;
  double level = 0.95;
};

/// fit -+ c se, of the fit itself or of the corrected one.
struct Band {
  std::vector<double> critical_values;  ///< one, or of each fit
  std::optional<attn::RegressionResult> corrected;

  /// The band about these, or about the corrected fit.
  attn::TensorView around(const attn::TensorView& fit, const attn::TensorView& standard_error,
                          bool is_probability) const {
    return attn::band_around(corrected ? corrected->fit : fit, corrected ? *corrected->standard_error : standard_error,
                             critical_values, is_probability);
  }
};

/// The band of the rows that the request has, at the queries (none: the samples).
Band band_of(const BandOptions& options, const Fits& fits, const std::optional<attn::TensorView>& queries,
             const attn::RegressionRequest& request, const attn::Execution& execution);

}  // namespace nwreg
