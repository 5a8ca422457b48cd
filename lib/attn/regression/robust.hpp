#pragma once
// Robust fits: samples far from the fit count less.

#include <attn/regression/nadaraya_watson.hpp>

namespace ATTN_API attn {

/// The samples with the robustness that `iterations` fits give them, each from the residuals r of the fit before:
///
///     robustness_i = (1 - (r_i / limit)^2)^2 for |r_i| < limit, else 0,   limit = 6 median |r|
///
/// As in R's lowess and loess, it is 1 up to 0.001 and 0 from 0.999 of the limit on, and the last fit stays if the
/// limit is nothing next to the mean of |r|. y must have one column; throws Error(usage) otherwise.
/// Source: Cleveland 1979, "Robust locally weighted regression and smoothing scatterplots".
Samples robust_samples(const Samples& samples, const Smoother& smoother, std::size_t iterations,
                       const Execution& execution = {});

}  // namespace attn
