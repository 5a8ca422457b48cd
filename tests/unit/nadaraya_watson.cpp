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
