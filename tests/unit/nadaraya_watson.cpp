// Kernel regression: the engines against the naive twin, identities, and the rulings for windows that cannot answer.
#include <attn/core/error.hpp>
#include <attn/regression/nadaraya_watson.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "support/closeness.hpp"
#include "support/execution.hpp"
#include "support/random.hpp"

using namespace attn;
using support::reference;

namespace {

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

TensorView as_tensor(const std::vector<double>& values, const char* name) {
  Tensor tensor(DType::f64, {values.size()});
  std::copy(values.begin(), values.end(), tensor.data_as<double>());
  return tensor.view(name);
}

}  // namespace

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
