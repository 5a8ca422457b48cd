#pragma once
// Criteria for bandwidths, in the units of samples.y, which avoid overflow and underflow, and the range of bandwidths
// of a search.

#include <attn/regression/bandwidth_selection.hpp>
#include <attn/regression/samples/samples.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace attn {

inline double weight_of(const KernelRegression::Prepared& p, std::size_t i) {
  return p.weight() != nullptr ? p.weight()[i] : 1.0;
}

/// Weighted mean and variance of an output, without NaN.
struct Moments {
  double mass = 0, mean = 0, variance = 0;
  /// The mean of all others, which predicts a sample y of weight w with no other in reach.
  double mean_without(double y, double w) const {
    const double rest = mass - w;
    return rest > 0 ? mean + (mean - y) * (w / rest) : mean;
  }
};
Moments moments_of(const KernelRegression::Prepared& samples, std::size_t c);

/// The loss of one output. With Loss::log only the column of the true class counts; a probability that underflowed
/// counts as the smallest number.
inline double loss_of(Loss loss, double y, double prediction) {
  if (loss == Loss::log)
    return y > 0 ? -std::log(std::clamp(prediction, std::numeric_limits<double>::min(), 1.0)) : 0.0;
  return (y - prediction) * (y - prediction);
}

/// The loss that the fits of the smoother minimise: of quantiles the check loss, of shares half the deviance, and the
/// given one of means.
inline double loss_of(const Smoother& smoother, Loss loss, double y, double prediction) {
  if (smoother.quantile) return (y - prediction) * (*smoother.quantile - (y < prediction ? 1 : 0));
  if (smoother.family == Family::gaussian) return loss_of(loss, y, prediction);
  const double p = std::clamp(prediction, std::numeric_limits<double>::min(), 1.0);
  const double rest = std::max(1 - prediction, std::numeric_limits<double>::min());
  return (y > 0 ? y * std::log(y / p) : 0) + (y < 1 ? (1 - y) * std::log((1 - y) / rest) : 0);
}

/// Divisor of the mean loss of an output, so that several outputs count equally in any units.
inline double unit_of_loss(Loss loss, std::size_t outputs, const Moments& all) {
  return loss == Loss::squared && outputs > 1 && all.variance > 0 ? all.variance : 1;
}

/// (1 + tr / n) / (1 - (tr + 2) / n), the penalty of AICc; infinite if its denominator is not positive.
inline double aicc_penalty(double trace, double n) {
  const double left = 1 - (trace + 2) / n;
  return left > 0 ? (1 + trace / n) / left : std::numeric_limits<double>::infinity();
}

/// s^2 / (1 - tr / n)^2; infinite where rounding alone is left below.
inline double generalised(double mean, double trace, double n) {
  const double left = 1 - trace / n;
  return left > 1e-9 ? mean / (left * left) : std::numeric_limits<double>::infinity();
}

/// The criterion of one smoother; infinite or NaN if it has none. every: cv takes the loss of each one of so many
/// samples; block: as in RegressionRequest.
double criterion_of(const KernelRegression& regression, const Smoother& smoother, Criterion criterion, Loss loss,
                    const Execution& execution, std::size_t every = 1, std::size_t block = 1);

/// AICc in the units of the caller's y; cv stays in the units of samples.y, see unit_of_criterion().
double as_reported(const KernelRegression::Prepared& samples, Criterion criterion, double value);

/// Widths are unit_j 2^step with a step in [lowest, highest]. The last octave goes to 64 times as wide, then infinity.
struct SearchRange {
  std::vector<double> unit;  ///< (d); none if x has categories alone
  double lowest = 0, highest = 0;

  double last_finite() const noexcept { return highest - 1.0 / 64; }
  double width(std::size_t j, double step) const noexcept {
    const double last = std::max(0.0, step - (highest - 1));
    return step > last_finite() ? std::numeric_limits<double>::infinity()
                                : unit[j] * std::exp2(step - last) / (1 - last);
  }
};

/// From widths so small that samples hardly influence each other to widths beyond their extent, and infinity. The lower
/// end depends on where most of the weight is: one far sample changes only the upper end.
///
///     d = 1   from a quarter of the spacing that a quarter of the neighbours have at most; unit: that spacing
///     d > 1   from 1/64 of what n samples on an even grid over the middle half of a coordinate would be apart; unit:
///             the extent of that half
///     Laplace from a quarter of either
///
/// isotropic: one unit for all coordinates. Throws Error(data) for a constant coordinate or fewer than 3 samples.
/// Samples without weight are ignored.
SearchRange search_range(const KernelRegression::Prepared& samples, const Smoother& smoother, bool isotropic);

}  // namespace attn
