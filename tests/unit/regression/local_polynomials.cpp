// Local polynomials where they are hardest: at sparse edges, between clusters and beyond all samples.
#include <attn/regression/weights.hpp>

#include <doctest/doctest.h>

#include <cmath>

#include "support/closeness.hpp"
#include "support/execution.hpp"
#include "support/random.hpp"
#include "support/regression_twin.hpp"

using namespace attn;

namespace {

constexpr std::size_t samples = 60, queries = 90;

// Most samples near each other, some sparse on both sides, d coordinates alike.
Samples sparse_samples(std::size_t d, double offset) {
  support::Random random(17);
  Tensor x(DType::f64, {samples, d}), y(DType::f64, {samples});
  for (std::size_t i = 0; i < samples; ++i) {
    const double reach = i % 10 == 0 ? 6 : 1;
    for (std::size_t j = 0; j < d; ++j) x.data_as<double>()[i * d + j] = offset + reach * (random.uniform() - 0.5);
    y.data_as<double>()[i] = 2 + random.normal();
  }
  return {x.view("x"), y.view("y"), std::nullopt};
}

TensorView places_around(std::size_t d, double offset) {
  support::Random random(18);
  Tensor q(DType::f64, {queries, d});
  for (std::size_t i = 0; i < queries * d; ++i)
    q.data_as<double>()[i] = offset + (i < queries * d / 3       ? 1
                                       : i < queries * d * 2 / 3 ? 4
                                                                 : 20) *
                                          (random.uniform() - 0.5);
  return q.view("q");
}

// sum_r |l_qr y_r| of each query: what the error of a fit is a few roundings of.
std::vector<double> sizes_of(const std::shared_ptr<const KernelRegression>& regression, const TensorView& y,
                             const TensorView& q, const Smoother& smoother) {
  const Execution execution;
  std::vector<double> weights, sizes(queries, 0.0);
  dense_weights(regression, q, smoother, false, execution).produce([&](const void* bytes, std::size_t count) {
    const auto* first = static_cast<const double*>(bytes);
    weights.insert(weights.end(), first, first + count / sizeof(double));
  });
  for (std::size_t i = 0; i < queries * samples; ++i)
    sizes[i / samples] += std::abs(weights[i] * y.contiguous_data<double>()[i % samples]);
  return sizes;
}

}  // namespace

TEST_CASE("local polynomials are off by a few roundings of sum |l y|, at sparse edges and beyond all samples too") {
  for (const std::size_t d : {1u, 2u})
    for (const double offset : {0.0, 1e6}) {
      const Samples samples = sparse_samples(d, offset);
      const auto regression = std::make_shared<const KernelRegression>(samples);
      const TensorView q = places_around(d, offset);
      for (const Kernel kernel : {Kernel::gaussian, Kernel::laplace, Kernel::parabolic, Kernel::triweight})
        for (const double h : {0.3, 1.0, 4.0})
          for (const std::size_t degree : {1u, 2u}) {
            Smoother smoother;
            smoother.kernel = kernel;
            smoother.bandwidth = Bandwidth::number(h);
            smoother.degree = degree;
            CAPTURE(d);
            CAPTURE(offset);
            CAPTURE(name_of(kernel));
            CAPTURE(h);
            CAPTURE(degree);
            const RegressionResult fast = regression->evaluate(q, smoother);
            const RegressionResult twin = support::twin(*regression, q, smoother);
            const std::vector<double> sizes = sizes_of(regression, samples.y, q, smoother);
            CHECK(fast.lowered_degrees == twin.lowered_degrees);
            double worst = 0;  // of roundings
            for (std::size_t i = 0; i < queries; ++i) {
              const double a = fast.fit.as<double, 1>()(i), b = twin.fit.as<double, 1>()(i);
              CHECK(std::isnan(a) == std::isnan(b));
              if (!std::isnan(a)) worst = std::max(worst, std::abs(a - b) / sizes[i] / support::epsilon<double>());
            }
            CHECK(worst < 100);
          }
    }
}
