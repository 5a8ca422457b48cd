// Kernel regression of samples that break running sums, expansions and Gram matrices, against sums in long double and
// against the careful twin.
#include <attn/core/error.hpp>
#include <attn/regression/nadaraya_watson.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "support/closeness.hpp"
#include "support/execution.hpp"
#include "support/random.hpp"
#include "support/regression_twin.hpp"

using namespace attn;
using support::reference;

namespace {

// Samples that break running sums, Gram matrices and expansions: what they are, and the bandwidth to use.
struct Hostile {
  const char* name;
  std::vector<double> x, y;
  double h;
  std::vector<double> weights;
};

std::vector<Hostile> hostile_samples() {
  support::Random random(4);
  const std::size_t n = 150;
  std::vector<Hostile> all;
  const auto make = [&](const char* name, double h, auto x_of, auto y_of) {
    Hostile sample{name, {}, {}, h, {}};
    for (std::size_t i = 0; i < n; ++i) {
      sample.x.push_back(x_of(i));
      sample.y.push_back(y_of(i));
    }
    all.push_back(sample);
  };
  const auto noise = [&](std::size_t) { return random.normal(); };
  const auto index = [](std::size_t i) { return static_cast<double>(i); };
  make("sorted", 10, index, noise);
  make(
      "reversed", 10, [](std::size_t i) { return 300.0 - static_cast<double>(i); }, noise);
  make(
      "time stamps from 1e6", 0.5, [&](std::size_t) { return 1e6 + 10 * random.uniform(); }, noise);
  make(
      "time stamps from 1e12", 64, [&](std::size_t) { return 1e12 + std::floor(1000 * random.uniform()); }, noise);
  make(
      "an outlier of 1e17 in x", 0.5, [&](std::size_t i) { return i == 0 ? 1e17 : random.normal(); }, noise);
  make(
      "an early outlier of 1e17 in y", 0.2, [&](std::size_t) { return 5 * random.uniform(); },
      [&](std::size_t i) { return i == 0 ? 1e17 : random.normal(); });
  make(
      "all in one place", 1, [](std::size_t) { return 3.0; }, noise);
  make(
      "many duplicates", 1.5, [&](std::size_t) { return static_cast<double>(random.between(0, 9)); }, noise);
  make("windows of one sample", 1e-9, noise, noise);
  make("windows of all samples", 1e6, noise, noise);
  make(
      "two clusters just out of reach", 1,
      [&](std::size_t i) { return (i % 2 == 0 ? 0.0 : 0.9999) + 1e-6 * random.uniform(); }, noise);
  make(
      "a sparse tail", 0.3, [&](std::size_t) { return -std::log(1 - random.uniform()) * 3; }, noise);
  make(
      "tiny", 1e-200, [&](std::size_t) { return 1e-200 * random.normal(); }, noise);
  make(
      "huge", 1e100, [&](std::size_t) { return 1e100 * random.normal(); }, noise);
  make(
      "a lone 1e9 among values of 1", 0.05, [&](std::size_t) { return 5 * random.uniform(); },
      [&](std::size_t i) { return i == 0 ? 1e9 : random.normal(); });
  make(
      "heavy tails in y", 0.3, [&](std::size_t) { return 5 * random.uniform(); },
      [&](std::size_t) { return std::pow(random.normal() / (1e-3 + random.uniform()), 5); });
  make("values of 1e200", 0.3, noise, [&](std::size_t) { return 1e200 * random.normal(); });
  make("values of 1e-200", 0.3, noise, [&](std::size_t) { return 1e-200 * random.normal(); });
  make("weights over 30 decades", 0.3, noise, noise);
  for (std::size_t i = 0; i < n; ++i) all.back().weights.push_back(std::pow(10.0, -30 * random.uniform()));
  make("a heavy sample apart", 0.05, index, noise);
  all.back().h = 20;
  for (std::size_t i = 0; i < n; ++i) all.back().weights.push_back(i == 0 ? 1e25 : 1);
  make("denormal weights", 0.3, noise, noise);
  for (std::size_t i = 0; i < n; ++i) all.back().weights.push_back(1e-310 * random.uniform());
  return all;
}

// sum w y / sum w and sum w |y| / sum w in long double: the fit, and the size that its error is measured by.
struct Mean {
  long double fit = 0, size = 0;
  bool is_certain = false;  // the window is not empty and is no matter of a rounding of u, near 1 or of huge squares
};
Mean mean_at(const Hostile& sample, Kernel kernel, double q, std::size_t left_out) {
  const std::size_t n = sample.x.size();
  std::vector<long double> u(n);
  long double nearest = std::numeric_limits<long double>::infinity();
  Mean mean;
  bool border = false;
  for (std::size_t i = 0; i < n; ++i) {
    u[i] = std::fabs(static_cast<long double>(sample.x[i]) - q) / sample.h;
    if (i == left_out || (!sample.weights.empty() && sample.weights[i] == 0)) continue;
    nearest = std::min(nearest, u[i]);
    // Kernels that end lose relative digits of their own where they end.
    border = border || std::fabs(u[i] - 1) < 1e-3L;
  }
  long double total = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (i == left_out) continue;
    long double w = 0;
    if (kernel == Kernel::gaussian)
      w = std::exp(-(u[i] - nearest) * (u[i] + nearest) / 2);
    else if (kernel == Kernel::laplace)
      w = std::exp(nearest - u[i]);
    else
      w = u[i] <= 1 || kernel == Kernel::constant
              ? static_cast<long double>(kernel_weight(kernel, static_cast<double>(u[i])))
              : 0;
    if (!sample.weights.empty()) w *= sample.weights[i];
    total += w;
    mean.fit += w * sample.y[i];
    mean.size += w * std::fabs(sample.y[i]);
  }
  mean.fit /= total;
  mean.size /= total;
  mean.is_certain = total > 0 && !(is_compact(kernel) && border) && nearest < 20;
  return mean;
}

TensorView column_of(const std::vector<double>& values, const char* name) {
  Tensor tensor(DType::f64, {values.size()});
  std::copy(values.begin(), values.end(), tensor.data_as<double>());
  return tensor.view(name);
}

constexpr Method all_methods[] = {Method::automatic, Method::direct, Method::window, Method::series, Method::tree};

Samples samples_of(const Hostile& sample) {
  Samples samples{column_of(sample.x, "x"), column_of(sample.y, "y"), std::nullopt};
  if (!sample.weights.empty()) samples.weights = column_of(sample.weights, "weights");
  return samples;
}

// At the samples, between them, and far from all.
std::vector<double> places_of(const Hostile& sample) {
  std::vector<double> places = sample.x;
  for (std::size_t i = 4; i < sample.x.size(); i += 3) places.push_back(0.5 * sample.x[i] + 0.5 * sample.x[i - 1]);
  for (const double far : {-1e3, 30.0, 1e5, 1e30}) places.push_back(sample.x[0] + far * sample.h);
  return places;
}

std::vector<Mean> means_at(const Hostile& sample, Kernel kernel, const std::vector<double>& places,
                           bool leave_one_out) {
  std::vector<Mean> means;
  for (std::size_t i = 0; i < places.size(); ++i)
    means.push_back(mean_at(sample, kernel, places[i], leave_one_out ? i : sample.x.size()));
  return means;
}

// The worst distance of fits from their formula, relative to sum w |y| / sum w.
double worst_of(const std::vector<Mean>& means, const TensorView& fits) {
  const auto fit = fits.as<double, 1>();
  double worst = 0;
  for (std::size_t i = 0; i < means.size(); ++i) {
    if (!means[i].is_certain || means[i].size == 0) continue;
    worst = std::max(worst, static_cast<double>(std::fabs(fit(i) - means[i].fit) / means[i].size));
    if (std::isnan(fit(i))) return std::numeric_limits<double>::infinity();
  }
  return worst;
}

}  // namespace

TEST_CASE("hostile samples: every method keeps to 1e-12 of sum w |y| / sum w, and results lie among the values") {
  for (const Hostile& sample : hostile_samples()) {
    const KernelRegression regression(samples_of(sample));
    const std::vector<double> places = places_of(sample);
    const TensorView queries = column_of(places, "q");
    const auto [low, high] = std::minmax_element(sample.y.begin(), sample.y.end());
    for (const Kernel kernel : all_kernels()) {
      Smoother smoother;
      smoother.kernel = kernel;
      smoother.bandwidth = Bandwidth::number(sample.h);
      const RegressionResult twin = support::twin(regression, queries, smoother);
      RegressionRequest request;
      request.leave_one_out = true;
      const RegressionResult twin_left_out = support::twin(regression, smoother, request);
      const std::vector<Mean> means = means_at(sample, kernel, places, false);
      const std::vector<Mean> means_left_out = means_at(sample, kernel, sample.x, true);
      for (const Method method : all_methods) {
        smoother.method = method;
        INFO(std::string(sample.name));
        CAPTURE(name_of(kernel));
        CAPTURE(name_of(method));
        RegressionResult fast;
        try {
          fast = regression.evaluate(queries, smoother);
        } catch (const Error& error) {
          CHECK(error.kind() == ErrorKind::usage);
          continue;
        }
        CHECK(fast.empty_windows == twin.empty_windows);
        std::size_t outside = 0, nan_differs = 0;
        const auto fit = fast.fit.as<double, 1>(), expected = twin.fit.as<double, 1>();
        for (std::size_t i = 0; i < places.size(); ++i) {
          outside += fit(i) < *low || fit(i) > *high;
          nan_differs += std::isnan(fit(i)) != std::isnan(expected(i));
        }
        CHECK(outside == 0);
        CHECK(nan_differs == 0);
        CHECK(worst_of(means, fast.fit) < support::bound::outside_f64);
        const RegressionResult left_out = regression.evaluate(smoother, request);
        CHECK(left_out.empty_windows == twin_left_out.empty_windows);
        CHECK(worst_of(means_left_out, left_out.fit) < support::bound::outside_f64);
      }
    }
  }
}

TEST_CASE("hostile samples: standard errors, derivatives and degrees 1 and 2 agree with the twin") {
  for (const Hostile& sample : hostile_samples()) {
    const KernelRegression regression(samples_of(sample));
    for (const Kernel kernel : {Kernel::gaussian, Kernel::triweight, Kernel::laplace})
      for (const std::size_t degree : {0u, 1u, 2u}) {
        Smoother smoother;
        smoother.kernel = kernel;
        smoother.bandwidth = Bandwidth::number(sample.h);
        smoother.degree = degree;
        RegressionRequest request;
        request.standard_error = request.effective_size = true;
        request.derivative = degree > 0;
        const RegressionResult twin = support::twin(regression, smoother, request);
        const Method line = kernel == Kernel::triweight ? Method::window : Method::series;
        for (const Method method : {Method::automatic, Method::direct, line}) {
          if (method == line && degree == 0) continue;
          smoother.method = method;
          INFO(std::string(sample.name));
          CAPTURE(name_of(kernel));
          CAPTURE(name_of(method));
          CAPTURE(degree);
          const RegressionResult fast = regression.evaluate(smoother, request);
          CHECK(fast.empty_windows == twin.empty_windows);
          CHECK(fast.lowered_degrees == twin.lowered_degrees);
          // Where a parabola bridges two clusters, terms that are much larger than the result cancel.
          const double bound = method == line ? 1e-10 : 1e-11;
          const auto near = [&](const TensorView& actual, const TensorView& expected) {
            const support::Closeness closeness(actual, expected, bound * support::scale_of(expected));
            CHECK_MESSAGE(closeness.ok(), closeness.worst());
          };
          near(fast.fit, twin.fit);
          near(*fast.effective_size, *twin.effective_size);
          // A polynomial continued over 1e17 bandwidths to a sample that is left out has no digits.
          const bool continues = degree > 0 && support::scale_of(column_of(sample.x, "x")) > 1e15 * sample.h;
          if (!continues) near(*fast.standard_error, *twin.standard_error);
          if (degree > 0) near(*fast.derivative, *twin.derivative);
        }
      }
  }
}
