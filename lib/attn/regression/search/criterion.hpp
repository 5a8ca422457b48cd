#pragma once
// Criteria for bandwidths, in the units of samples.y, which avoid overflow and underflow.

#include <attn/regression/bandwidth_selection.hpp>
#include <attn/regression/samples/samples.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

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

/// Divisor of the mean loss of an output, so that several outputs count equally in any units.
inline double unit_of_loss(Loss loss, std::size_t outputs, const Moments& all) {
  return loss == Loss::squared && outputs > 1 && all.variance > 0 ? all.variance : 1;
}

/// (1 + tr / n) / (1 - (tr + 2) / n), the penalty of AICc; infinite if its denominator is not positive.
inline double aicc_penalty(double trace, double n) {
  const double left = 1 - (trace + 2) / n;
  return left > 0 ? (1 + trace / n) / left : std::numeric_limits<double>::infinity();
}

/// The criterion of one smoother; infinite or NaN if it has none.
double criterion_of(const KernelRegression& regression, const Smoother& smoother, Criterion criterion, Loss loss,
                    const Execution& execution);

/// AICc in the units of the caller's y; cv stays in the units of samples.y, see unit_of_criterion().
double as_reported(const KernelRegression::Prepared& samples, Criterion criterion, double value);

}  // namespace attn
