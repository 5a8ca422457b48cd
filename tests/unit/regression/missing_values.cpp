// Samples whose y is missing: which results are so too is a matter of the weights alone.
#include <attn/regression/nadaraya_watson.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "support/execution.hpp"
#include "support/random.hpp"
#include "support/regression_twin.hpp"

using namespace attn;

TEST_CASE("a missing y is in the same results by every method: where it has a weight of 2^-53") {
  support::Random random(8);
  constexpr std::size_t n = 200, m = 300;
  for (const std::size_t d : {1u, 2u}) {
    Tensor y(DType::f64, {n, 2});
    for (std::size_t i = 0; i < n; ++i) {
      y.data_as<double>()[2 * i] = i % 50 == 7 ? std::numeric_limits<double>::quiet_NaN() : random.normal();
      y.data_as<double>()[2 * i + 1] = random.normal();
    }
    Tensor weights(DType::f64, {n});
    for (std::size_t i = 0; i < n; ++i) weights.data_as<double>()[i] = std::pow(10.0, -12 * random.uniform());
    const TensorView x = random.tensor(DType::f64, {n, d}), q = random.tensor(DType::f64, {m, d});
    for (const bool weighted : {false, true}) {
      Samples samples{x, y.view("y"), std::nullopt};
      if (weighted) samples.weights = weights.view("weights");
      const KernelRegression regression(samples);
      for (const Kernel kernel : all_kernels())
        for (const std::size_t degree : {0u, 1u, 2u}) {
          Smoother smoother;
          smoother.kernel = kernel;
          smoother.bandwidth = Bandwidth::number(kernel == Kernel::gaussian  ? 0.1
                                                 : kernel == Kernel::laplace ? 0.03
                                                                             : 1);
          smoother.degree = degree;
          RegressionRequest request;
          request.derivative = true;
          const RegressionResult twin = support::twin(regression, q, smoother, request);
          const auto expected = twin.fit.as<double, 2>();
          std::size_t missing = 0, present = 0;
          for (std::size_t i = 0; i < m; ++i) {
            missing += std::isnan(expected(i, 0));
            present += !std::isnan(expected(i, 0));
            CHECK((std::isnan(expected(i, 1)) ? std::isnan(expected(i, 0)) : true));
          }
          CHECK(missing > 0);
          if (kernel != Kernel::constant) CHECK(present > 0);
          for (const Method method : {Method::automatic, Method::direct, Method::tree}) {
            if (method == Method::tree && !is_compact(kernel) && kernel != Kernel::gaussian) continue;
            smoother.method = method;
            CAPTURE(name_of(kernel));
            CAPTURE(name_of(method));
            CAPTURE(degree);
            CAPTURE(weighted);
            const RegressionResult result = regression.evaluate(q, smoother, request);
            const auto fit = result.fit.as<double, 2>();
            const auto slope = result.derivative->as<double, 3>();
            std::size_t differ = 0, slopes_differ = 0;
            for (std::size_t i = 0; i < m; ++i) {
              differ += std::isnan(fit(i, 0)) != std::isnan(expected(i, 0));
              slopes_differ += std::isnan(slope(i, 0, 0)) != std::isnan(fit(i, 0));
            }
            CHECK(differ == 0);
            CHECK(slopes_differ == 0);
          }
        }
    }
  }
}
