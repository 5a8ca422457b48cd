#pragma once
// Confidence bands of a fit: for each query, for all queries together, or about a fit whose bias is corrected.

#include <attn/regression/nadaraya_watson.hpp>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace ATTN_API attn {

/// What a band fit -+ c se covers with the probability of its level.
enum class BandKind : std::uint8_t {
  pointwise,     ///< the expected fit at each query: c is the quantile of the normal distribution
  simultaneous,  ///< the expected fits at all queries together: c = tube_critical_value()
  corrected      ///< the curve at each query: fit and se are those of corrected_degree()
};
std::string_view name_of(BandKind kind) noexcept;

/// z of fit -+ z se: the two-sided quantile of the normal distribution. Throws Error(usage) unless 0 < level < 1.
double normal_critical_value(double level);

/// kappa0: the length of the path of T(q) = l(q) / |l(q)| from the least to the greatest query (none: of the samples),
/// l the smoothing weights. Once round at most, where x comes round. Found as a polygon of arcs, whose sides are halved
/// where halves differ from the whole by more than 1e-5 of it, and Richardson's extrapolation; stretches without a
/// sample in reach do not count.
/// Throws Error(usage) for more than one column of x, for widths by neighbours, and where the fit jumps: with
/// categories, boxcar and causal.
/// Source: Sun and Loader 1994, "Simultaneous confidence bands for linear regression and smoothing".
double tube_length(const KernelRegression& regression, const std::optional<TensorView>& queries,
                   const Smoother& smoother, const Execution& execution = {});

/// c of 1 - level = length / pi exp(-c^2 / 2) + 2 (1 - Phi(c)), Phi of the normal distribution: the tube formula for
/// errors of one variance. Throws Error(usage) unless 0 < level < 1.
double tube_critical_value(double length, double level);

/// The degree of the fit whose bias at the same width is of a higher order, in the middle and at the ends: 2 for 0 and
/// 1, 4 for 2. From degree 1 it is the bias-corrected fit with rho = 1, whose standard error has the error of the
/// correction in it. Source: Calonico, Cattaneo and Farrell 2018, "On the effect of bias estimation on coverage
/// accuracy in nonparametric inference".
constexpr std::size_t corrected_degree(std::size_t degree) noexcept { return degree < 2 ? 2 : 4; }

/// fit -+ c se: (m, 2), or (m, 2 C): lower, upper. critical_values: one c, or one for each of the C columns.
/// is_probability: limits the band to [0, 1].
TensorView band_around(const TensorView& fit, const TensorView& standard_error,
                       const std::vector<double>& critical_values, bool is_probability = false);

}  // namespace attn
