// Chosen bandwidths: the criterion at the width that is found against the criterion on a grid of widths.
#include <attn/regression/selection.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "support/random.hpp"

using namespace attn;

namespace {

// A signal with noise; places dense on the left and sparse on the right, with a sample far away.
Samples signal(std::size_t n, double noise, bool weighted) {
  support::Random random(11);
  Tensor x(DType::f64, {n}), y(DType::f64, {n}), weights(DType::f64, {n});
  for (std::size_t i = 0; i < n; ++i) {
    const double at = std::pow(random.uniform(), 3);
    x.data_as<double>()[i] = i == 0 ? 1e4 : at;
    y.data_as<double>()[i] = std::sin(12 * at) + noise * random.normal();
    weights.data_as<double>()[i] = std::pow(10.0, -2 * random.uniform());
  }
  Samples samples{x.view("x"), y.view("y"), std::nullopt};
  if (weighted) samples.weights = weights.view("weights");
  return samples;
}

void check_is_least(const KernelRegression& regression, Smoother smoother, Criterion criterion) {
  SelectionParameters parameters;
  parameters.criterion = criterion;
  const Selection chosen = select_bandwidth(regression, smoother, parameters);
  const auto at = [&](double h) {
    smoother.bandwidth = Bandwidth::number(h);
    return bandwidth_criterion(regression, smoother, criterion, Loss::squared);
  };
  const double h = chosen.bandwidth.values[0];
  CHECK(at(h) == chosen.criterion);
  double least = chosen.criterion;
  for (double octave = -5; octave <= 5; octave += 1) least = std::min(least, at(h * std::exp2(octave)));
  for (const double share : {-0.03, -0.01, 0.01, 0.03}) least = std::min(least, at(h * (1 + share)));
  // A parabola with its minimum 0.2 % away is 2e-6 of the curve's bend above it.
  CHECK(chosen.criterion - least <= 1e-7 * std::abs(least));
}

}  // namespace

TEST_CASE("the width that is chosen has the least criterion, of few samples and of many, smooth and rough") {
  for (const std::size_t n : {300u, 66000u})
    for (const bool hard : {false, true}) {
      const KernelRegression regression(signal(n, hard ? 1e-2 : 0.5, hard));
      for (const Kernel kernel : {Kernel::gaussian, Kernel::triweight})
        for (const Criterion criterion : {Criterion::leave_one_out, Criterion::aicc}) {
          // Of many samples three of the cases, for time.
          const bool is_cv = criterion == Criterion::leave_one_out, is_gaussian = kernel == Kernel::gaussian;
          if (n > 300 && (hard ? is_gaussian || !is_cv : is_gaussian != is_cv)) continue;
          CAPTURE(n);
          CAPTURE(hard);
          CAPTURE(name_of(kernel));
          CAPTURE(criterion == Criterion::aicc);
          Smoother smoother;
          smoother.kernel = kernel;
          check_is_least(regression, smoother, criterion);
        }
    }
}
