#include <attn/regression/robust.hpp>

#include <attn/core/error.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace attn {
namespace {

// The mean of the two in the middle of an even number of values.
double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return 0.5 * (*middle + *std::max_element(values.begin(), middle));
}

double bisquare(double share) {
  if (share <= 0.001) return 1;
  if (share > 0.999) return 0;
  return (1 - share * share) * (1 - share * share);
}

}  // namespace

Samples robust_samples(const Samples& samples, const Smoother& smoother, std::size_t iterations,
                       const Execution& execution) {
  if (samples.y.rank() == 2 && samples.y.shape[1] != 1)
    throw Error(ErrorKind::usage, "robust", "is for one column of y, y has " + std::to_string(samples.y.shape[1]),
                "fit the columns one by one");
  Samples robust = samples;
  const TensorView numbers = contiguous(cast(samples.y, DType::f64));
  const double* y = numbers.contiguous_data<double>();
  const std::size_t n = numbers.size();
  for (std::size_t iteration = 0; iteration < iterations; ++iteration) {
    const RegressionResult result = KernelRegression(robust, execution).evaluate(smoother, {}, execution);
    const double* fit = result.fit.contiguous_data<double>();
    std::vector<double> sizes;
    double mean = 0;
    for (std::size_t i = 0; i < n; ++i)
      if (const double size = std::abs(y[i] - fit[i]); !std::isnan(size)) {
        sizes.push_back(size);
        mean += size / static_cast<double>(n);
      }
    const double limit = 6 * median(std::move(sizes));
    if (!(limit > 1e-7 * mean)) break;
    Tensor robustness(DType::f64, {n});
    for (std::size_t i = 0; i < n; ++i) {
      const double share = std::abs(y[i] - fit[i]) / limit;
      robustness.data_as<double>()[i] = std::isnan(share) ? 1 : bisquare(share);
    }
    robust.robustness = robustness.view("robustness");
  }
  return robust;
}

}  // namespace attn
