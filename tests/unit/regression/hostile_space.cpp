// Kernel regression in two and three dimensions of samples that break trees and cut-off sums, against the
// formula in long double.
#include <attn/regression/nadaraya_watson.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "support/closeness.hpp"
#include "support/random.hpp"

using namespace attn;

namespace {

constexpr std::size_t n = 200;

struct HostileInSpace {
  std::string name;
  std::size_t d;
  double h;
  std::vector<double> x, y, weights;  // x by rows
};

std::vector<HostileInSpace> hostile_samples(std::size_t d) {
  support::Random random(7);
  std::vector<HostileInSpace> all;
  using Maker = std::function<double(std::size_t)>;
  const Maker noise = [&](std::size_t) { return random.normal(); };
  const auto make = [&](const char* name, double h, const Maker& x_of, const Maker& y_of, const Maker& weight_of) {
    HostileInSpace sample{name, d, h, {}, {}, {}};
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < d; ++j) sample.x.push_back(x_of(i));
      sample.y.push_back(y_of(i));
      if (weight_of) sample.weights.push_back(weight_of(i));
    }
    all.push_back(sample);
  };
  const auto first = [&](double value) {
    return [&, value](std::size_t i) { return i == 0 ? value : random.normal(); };
  };
  make("an outlier of 1e17 in x", 0.5, first(1e17), noise, nullptr);
  make("an outlier of 1e17 in y", 0.1, noise, first(1e17), nullptr);
  make("a lone 1e9 among values of 1", 0.1, noise, first(1e9), nullptr);
  make(
      "places from 1e6", 0.5, [&](std::size_t) { return 1e6 + 3 * random.uniform(); }, noise, nullptr);
  make(
      "places from 1e12", 64, [&](std::size_t) { return 1e12 + std::floor(300 * random.uniform()); }, noise, nullptr);
  make(
      "all in one place", 1, [](std::size_t) { return 3.0; }, noise, nullptr);
  make(
      "many duplicates", 1.5, [&](std::size_t) { return static_cast<double>(random.between(0, 4)); }, noise, nullptr);
  make("windows of one sample", 1e-9, noise, noise, nullptr);
  make("windows of all samples", 1e6, noise, noise, nullptr);
  make(
      "values over decades", 0.4, noise, [&](std::size_t) { return std::pow(10.0, 20 * random.uniform()); }, nullptr);
  make("weights over 30 decades", 0.4, noise, noise,
       [&](std::size_t) { return std::pow(10.0, -30 * random.uniform()); });
  make("a heavy sample apart", 0.4, noise, noise, [](std::size_t i) { return i == 0 ? 1e25 : 1.0; });
  make("denormal weights", 0.4, noise, noise, [&](std::size_t) { return 1e-310 * random.uniform(); });
  return all;
}

TensorView as_tensor(const std::vector<double>& values, const Shape& shape, const char* name) {
  Tensor tensor(DType::f64, shape);
  std::copy(values.begin(), values.end(), tensor.data_as<double>());
  return tensor.view(name);
}

// sum w y / sum w, and sum w |y| / sum w, which errors are measured by; 0 where the window is empty or a matter of a
// rounding of u.
struct MeanInSpace {
  long double fit = 0, size = 0;
};
MeanInSpace mean_at(const HostileInSpace& sample, Kernel kernel, const double* q, std::size_t left_out) {
  std::vector<long double> squared(n, 0.0L);
  long double nearest = std::numeric_limits<long double>::infinity();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < sample.d; ++j) {
      const long double u = (static_cast<long double>(sample.x[i * sample.d + j]) - q[j]) / sample.h;
      squared[i] += u * u;
    }
    if (i != left_out) nearest = std::min(nearest, squared[i]);
  }
  long double total = 0, sum = 0, size = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (i == left_out) continue;
    const long double u = std::sqrt(squared[i]);
    if (is_compact(kernel) && std::fabs(u - 1) < 1e-3L) return {};
    long double w = 0;
    if (kernel == Kernel::gaussian)
      w = std::exp((nearest - squared[i]) / 2);
    else if (u < 1)
      w = static_cast<long double>(kernel_weight(kernel, static_cast<double>(u)));
    if (!sample.weights.empty()) w *= sample.weights[i];
    total += w;
    sum += w * sample.y[i];
    size += w * std::fabs(static_cast<long double>(sample.y[i]));
  }
  if (!(total > 0) || nearest > 400) return {};
  return {sum / total, size / total};
}

double worst_in_space(const std::vector<MeanInSpace>& means, const TensorView& fits) {
  const double* fit = fits.contiguous_data<double>();
  long double worst = 0;
  for (std::size_t i = 0; i < means.size(); ++i) {
    if (means[i].size == 0) continue;
    if (std::isnan(fit[i])) return std::numeric_limits<double>::infinity();
    worst = std::max(worst, std::fabs(fit[i] - means[i].fit) / means[i].size);
  }
  return static_cast<double>(worst);
}

}  // namespace

TEST_CASE("hostile samples in space: direct and tree keep to 1e-12 of sum w |y| / sum w") {
  for (const std::size_t d : {2u, 3u})
    for (const HostileInSpace& sample : hostile_samples(d)) {
      Samples samples{as_tensor(sample.x, {n, d}, "x"), as_tensor(sample.y, {n}, "y"), std::nullopt};
      if (!sample.weights.empty()) samples.weights = as_tensor(sample.weights, {n}, "weights");
      const KernelRegression regression(samples);
      std::vector<double> places;  // between samples
      for (std::size_t i = 0; i + d < n * d; ++i) places.push_back(0.5 * sample.x[i] + 0.5 * sample.x[i + d]);
      const std::size_t m = places.size() / d;
      const TensorView queries = as_tensor(places, {m, d}, "q");
      for (const Kernel kernel : {Kernel::gaussian, Kernel::boxcar, Kernel::parabolic, Kernel::triweight}) {
        std::vector<MeanInSpace> between, left_out;
        for (std::size_t i = 0; i < m; ++i) between.push_back(mean_at(sample, kernel, places.data() + i * d, n));
        for (std::size_t i = 0; i < n; ++i) left_out.push_back(mean_at(sample, kernel, sample.x.data() + i * d, i));
        for (const Method method : {Method::automatic, Method::direct, Method::tree}) {
          Smoother smoother;
          smoother.kernel = kernel;
          smoother.bandwidth = Bandwidth::number(sample.h);
          smoother.method = method;
          RegressionRequest request;
          request.leave_one_out = true;
          CAPTURE(d);
          CAPTURE(sample.name);
          CAPTURE(name_of(kernel));
          CAPTURE(name_of(method));
          CHECK(worst_in_space(between, regression.evaluate(queries, smoother).fit) < support::bound::outside_f64);
          CHECK(worst_in_space(left_out, regression.evaluate(smoother, request).fit) < support::bound::outside_f64);
        }
      }
    }
}
