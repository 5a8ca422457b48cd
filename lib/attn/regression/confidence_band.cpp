#include <attn/core/error.hpp>
#include <attn/core/pi.hpp>
#include <attn/core/values.hpp>
#include <attn/regression/confidence_band.hpp>

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

// The quantile of the normal distribution: Newton's method on erfc from a rough start.
double normal_quantile(double p) {
  double z = 0;
  for (int iteration = 0; iteration < 60; ++iteration) {
    const double error = 0.5 * std::erfc(-z * std::sqrt(0.5)) - p;
    const double density = std::exp(-0.5 * z * z) / std::sqrt(2 * pi);
    const double step = std::clamp(error / density, -1.0, 1.0);
    z -= step;
    if (std::abs(step) < 1e-15) break;
  }
  return z;
}

}  // namespace

TensorView confidence_band(const TensorView& fit, const TensorView& standard_error, double level, bool is_probability) {
  if (!(level > 0 && level < 1)) throw Error(ErrorKind::usage, "level", "is not between 0 and 1");
  const double z = normal_quantile(0.5 + 0.5 * level);
  const double *mean = fit.contiguous_data<double>(), *error = standard_error.contiguous_data<double>();
  const std::size_t m = fit.shape[0], outputs = fit.rank() == 1 ? 1 : fit.shape[1];
  Tensor band(DType::f64, {m, 2 * outputs});
  double* border = band.data_as<double>();
  for (std::size_t i = 0; i < m * outputs; ++i) {
    border[2 * i] = mean[i] - z * error[i];
    border[2 * i + 1] = mean[i] + z * error[i];
  }
  for (std::size_t i = 0; is_probability && i < 2 * m * outputs; ++i) border[i] = std::clamp(border[i], 0.0, 1.0);
  return band.view("band");
}

}  // namespace attn
