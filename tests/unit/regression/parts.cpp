// Parts of a regression for many machines: rows of queries, leaves of the criterion, sums over leaves of samples.
#include <attn/core/shape.hpp>
#include <attn/regression/bandwidth_selection.hpp>
#include <attn/regression/partial_sums.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/random.hpp"

using namespace attn;

namespace {

struct Data {
  Tensor x, y, q;
};

Data data_of(std::size_t n, std::size_t d, std::size_t m) {
  support::Random random(5);
  Data data{Tensor(DType::f64, {n, d}), Tensor(DType::f64, {n}), Tensor(DType::f64, {m, d})};
  for (std::size_t i = 0; i < n * d; ++i) data.x.data_as<double>()[i] = random.uniform();
  for (std::size_t i = 0; i < n; ++i)
    data.y.data_as<double>()[i] = std::sin(6 * data.x.data_as<double>()[i * d]) + 0.1 * random.normal();
  for (std::size_t i = 0; i < m * d; ++i) data.q.data_as<double>()[i] = random.uniform();
  return data;
}

Smoother smoother_of(Kernel kernel, double h, std::size_t degree = 0) {
  Smoother smoother;
  smoother.kernel = kernel;
  smoother.bandwidth = Bandwidth::number(h);
  smoother.degree = degree;
  return smoother;
}

}  // namespace

TEST_CASE("rows of a part have the bits that they have among all queries") {
  for (const std::size_t d : {1u, 2u})
    for (const Kernel kernel : {Kernel::gaussian, Kernel::parabolic, Kernel::tricube})
      for (const std::size_t degree : {0u, 1u}) {
        const std::size_t m = 301;
        Data data = data_of(2000, d, m);
        const KernelRegression regression({data.x.view("x"), data.y.view("y"), std::nullopt});
        const Smoother smoother = smoother_of(kernel, 0.2, degree);
        RegressionRequest request;
        request.standard_error = request.effective_size = true;
        const RegressionResult whole = regression.evaluate(data.q.view("q"), smoother, request);
        for (const std::size_t cut : {0u, 64u, 100u, 301u}) {
          for (const auto& [first, last] : {std::pair{std::size_t{0}, cut}, {cut, m}}) {
            request.first = first;
            request.last = last;
            const RegressionResult part = regression.evaluate(data.q.view("q"), smoother, request);
            REQUIRE(part.fit.shape == Shape{last - first});
            for (const auto& [a, b] : {std::pair{part.fit, whole.fit},
                                       {*part.standard_error, *whole.standard_error},
                                       {*part.effective_size, *whole.effective_size}}) {
              const double* all = b.contiguous_data<double>() + first;
              CHECK(std::equal(all, all + (last - first), a.contiguous_data<double>()));
            }
          }
        }
      }
}

TEST_CASE("leaves of the criterion give its bits, for any split") {
  for (const std::size_t d : {1u, 2u})
    for (const Kernel kernel : {Kernel::gaussian, Kernel::triangular})
      for (const std::size_t degree : {0u, 1u}) {
        const std::size_t n = degree == 0 ? 9000 : 5000;
        Data data = data_of(n, d, 1);
        const KernelRegression regression({data.x.view("x"), data.y.view("y"), std::nullopt});
        const Smoother smoother = smoother_of(kernel, 0.02, degree);
        for (const std::size_t cut : {0u, 1u, 2u, 3u}) {
          std::vector<double> loss, weight;
          for (const LeafRange leaves : {LeafRange{0, cut}, LeafRange{cut, leaves_of(n)}}) {
            if (leaves.first > leaves.last) continue;
            const std::vector<LeafSums> sums = leave_one_out_loss(regression, smoother, Loss::squared, leaves);
            REQUIRE(sums.size() == 1);
            loss.insert(loss.end(), sums[0].loss.begin(), sums[0].loss.end());
            weight.insert(weight.end(), sums[0].weight.begin(), sums[0].weight.end());
          }
          CHECK(loss.size() == leaves_of(n));
          CHECK(tree_sum(loss) / tree_sum(weight) ==
                bandwidth_criterion(regression, smoother, Criterion::leave_one_out, Loss::squared));
        }
      }
}

TEST_CASE("a grid of widths is evaluated as it is, and its first best width taken") {
  Data data = data_of(500, 1, 1);
  const KernelRegression regression({data.x.view("x"), data.y.view("y"), std::nullopt});
  SelectionParameters parameters;
  parameters.grid = width_grid(0.01, 1, 5);
  CHECK(parameters.grid == std::vector<double>{0.01, 0.0316227766, 0.1, 0.316227766, 1});
  const Selection chosen = select_bandwidth(regression, smoother_of(Kernel::gaussian, 1), parameters);
  const double* row = chosen.curve->contiguous_data<double>();
  REQUIRE(chosen.curve->shape == Shape{5, 3});
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(row[3 * i] == parameters.grid[i]);
    CHECK(row[3 * i + 1] == bandwidth_criterion(regression, smoother_of(Kernel::gaussian, parameters.grid[i]),
                                                Criterion::leave_one_out, Loss::squared));
    CHECK(chosen.criterion <= row[3 * i + 1]);
  }
}

TEST_CASE("sums over parts of the samples add to the fit and the effective size") {
  support::Random random(9);
  for (const std::size_t d : {1u, 2u})
    for (const Kernel kernel : {Kernel::gaussian, Kernel::laplace, Kernel::parabolic, Kernel::boxcar}) {
      const std::size_t n = 900, m = 40, cut = 317;
      Data data = data_of(n, d, m);
      Tensor weights(DType::f64, {n});
      for (std::size_t i = 0; i < n; ++i) weights.data_as<double>()[i] = 3 * random.uniform();
      const Smoother smoother = smoother_of(kernel, 0.3);
      const KernelRegression regression({data.x.view("x"), data.y.view("y"), weights.view("weights")});
      RegressionRequest request;
      request.effective_size = true;
      const RegressionResult whole = regression.evaluate(data.q.view("q"), smoother, request);
      std::vector<double> w(m), ww(m), wy(m);
      for (const auto& [first, last] : {std::pair<std::int64_t, std::int64_t>{0, cut}, {cut, n}}) {
        const auto part = [&, first = first, last = last](const Tensor& x) {
          return slice(x.view("part"), {{first, last}});
        };
        const PartialSums sums =
            partial_sums(Samples{part(data.x), part(data.y), part(weights)}, data.q.view("q"), smoother);
        for (std::size_t i = 0; i < m; ++i) {
          const double factor = std::exp(sums.log_factor[i]);
          w[i] += factor * sums.weight[i];
          ww[i] += factor * factor * sums.square[i];
          wy[i] += factor * sums.values[2 * i];
        }
      }
      for (std::size_t i = 0; i < m; ++i) {
        CHECK(wy[i] / w[i] == doctest::Approx(whole.fit.contiguous_data<double>()[i]).epsilon(1e-12));
        CHECK(w[i] * w[i] / ww[i] ==
              doctest::Approx(whole.effective_size->contiguous_data<double>()[i]).epsilon(1e-12));
      }
    }
}
