// Kernel regression: the engines against the careful twin, identities, and the rulings for windows that cannot answer.
#include <attn/core/error.hpp>
#include <attn/regression/nadaraya_watson.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "support/attention.hpp"
#include "support/closeness.hpp"
#include "support/execution.hpp"
#include "support/random.hpp"
#include "support/regression_twin.hpp"

using namespace attn;
using support::reference;

namespace {

// A smoothing weight is a few roundings; a sum of n of them relative to its own size n eps at worst. Solving for a
// polynomial loses up to 1e5 eps of conditioning in theory (the pivot rule), a thousand in these windows.
double fit_bound(std::size_t n, std::size_t degree, double scale) {
  return (degree == 0 ? 8.0 : 1000.0) * static_cast<double>(n) * support::epsilon<double>() * scale;
}

void check_close(const TensorView& actual, const TensorView& expected, double bound) {
  const support::Closeness near(actual, expected, bound);
  CHECK_MESSAGE(near.ok(), near.worst());
}

}  // namespace

TEST_CASE("every kernel, dimension and degree agrees with the careful twin") {
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
          const RegressionResult twin = support::twin(regression, queries, smoother, request);
          CHECK(fast.empty_windows == twin.empty_windows);
          CHECK(fast.lowered_degrees == twin.lowered_degrees);
          // Local polynomials extrapolate: their own size is the scale.
          check_close(fast.fit, twin.fit, fit_bound(n, degree, support::scale_of(twin.fit, 4)));
        }
    }
}

TEST_CASE("every method agrees with the careful twin, at queries and at the samples, with and without oneself") {
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
      const double bound = fit_bound(64, 0, support::scale_of(y));
      for (const Kernel kernel : all_kernels())
        for (const double h : {0.05, 0.4, 30.0}) {
          Smoother smoother;
          smoother.kernel = kernel;
          smoother.bandwidth = Bandwidth::number(h);
          RegressionRequest alone;
          alone.leave_one_out = true;
          const RegressionResult twin = support::twin(regression, queries, smoother);
          const RegressionResult twin_at_samples = support::twin(regression, smoother);
          const RegressionResult twin_left_out = support::twin(regression, smoother, alone);
          for (const Method method :
               {Method::automatic, Method::direct, Method::window, Method::series, Method::tree}) {
            CAPTURE(name_of(kernel));
            CAPTURE(name_of(method));
            CAPTURE(d);
            CAPTURE(h);
            CAPTURE(weighted);
            smoother.method = method;
            RegressionResult fast;
            try {
              fast = regression.evaluate(queries, smoother);
            } catch (const Error& error) {
              CHECK(error.kind() == ErrorKind::usage);
              continue;
            }
            CHECK((method == Method::automatic || fast.method == method));
            check_close(fast.fit, twin.fit, bound);
            const RegressionResult at_samples = regression.evaluate(smoother);
            CHECK(at_samples.empty_windows == twin_at_samples.empty_windows);
            check_close(at_samples.fit, twin_at_samples.fit, bound);
            const RegressionResult left_out = regression.evaluate(smoother, alone);
            CHECK(left_out.empty_windows == twin_left_out.empty_windows);
            check_close(left_out.fit, twin_left_out.fit, bound);
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

TEST_CASE("neighbours are others that take part: without oneself, of the past, with a weight") {
  support::Random random(8);
  const std::size_t n = 50;
  for (const std::size_t d : {1u, 2u}) {
    const TensorView x = random.tensor(DType::f64, {n, d}), y = random.tensor(DType::f64, {n});
    Tensor counts(DType::f64, {n});
    std::size_t counting = 0;
    for (std::size_t i = 0; i < n; ++i) {
      counts.data_as<double>()[i] = static_cast<double>(random.between(0, 1));
      counting += counts.data_as<double>()[i] > 0;
    }
    const KernelRegression all({x, y, std::nullopt}), some({x, y, counts.view("w")});
    Smoother smoother;
    smoother.kernel = Kernel::parabolic;
    RegressionRequest left_out, errors;
    left_out.leave_one_out = true;
    errors.standard_error = true;
    const auto with = [&](std::size_t k) {
      smoother.bandwidth = Bandwidth::nearest(k);
      return smoother;
    };
    CHECK_NOTHROW(all.evaluate(with(n), errors));
    CHECK_THROWS_AS(all.evaluate(with(n + 1)), Error);
    CHECK_NOTHROW(all.evaluate(with(n - 1), left_out));
    CHECK_THROWS_AS(all.evaluate(with(n), left_out), Error);
    CHECK_NOTHROW(some.evaluate(with(counting)));
    CHECK_THROWS_AS(some.evaluate(with(counting + 1)), Error);
    // Samples of weight 0 are no neighbours: as if they were not there.
    std::vector<double> kept_x, kept_y;
    for (std::size_t i = 0; i < n; ++i) {
      if (counts.data_as<double>()[i] == 0) continue;
      for (std::size_t j = 0; j < d; ++j) kept_x.push_back(x.as<double, 2>()(i, j));
      kept_y.push_back(y.as<double, 1>()(i));
    }
    const TensorView few_x = reshaped(as_tensor(kept_x, "x"), {counting, d}), few_y = as_tensor(kept_y, "y");
    const TensorView queries = random.tensor(DType::f64, {20, d});
    check_close(some.evaluate(queries, with(5)).fit,
                KernelRegression({few_x, few_y, std::nullopt}).evaluate(queries, with(5)).fit, 1e-14);
    // In time, the future changes nothing.
    smoother.causal = true;
    std::vector<double> past_x, past_y;
    for (std::size_t i = 0; i < n; ++i) {
      if (x.as<double, 2>()(i, 0) > 0) continue;
      for (std::size_t j = 0; j < d; ++j) past_x.push_back(x.as<double, 2>()(i, j));
      past_y.push_back(y.as<double, 1>()(i));
    }
    const KernelRegression past(
        {reshaped(as_tensor(past_x, "x"), {past_y.size(), d}), as_tensor(past_y, "y"), std::nullopt});
    const TensorView now = Tensor::zeros(DType::f64, {1, d}).view();
    check_close(all.evaluate(now, with(5)).fit, past.evaluate(now, with(5)).fit, 1e-14);
    check_close(all.evaluate(queries, with(5)).fit, support::twin(all, queries, with(5)).fit, 1e-13);
  }
}

TEST_CASE("the K-th neighbour is at u = 1, whatever rounding says: kernels that are 0 there give it no weight") {
  support::Random random(13);
  for (const std::size_t d : {1u, 2u, 3u}) {
    const KernelRegression one({random.tensor(DType::f64, {1, d}), as_tensor({5}, "y"), std::nullopt});
    const TensorView queries = random.tensor(DType::f64, {200, d});
    for (const Kernel kernel : all_kernels()) {
      Smoother smoother;
      smoother.kernel = kernel;
      smoother.bandwidth = Bandwidth::nearest(1);
      const std::size_t expected = is_compact(kernel) && kernel != Kernel::boxcar ? 200 : 0;
      CAPTURE(name_of(kernel));
      CHECK(one.evaluate(queries, smoother).empty_windows == expected);
      CHECK(support::twin(one, queries, smoother).empty_windows == expected);
    }
  }
}

TEST_CASE("polynomials that as many samples determine go through them, whatever they weigh and wherever they are") {
  for (const double offset : {0.0, 1e6})
    for (const double fade : {1.0, 1e-8, 1e-15, 1e-23}) {
      const TensorView x = as_tensor({offset, offset + 1, offset + 3}, "x"), y = as_tensor({2, -1, 5}, "y");
      const TensorView weights = as_tensor({1, fade, 0.3 * fade}, "w");
      const TensorView q = as_tensor({offset + 0.25, offset + 2, offset + 7}, "q");
      CAPTURE(offset);
      CAPTURE(fade);
      Smoother smoother;
      smoother.kernel = Kernel::constant;
      smoother.degree = 2;
      RegressionRequest request;
      request.derivative = true;
      const KernelRegression regression({x, y, weights});
      // Lagrange: 2 (t-1)(t-3)/3 + t (t-3)/2 + 5 t (t-1)/6 and its slope.
      for (const auto& execution : {Execution{}, reference()}) {
        const RegressionResult result = regression.evaluate(q, smoother, request, execution);
        CHECK(result.lowered_degrees == 0);
        for (std::size_t i = 0; i < 3; ++i) {
          const double t = q.as<double, 1>()(i) - offset;
          const double fit = 2 * (t - 1) * (t - 3) / 3 + t * (t - 3) / 2 + 5 * t * (t - 1) / 6;
          const double slope = 2 * (2 * t - 4) / 3 + (2 * t - 3) / 2 + 5 * (2 * t - 1) / 6;
          CHECK(std::abs(result.fit.as<double, 1>()(i) - fit) < 1e-12 * 60);
          CHECK(std::abs(result.derivative->as<double, 2>()(i, 0) - slope) < 1e-12 * 60);
        }
      }
    }
  // A Gaussian so narrow that the line goes through the two nearest samples, far beyond the rounding of its weights.
  const TensorView x = as_tensor({0, 1, 2.5}, "x"), y = as_tensor({3, 7, 1}, "y"), q = as_tensor({0.25, 1.9}, "q");
  Smoother narrow;
  narrow.bandwidth = Bandwidth::number(0.2);
  narrow.degree = 1;
  for (const auto& execution : {Execution{}, reference()})
    check_close(KernelRegression({x, y, std::nullopt}).evaluate(q, narrow, {}, execution).fit,
                as_tensor({4, 7 - 0.6 * 6}, "line"), 1e-9);
  // Two places carry a line and no parabola, however many samples lie there.
  const KernelRegression two({as_tensor({1, 1, 1, 4, 4}, "x"), as_tensor({0, 1, 2, 5, 7}, "y"), std::nullopt});
  Smoother wide;
  wide.kernel = Kernel::constant;
  wide.degree = 2;
  const RegressionResult line = two.evaluate(q, wide);
  CHECK(line.lowered_degrees == 2);
  check_close(line.fit, as_tensor({1 + (0.25 - 1) * 5 / 3, 1 + (1.9 - 1) * 5 / 3}, "line"), 1e-13);
}

TEST_CASE("many samples in space: what the tree reaches is all that direct tiles find, on the border too") {
  support::Random random(9);
  const std::size_t n = 6000, m = 1500;
  for (const std::size_t d : {2u, 3u})
    for (const bool on_lattice : {false, true}) {
      // On the lattice many samples lie exactly one bandwidth from a query.
      const auto fill = [&](std::size_t rows) {
        Tensor x(DType::f64, {rows, d});
        for (std::size_t i = 0; i < rows * d; ++i)
          x.data_as<double>()[i] = on_lattice ? static_cast<double>(random.between(0, 31)) / 16 : 2 * random.uniform();
        return x.view();
      };
      const TensorView x = fill(n), q = fill(m), y = random.tensor(DType::f64, {n});
      const KernelRegression regression({x, y, std::nullopt});
      for (const Kernel kernel : {Kernel::boxcar, Kernel::triangular, Kernel::gaussian}) {
        Smoother smoother;
        smoother.kernel = kernel;
        smoother.bandwidth = Bandwidth::number(kernel == Kernel::gaussian ? 0.03125 : 0.1875);
        smoother.method = Method::direct;
        const RegressionResult direct = regression.evaluate(q, smoother);
        smoother.method = Method::tree;
        const RegressionResult found = regression.evaluate(q, smoother);
        CAPTURE(d);
        CAPTURE(on_lattice);
        CAPTURE(name_of(kernel));
        CHECK(found.empty_windows == direct.empty_windows);
        check_close(found.fit, direct.fit, fit_bound(8, 0, support::scale_of(y)));
      }
    }
}

TEST_CASE("kernels of finite width are closed in the plane too: a lattice knows who is in") {
  constexpr std::size_t n = 400, m = 100;
  support::Random random(17);
  std::vector<double> x(2 * n), q(2 * m), y(n);
  for (double& place : x) place = static_cast<double>(random.between(0, 12));
  for (double& place : q) place = static_cast<double>(random.between(0, 12));
  for (double& value : y) value = static_cast<double>(random.between(0, 1000));
  const TensorView at = reshaped(as_tensor(q, "q"), {m, 2});
  const KernelRegression regression({reshaped(as_tensor(x, "x"), {n, 2}), as_tensor(y, "y"), std::nullopt});
  for (const double h : {5.0, 10.0, 13.0}) {
    std::vector<double> mean;
    for (std::size_t i = 0; i < m; ++i) {
      double count = 0, sum = 0;
      for (std::size_t j = 0; j < n; ++j) {
        const double a = x[2 * j] - q[2 * i], b = x[2 * j + 1] - q[2 * i + 1];
        if (a * a + b * b > h * h) continue;
        ++count;
        sum += y[j];
      }
      mean.push_back(sum / count);
    }
    Smoother smoother;
    smoother.kernel = Kernel::boxcar;
    smoother.bandwidth = Bandwidth::number(h);
    const auto check = [&](const Execution& execution) {
      check_close(regression.evaluate(at, smoother, {}, execution).fit, as_tensor(mean, "mean"), fit_bound(8, 0, 1000));
    };
    check(reference());
    support::for_each_isa([&](const Execution& execution) {
      for (const Method method : {Method::direct, Method::tree}) {
        smoother.method = method;
        CAPTURE(h);
        CAPTURE(name_of(method));
        check(execution);
      }
    });
  }
}

TEST_CASE("a tolerance drops weights, and no more of them than it says") {
  support::Random random(6);
  for (const std::size_t d : {2u, 3u}) {
    const std::size_t n = 3000;
    Tensor x(DType::f64, {n, d});
    // Half in a clump: what is far away of most queries is most of the samples.
    for (std::size_t i = 0; i < n * d; ++i)
      x.data_as<double>()[i] = (i / d) % 2 == 0 ? 0.02 * random.normal() : 4 * random.uniform();
    const TensorView y = random.tensor(DType::f64, {n});
    const KernelRegression regression({x.view("x"), y, std::nullopt});
    Smoother smoother;
    smoother.bandwidth = Bandwidth::number(0.15);
    smoother.method = Method::direct;
    const TensorView exact = regression.evaluate(smoother).fit;
    // Weights that are dropped count at most as much as the whole range of y.
    double low = 0, high = 0;
    for (std::size_t i = 0; i < n; ++i) {
      low = std::min(low, y.as<double, 1>()(i));
      high = std::max(high, y.as<double, 1>()(i));
    }
    for (const Method method : {Method::automatic, Method::direct, Method::tree})
      for (const double tolerance : {0.1, 1e-3, 1e-8}) {
        smoother.method = method;
        smoother.tolerance = tolerance;
        const TensorView fit = regression.evaluate(smoother).fit;
        double worst = 0;
        for (std::size_t i = 0; i < n; ++i)
          worst = std::max(worst, std::abs(fit.as<double, 1>()(i) - exact.as<double, 1>()(i)));
        CAPTURE(name_of(method));
        CAPTURE(d);
        CAPTURE(tolerance);
        CHECK(worst <= tolerance * (high - low));
        if (method == Method::tree) CHECK((tolerance < 1e-2 || worst > 1e-12));
        if (method == Method::direct) CHECK(worst == 0);
      }
  }
}

TEST_CASE("the reference engine's formula is the careful twin's within 1e-12, at the samples too") {
  support::Random random(19);
  for (const std::size_t d : {1u, 2u}) {
    const KernelRegression regression(
        {random.tensor(DType::f64, {300, d}), random.tensor(DType::f64, {300, 2}), std::nullopt});
    const TensorView queries = random.tensor(DType::f64, {40, d});
    for (const Kernel kernel : all_kernels())
      for (const std::size_t degree : {0u, 1u, 2u})
        for (const Bandwidth& bandwidth : {Bandwidth::number(0.8), Bandwidth::nearest(60)}) {
          CAPTURE(d);
          CAPTURE(name_of(kernel));
          CAPTURE(degree);
          Smoother smoother;
          smoother.kernel = kernel;
          smoother.bandwidth = bandwidth;
          smoother.degree = degree;
          RegressionRequest request;
          request.derivative = request.effective_size = true;
          const auto near = [](const TensorView& actual, const TensorView& expected) {
            check_close(actual, expected, 1e-12 * support::scale_of(expected));
          };
          const RegressionResult formula = regression.evaluate(queries, smoother, request, reference()),
                                 twin = support::twin(regression, queries, smoother, request);
          CHECK(formula.lowered_degrees == twin.lowered_degrees);
          near(formula.fit, twin.fit);
          near(*formula.derivative, *twin.derivative);
          near(*formula.effective_size, *twin.effective_size);
          request.leave_one_out = request.self_weight = true;
          const RegressionResult left_out = regression.evaluate(smoother, request, reference()),
                                 twin_left_out = support::twin(regression, smoother, request);
          near(left_out.fit, twin_left_out.fit);
          near(*left_out.self_weight, *twin_left_out.self_weight);
        }
  }
}
