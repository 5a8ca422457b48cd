// Widths by neighbours: sums over runs of samples against rows of weights.
#include <attn/core/execution.hpp>
#include <attn/regression/nadaraya_watson.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "support/closeness.hpp"
#include "support/random.hpp"

using namespace attn;

namespace {

struct SampleSet {
  const char* what;
  std::size_t n;
  double (*place)(support::Random& random, std::size_t i);
};
const SampleSet sample_sets[] = {
    {"even", 700, [](support::Random& random, std::size_t) { return random.uniform(); }},
    {"few", 20, [](support::Random& random, std::size_t) { return random.uniform(); }},
    {"far from 0", 500, [](support::Random& random, std::size_t) { return 1e6 + random.uniform(); }},
    {"ties", 600, [](support::Random& random, std::size_t) { return std::floor(20 * random.uniform()); }},
    {"clusters", 640,
     [](support::Random& random, std::size_t i) { return static_cast<double>(i % 20) + 1e-4 * random.uniform(); }},
    {"heavy tails", 500,
     [](support::Random& random, std::size_t) { return random.normal() / (0.01 + random.uniform()); }}};

Method runs_method(Kernel kernel) { return is_compact(kernel) ? Method::window : Method::series; }

void expect_same(const std::optional<TensorView>& actual, const std::optional<TensorView>& expected, double bound) {
  REQUIRE(actual.has_value() == expected.has_value());
  if (!actual) return;
  const double *a = actual->contiguous_data<double>(), *b = expected->contiguous_data<double>();
  double worst = 0;
  for (std::size_t i = 0; i < actual->size(); ++i) {
    const bool is_same = std::isnan(a[i]) && std::isnan(b[i]);
    const double off = is_same ? 0 : std::abs(a[i] - b[i]) / (1 + std::abs(b[i]));
    worst = std::isnan(off) ? HUGE_VAL : std::max(worst, off);
  }
  CHECK(worst <= bound);
}

}  // namespace

TEST_CASE("widths by neighbours: sums over runs of samples are those of rows of weights") {
  support::Random random(31);
  for (const SampleSet& data : sample_sets)
    for (const Kernel kernel : all_kernels())
      for (std::size_t degree = 0; degree <= 2; ++degree) {
        if (kernel == Kernel::constant) continue;
        const std::size_t n = data.n;
        Tensor x(DType::f64, {n}), weights(DType::f64, {n}), q(DType::f64, {40});
        for (std::size_t i = 0; i < n; ++i) {
          x.data_as<double>()[i] = data.place(random, i);
          weights.data_as<double>()[i] = random.uniform() < 0.2 ? 0 : 0.1 + random.uniform();
        }
        for (std::size_t i = 0; i < 40; ++i)
          q.data_as<double>()[i] = x.data_as<double>()[random.between(0, n - 1)] + (i % 2 == 0 ? 0 : 0.01);
        const bool is_weighted = random.uniform() < 0.5;
        Samples samples{x.view("x"), random.tensor(DType::f64, {n, 2}), std::nullopt};
        if (is_weighted) samples.weights = weights.view("weights");
        const KernelRegression regression(samples);
        CAPTURE(data.what);
        CAPTURE(name_of(kernel));
        CAPTURE(degree);
        CAPTURE(is_weighted);
        Smoother rows;
        rows.kernel = kernel;
        rows.degree = degree;
        rows.bandwidth = Bandwidth::nearest(n / 4);
        rows.causal = random.uniform() < 0.2;
        rows.method = Method::direct;
        Smoother runs = rows;
        runs.method = runs_method(kernel);
        RegressionRequest request;
        request.effective_size = request.standard_error = request.local_degree = true;
        request.derivative = degree > 0;
        const RegressionResult actual = regression.evaluate(q.view("q"), runs, request);
        const RegressionResult expected = regression.evaluate(q.view("q"), rows, request);
        CHECK(actual.method == runs.method);
        expect_same(actual.fit, expected.fit, 1e-9);
        expect_same(actual.effective_size, expected.effective_size, 1e-8);
        expect_same(actual.standard_error, expected.standard_error, 1e-7);
        for (std::size_t i = 0; i < 40; ++i)
          CHECK(actual.local_degree->contiguous_data<std::int64_t>()[i] ==
                expected.local_degree->contiguous_data<std::int64_t>()[i]);
        RegressionRequest left;
        left.leave_one_out = true;
        expect_same(regression.evaluate(runs, left).fit, regression.evaluate(rows, left).fit, 1e-8);
        RegressionRequest own;
        own.self_weight = true;
        expect_same(regression.evaluate(runs, own).self_weight, regression.evaluate(rows, own).self_weight, 1e-8);
      }
}

TEST_CASE("widths by neighbours: the same bits for any number of threads, alone and among others") {
  support::Random random(32);
  const std::size_t n = 3000;
  const TensorView x = random.tensor(DType::f64, {n}), y = random.tensor(DType::f64, {n});
  const KernelRegression regression({x, y, std::nullopt});
  for (const Kernel kernel : {Kernel::gaussian, Kernel::tricube, Kernel::laplace}) {
    Smoother smoother;
    smoother.kernel = kernel;
    smoother.degree = 1;
    smoother.method = runs_method(kernel);
    smoother.bandwidth = Bandwidth::nearest(700);
    Execution one, three;
    ThreadPool pool(3);
    three.pool = &pool;
    const TensorView all = regression.evaluate(smoother, {}, one).fit,
                     again = regression.evaluate(smoother, {}, three).fit;
    bool same = true;
    for (std::size_t i = 0; i < n; ++i) same = same && all.as<double, 1>()(i) == again.as<double, 1>()(i);
    CHECK(same);
    const TensorView alone = slice(x, {{17, 18}});
    CHECK(regression.evaluate(alone, smoother, {}, three).fit.as<double, 1>()(0) == all.as<double, 1>()(17));
  }
}

TEST_CASE(
    "2 to 4 columns, every kernel: fits from moments are those of rows, with neighbours, infinite widths and "
    "categories") {
  support::Random random(33);
  for (const std::size_t d : {2u, 3u, 4u})
    for (const Kernel kernel : all_kernels())
      for (const std::size_t degree : {1u, 2u})
        for (int form = 0; form < 4; ++form) {
          const std::size_t n = 300, columns = d + (form == 3 ? 1 : 0);
          Tensor x(DType::f64, {n, columns});
          for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < columns; ++j)
              x.data_as<double>()[i * columns + j] = j < d ? random.normal() : static_cast<double>(i % 3);
          Samples samples{x.view("x"), random.tensor(DType::f64, {n, 2}), std::nullopt};
          if (form == 3) samples.categories = {{d, 3}};
          const KernelRegression regression(samples);
          Smoother rows;
          rows.kernel = kernel;
          rows.degree = degree;
          std::vector<double> widths(columns, 2.5);
          if (form == 1) widths[0] = std::numeric_limits<double>::infinity();
          if (form == 3) widths[d] = 0.3;
          rows.bandwidth = form == 2 ? Bandwidth::nearest(120) : Bandwidth::per_coordinate(widths);
          rows.method = Method::direct;
          Smoother moments = rows;
          moments.method = Method::automatic;
          CAPTURE(d);
          CAPTURE(name_of(kernel));
          CAPTURE(degree);
          CAPTURE(form);
          RegressionRequest request;
          request.leave_one_out = request.derivative = request.standard_error = request.effective_size = true;
          const RegressionResult actual = regression.evaluate(moments, request);
          const RegressionResult expected = regression.evaluate(rows, request);
          expect_same(actual.fit, expected.fit, 1e-8);
          expect_same(actual.derivative, expected.derivative, 1e-7);
          expect_same(actual.standard_error, expected.standard_error, 1e-7);
          expect_same(actual.effective_size, expected.effective_size, 1e-7);
        }
}
