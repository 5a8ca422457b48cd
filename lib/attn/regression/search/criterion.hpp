#pragma once
// What bandwidths are judged by, in the units of samples.y, which no y is too large or too small for.

#include <attn/regression/samples/samples.hpp>
#include <attn/regression/selection.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn {

inline double weight_of(const KernelRegression::Prepared& p, std::size_t i) {
  return p.weight() != nullptr ? p.weight()[i] : 1.0;
}

/// Weighted mean and variance of an output, NaN left out.
struct Moments {
  double mass = 0, mean = 0, variance = 0;
  /// The mean of all others: what predicts a sample y of weight w that has none in reach.
  double mean_without(double y, double w) const {
    const double rest = mass - w;
    return rest > 0 ? mean + (mean - y) * (w / rest) : mean;
  }
};
Moments moments_of(const KernelRegression::Prepared& samples, std::size_t c);

/// Of one output. By Loss::log a sample costs something in the column of its own class alone; a probability that
/// underflowed costs what the smallest number costs.
inline double loss_of(Loss loss, double y, double prediction) {
  if (loss == Loss::log)
    return y > 0 ? -std::log(std::clamp(prediction, std::numeric_limits<double>::min(), 1.0)) : 0.0;
  return (y - prediction) * (y - prediction);
}

/// What the mean loss of an output is divided by: several outputs count alike, whatever their units.
inline double unit_of_loss(Loss loss, std::size_t outputs, const Moments& all) {
  return loss == Loss::squared && outputs > 1 && all.variance > 0 ? all.variance : 1;
}

/// (1 + tr / n) / (1 - (tr + 2) / n), the penalty of AICc; infinite from where its denominator is not positive.
inline double aicc_penalty(double trace, double n) {
  const double left = 1 - (trace + 2) / n;
  return left > 0 ? (1 + trace / n) / left : std::numeric_limits<double>::infinity();
}

/// The criterion of one smoother; infinite or NaN where there is none.
double criterion_of(const KernelRegression& regression, const Smoother& smoother, Criterion criterion, Loss loss,
                    const Execution& execution);

/// AICc in the units of the caller's y; cv stays in those of samples.y, which unit_of_criterion() tells.
double as_reported(const KernelRegression::Prepared& samples, Criterion criterion, double value);

}  // namespace attn
