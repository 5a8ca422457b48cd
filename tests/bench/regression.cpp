// Kernel regression: in one dimension against one std::sort of as many doubles on one core in the same run; direct
// tiles against what the arithmetic of a pair allows at the measured rate of multiply-adds.
//
//     bench-regression [--threads N] [--isa NAME] [FILTER]      FILTER: 1d, loo, growth, tiles, tree, cost

#include "measure.hpp"

#include <attn/regression/bandwidth_selection.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace attn;

// Uniform numbers, the same on every machine.
TensorView noise(std::size_t rows, std::size_t columns, std::uint64_t seed) {
  Tensor x(DType::f64, {rows, columns});
  for (std::size_t i = 0; i < rows * columns; ++i) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    x.data_as<double>()[i] = static_cast<double>(seed >> 11) / 9007199254740992.0;
  }
  return x.view("x");
}

/// One std::sort of n doubles on one core, the copy before it included: 1 % of it.
std::function<void()> sorting(std::size_t n) {
  const TensorView x = noise(n, 1, 7);
  const auto values = std::make_shared<std::vector<double>>(n);
  return [=] {
    const double* first = x.contiguous_data<double>();
    values->assign(first, first + n);
    std::sort(values->begin(), values->end());
  };
}

// Preparing and evaluating at n other places, as a command does.
void one_dimension(const bench::Arguments& arguments, std::size_t n, const std::vector<Kernel>& kernels) {
  const Execution& execution = arguments.execution;
  const TensorView x = noise(n, 1, 1), y = noise(n, 1, 2), q = noise(n, 1, 3);
  const auto sort = sorting(n);
  std::printf("n = m = %zu\n", n);
  for (const Kernel kernel : kernels) {
    Smoother smoother;
    smoother.kernel = kernel;
    smoother.bandwidth = Bandwidth::number(0.01);
    Method method = Method::automatic;
    const auto c = bench::beside(
        [&] {
          method = KernelRegression({x, y, std::nullopt}, execution).evaluate(q, smoother, {}, execution).method;
        },
        sort, 0.3, 3);
    std::printf("  %-11s %-7s %8.1f ms  sort %7.1f ms  %5.2f sorts  +-%.0f %%\n", std::string(name_of(kernel)).c_str(),
                std::string(name_of(method)).c_str(), c.work.median * 1e3, c.reference.median * 1e3, c.ratio,
                c.spread * 100);
    std::fflush(stdout);
  }
}

void leave_one_out(const bench::Arguments& arguments, std::size_t n) {
  const Execution& execution = arguments.execution;
  const auto sort = sorting(n);
  const TensorView x = noise(n, 1, 1), errors = noise(n, 1, 2);
  Tensor y(DType::f64, {n});
  for (std::size_t i = 0; i < n; ++i)
    y.data_as<double>()[i] = std::sin(12 * x.contiguous_data<double>()[i]) + errors.contiguous_data<double>()[i];
  const KernelRegression regression({x, y.view("y"), std::nullopt}, execution);
  for (const Kernel kernel : {Kernel::gaussian, Kernel::boxcar, Kernel::triangular, Kernel::parabolic, Kernel::biweight,
                              Kernel::triweight, Kernel::tricube, Kernel::cosine, Kernel::laplace}) {
    Smoother smoother;
    smoother.kernel = kernel;
    Selection chosen;
    // One call and the sorts around it: the warm-up of bench::beside would double the minutes.
    const auto before = bench::time(sort, 0.3, 3);
    const auto timing = bench::time_once([&] { chosen = select_bandwidth(regression, smoother, {}, execution); });
    const auto after = bench::time(sort, 0.3, 3);
    std::printf("  choose %-11s n = %zu  %zu widths, h = %.6g  %7.2f s  %6.1f sorts\n",
                std::string(name_of(kernel)).c_str(), n, chosen.evaluations, chosen.bandwidth.values[0], timing,
                timing / (before.median + after.median) * 2);
    std::fflush(stdout);
  }
}

// Operations of a Gaussian pair in 3 dimensions, as vector instructions for each lane: 3 differences, a square and 2
// multiply-adds, a product with the scale; 2^s: a maximum, a rounding, a difference, 11 multiply-adds, a scaling by a
// power; an addition and a multiply-add for the two sums. The limit is that all take a multiply-add's place; where
// additions and roundings have units of their own, more than the limit is possible.
constexpr double operations_of_pair = 3 + 3 + 1 + 15 + 2;

// The constants behind the choice of a method: a pair in direct tiles, and a key or a query of the one-dimensional
// methods on prepared samples, which are their own queries.
void costs(const bench::Arguments& arguments) {
  const Execution& execution = arguments.execution;
  constexpr std::size_t few = 6000, many = 300000;
  const KernelRegression small({noise(few, 1, 1), noise(few, 1, 2), std::nullopt}, execution);
  const KernelRegression large({noise(many, 1, 1), noise(many, 1, 2), std::nullopt}, execution);
  for (const Kernel kernel : all_kernels()) {
    Smoother smoother;
    smoother.kernel = kernel;
    smoother.bandwidth = Bandwidth::number(0.01);
    const auto line = bench::time([&] { large.evaluate(smoother, {}, execution); }, 0.2, 3);
    smoother.method = Method::direct;
    const auto pairs = bench::time([&] { small.evaluate(smoother, {}, execution); }, 0.2, 3);
    std::printf("  %-12s %6.2f ns a pair", std::string(name_of(kernel)).c_str(), pairs.median * 1e9 / few / few);
    if (kernel != Kernel::constant) std::printf("  %6.1f ns a key or query", line.median * 1e9 / many / 2);
    std::printf("\n");
  }
}

void tiles(const bench::Arguments& arguments) {
  const Execution& execution = arguments.execution;
  const bench::Limit peak = bench::fma_limit(execution.isa, DType::f64, execution);
  const double instructions = peak.amount / 2;  // times lanes
  constexpr std::size_t n = 12000;
  for (const std::size_t d : {1u, 3u, 6u}) {
    const TensorView x = noise(n, d, 1), y = noise(n, 1, 2);
    const KernelRegression regression({x, y, std::nullopt}, execution);
    for (const Kernel kernel : {Kernel::gaussian, Kernel::parabolic, Kernel::cosine, Kernel::laplace}) {
      Smoother smoother;
      smoother.kernel = kernel;
      smoother.bandwidth = Bandwidth::number(0.3);
      smoother.method = Method::direct;
      const auto c = bench::beside([&] { regression.evaluate(smoother, {}, execution); }, peak.run, 0.5, 3);
      const double pairs = static_cast<double>(n) * n;
      std::printf("  direct %-10s d = %zu  %5.2f pairs/ns  +-%.0f %%", std::string(name_of(kernel)).c_str(), d,
                  pairs / c.work.median * 1e-9, c.spread * 100);
      if (kernel == Kernel::gaussian && d == 3)
        std::printf("  %.0f operations a pair, limit %.2f: %.0f %%", operations_of_pair,
                    instructions / operations_of_pair / c.reference.median * 1e-9,
                    100 * pairs * operations_of_pair / instructions / c.ratio);
      std::printf("\n");
    }
  }
}

void within_reach(const bench::Arguments& arguments) {
  const Execution& execution = arguments.execution;
  constexpr std::size_t n = 200000;
  for (const std::size_t d : {2u, 3u}) {
    const TensorView x = noise(n, d, 1), y = noise(n, 1, 2);
    const KernelRegression regression({x, y, std::nullopt}, execution);
    for (const Kernel kernel : {Kernel::parabolic, Kernel::gaussian}) {
      Smoother smoother;
      smoother.kernel = kernel;
      smoother.bandwidth = Bandwidth::number(kernel == Kernel::gaussian ? 0.004 : 0.03);
      smoother.method = Method::tree;
      const auto timing = bench::time([&] { regression.evaluate(smoother, {}, execution); }, 0.3, 3);
      std::printf("  %-9s tree  d = %zu n = %zu  %7.1f ms\n", std::string(name_of(kernel)).c_str(), d, n,
                  timing.median * 1e3);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bench::Arguments arguments = bench::parse(argc, argv);
  if (arguments.selects("1d"))
    one_dimension(arguments, 1000000,
                  {Kernel::gaussian, Kernel::boxcar, Kernel::triangular, Kernel::parabolic, Kernel::biweight,
                   Kernel::triweight, Kernel::tricube, Kernel::cosine, Kernel::laplace});
  if (arguments.selects("growth"))
    for (const std::size_t n : {10000u, 100000u, 1000000u, 10000000u})
      one_dimension(arguments, n, {Kernel::gaussian, Kernel::parabolic});
  if (arguments.selects("loo")) leave_one_out(arguments, 1000000);
  if (arguments.selects("tiles")) tiles(arguments);
  if (arguments.selects("cost")) costs(arguments);
  if (arguments.selects("tree")) within_reach(arguments);
  return arguments.status();
}
