// Kernel regression: the engines against the naive twin, identities, and the rulings for windows that cannot answer.
#include <attn/core/error.hpp>
#include <attn/regression/nadaraya_watson.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "support/closeness.hpp"
#include "support/random.hpp"

using namespace attn;

namespace {

Execution reference() {
  Execution execution;
  execution.engine = Engine::reference;
  return execution;
}

// A smoothing weight is a few roundings; a sum of n of them relative to its own size n eps at worst. Solving for a
// polynomial loses up to 1e10 eps of conditioning in theory (the pivot rule), a thousand in these windows.
double fit_bound(std::size_t n, std::size_t degree, double scale) {
  return (degree == 0 ? 8.0 : 1000.0) * static_cast<double>(n) * support::epsilon<double>() * scale;
}

void check_close(const TensorView& actual, const TensorView& expected, double bound) {
  const support::Closeness near(actual, expected, bound);
  CHECK_MESSAGE(near.ok(), near.worst());
}

}  // namespace

TEST_CASE("every kernel, dimension and degree agrees with the naive twin") {
  support::Random random(1);
  for (const std::size_t d : {1u, 2u, 3u})
    for (const std::size_t n : {1u, 2u, 7u, 150u}) {
      Samples samples{random.tensor(DType::f64, {n, d}), random.tensor(DType::f64, {n, 2}), std::nullopt};
      const KernelRegression regression(samples);
      const TensorView queries = random.tensor(DType::f64, {33, d});
      for (const Kernel kernel : all_kernels())
        for (const std::size_t degree : {0u, 1u, 2u}) {
          CAPTURE(name_of(kernel));
          CAPTURE(d);
          CAPTURE(n);
          CAPTURE(degree);
          Smoother smoother;
          smoother.kernel = kernel;
          smoother.bandwidth = Bandwidth::number(0.9);
          smoother.degree = degree;
          RegressionRequest request;
          request.effective_size = true;
          const RegressionResult fast = regression.evaluate(queries, smoother, request);
          const RegressionResult twin = regression.evaluate(queries, smoother, request, reference());
          CHECK(fast.empty_windows == twin.empty_windows);
          CHECK(fast.lowered_degrees == twin.lowered_degrees);
          // Local polynomials extrapolate: their own size is the scale.
          check_close(fast.fit, twin.fit, fit_bound(n, degree, support::scale_of(twin.fit, 4)));
        }
    }
}

TEST_CASE("every method agrees with the naive twin, at queries and at the samples, with and without oneself") {
  support::Random random(2);
  for (const std::size_t d : {1u, 2u, 3u}) {
    const std::size_t n = 230;
    const TensorView x = random.tensor(DType::f64, {n, d}), y = random.tensor(DType::f64, {n, 3});
    Tensor counts(DType::f64, {n});
    for (std::size_t i = 0; i < n; ++i) counts.data_as<double>()[i] = static_cast<double>(random.between(0, 3));
    const TensorView queries = random.tensor(DType::f64, {71, d});
    for (const bool weighted : {false, true}) {
      Samples samples{x, y, std::nullopt};
      if (weighted) samples.weights = counts.view("weights");
      const KernelRegression regression(samples);
      for (const Kernel kernel : all_kernels())
        for (const Method method :
             {Method::automatic, Method::direct, Method::window, Method::series, Method::cells, Method::tree})
          for (const double h : {0.05, 0.4, 30.0}) {
            CAPTURE(name_of(kernel));
            CAPTURE(name_of(method));
            CAPTURE(d);
            CAPTURE(h);
            CAPTURE(weighted);
            Smoother smoother;
            smoother.kernel = kernel;
            smoother.bandwidth = Bandwidth::number(h);
            smoother.method = method;
            RegressionRequest request;
            const double bound = fit_bound(64, 0, support::scale_of(y));
            try {
              const RegressionResult fast = regression.evaluate(queries, smoother, request);
              CHECK((method == Method::automatic || fast.method == method));
              check_close(fast.fit, regression.evaluate(queries, smoother, request, reference()).fit, bound);
            } catch (const Error& error) {
              CHECK(error.kind() == ErrorKind::usage);
              continue;
            }
            for (const bool leave_one_out : {false, true}) {
              CAPTURE(leave_one_out);
              request.leave_one_out = leave_one_out;
              const RegressionResult fast = regression.evaluate(smoother, request);
              const RegressionResult twin = regression.evaluate(smoother, request, reference());
              CHECK(fast.empty_windows == twin.empty_windows);
              check_close(fast.fit, twin.fit, bound);
            }
          }
    }
  }
}

TEST_CASE("many samples: pieces and segments join without a seam, whatever the threads") {
  support::Random random(3);
  const std::size_t n = 40000;
  Tensor x(DType::f64, {n});
  for (std::size_t i = 0; i < n; ++i) x.data_as<double>()[i] = random.normal();
  const TensorView y = random.tensor(DType::f64, {n}), few = random.tensor(DType::f64, {500});
  Tensor many(DType::f64, {n});
  for (std::size_t i = 0; i < n; ++i)
    many.data_as<double>()[i] = i < 500 ? few.contiguous_data<double>()[i] : random.normal();
  const KernelRegression regression({x.view("x"), y, std::nullopt});
  ThreadPool pool(3);
  Execution threads;
  threads.pool = &pool;
  for (const Kernel kernel : all_kernels())
    for (const double h : {0.003, 0.3}) {
      CAPTURE(name_of(kernel));
      CAPTURE(h);
      Smoother smoother;
      smoother.kernel = kernel;
      smoother.bandwidth = Bandwidth::number(h);
      const RegressionResult one = regression.evaluate(many.view(), smoother);
      const RegressionResult other = regression.evaluate(many.view(), smoother, {}, threads);
      CHECK(one.method != Method::direct);
      smoother.method = Method::direct;
      const RegressionResult direct = regression.evaluate(few, smoother);
      const auto fit = one.fit.as<double, 1>(), same = other.fit.as<double, 1>(), exact = direct.fit.as<double, 1>();
      std::size_t different_bits = 0;
      for (std::size_t i = 0; i < n; ++i)
        different_bits += fit(i) != same(i) && !(std::isnan(fit(i)) && std::isnan(same(i)));
      CHECK(different_bits == 0);
      double worst = 0;
      for (std::size_t i = 0; i < 500; ++i) {
        CHECK(std::isnan(fit(i)) == std::isnan(exact(i)));
        if (!std::isnan(exact(i))) worst = std::max(worst, std::abs(fit(i) - exact(i)));
      }
      CHECK(worst < support::bound::outside_f64 * support::scale_of(y));
    }
}

namespace {

// Samples that break running sums, Gram matrices and expansions: what they are, and the bandwidth to use.
struct Hostile {
  const char* name;
  std::vector<double> x, y;
  double h;
};

std::vector<Hostile> hostile_samples() {
  support::Random random(4);
  const std::size_t n = 300;
  std::vector<Hostile> all;
  const auto make = [&](const char* name, double h, auto x_of, auto y_of) {
    Hostile sample{name, {}, {}, h};
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
  return all;
}

TensorView as_tensor(const std::vector<double>& values, const char* name) {
  Tensor tensor(DType::f64, {values.size()});
  std::copy(values.begin(), values.end(), tensor.data_as<double>());
  return tensor.view(name);
}

}  // namespace

TEST_CASE("hostile samples: every method agrees with the twin, and results lie among the values") {
  for (const Hostile& sample : hostile_samples()) {
    const TensorView x = as_tensor(sample.x, "x"), y = as_tensor(sample.y, "y");
    const KernelRegression regression({x, y, std::nullopt});
    // At the samples, between them, and far from all.
    std::vector<double> places = sample.x;
    for (std::size_t i = 4; i < sample.x.size(); i += 3) places.push_back(0.5 * sample.x[i] + 0.5 * sample.x[i - 1]);
    for (const double far : {-1e3, 30.0, 1e5, 1e30}) places.push_back(sample.x[0] + far * sample.h);
    const TensorView queries = as_tensor(places, "q");
    const auto [low, high] = std::minmax_element(sample.y.begin(), sample.y.end());
    for (const Kernel kernel : all_kernels())
      for (const Method method : {Method::automatic, Method::direct, Method::window, Method::series}) {
        Smoother smoother;
        smoother.kernel = kernel;
        smoother.bandwidth = Bandwidth::number(sample.h);
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
        const RegressionResult twin = regression.evaluate(queries, smoother, {}, reference());
        CHECK(fast.empty_windows == twin.empty_windows);
        const auto fit = fast.fit.as<double, 1>(), expected = twin.fit.as<double, 1>();
        double worst = 0;
        for (std::size_t i = 0; i < places.size(); ++i) {
          CHECK(std::isnan(fit(i)) == std::isnan(expected(i)));
          if (std::isnan(fit(i))) continue;
          CHECK((fit(i) >= *low && fit(i) <= *high));
          // The scale is that of the values in reach.
          double scale = 4;
          for (std::size_t k = 0; k < sample.x.size(); ++k)
            if (!is_compact(kernel) || std::abs(sample.x[k] - places[i]) <= sample.h)
              scale = std::max(scale, std::abs(sample.y[k]));
          worst = std::max(worst, std::abs(fit(i) - expected(i)) / scale);
        }
        CHECK(worst < support::bound::outside_f64);
        RegressionRequest request;
        request.leave_one_out = true;
        const RegressionResult left_out = regression.evaluate(smoother, request);
        const RegressionResult twin_left_out = regression.evaluate(smoother, request, reference());
        CHECK(left_out.empty_windows == twin_left_out.empty_windows);
      }
  }
}

TEST_CASE("denormal weights count as their ratios do, and a weight of zero takes no part whatever its value") {
  const TensorView x = as_tensor({0, 1, 2, 3}, "x"), y = as_tensor({1, 5, std::nan(""), 2}, "y");
  const TensorView tiny = as_tensor({4e-320, 8e-320, 0, 4e-320}, "w"), plain = as_tensor({1, 2, 0, 1}, "w");
  for (const Kernel kernel : all_kernels()) {
    Smoother smoother;
    smoother.kernel = kernel;
    smoother.bandwidth = Bandwidth::number(2.5);
    const RegressionResult small = KernelRegression({x, y, tiny}).evaluate(smoother);
    const RegressionResult usual = KernelRegression({x, y, plain}).evaluate(smoother);
    check_close(small.fit, usual.fit, 1e-3);  // a denormal has few digits: 4e-320 has 13 bits
    for (std::size_t i = 0; i < 4; ++i) CHECK(std::isfinite(usual.fit.as<double, 1>()(i)));
  }
}
