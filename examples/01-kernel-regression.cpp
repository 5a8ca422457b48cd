// Nadaraya-Watson kernel regression: the stopping distance of cars by their speed.
//
//     fit(q) = sum_i K((q - x_i) / h) y_i / sum_i K((q - x_i) / h),   K(u) = exp(-u^2 / 2)
//
// The same in the shell:
// $ nwreg -x cars.csv:/speed -y cars.csv:/dist -q 3=5,10,20 --bandwidth 2 -O csv --precision 6 | sed 1d

#include <attn/attn.hpp>

#include <xtensor/xmath.hpp>
#include <xtensor/xview.hpp>

#include <cstdio>

int main() {
  const auto x = attn::read<double, 1>("cars.csv:/speed[:,0]");
  const auto y = attn::read<double, 1>("cars.csv:/dist[:,0]");
  const xt::xtensor<double, 1> q = {5, 10, 20};
  const double h = 2;

  // The formula, with xtensor.
  const xt::xtensor<double, 2> u = (xt::view(q, xt::all(), xt::newaxis()) - x) / h;
  const xt::xtensor<double, 2> weights = xt::exp(-u * u / 2);
  const xt::xtensor<double, 1> formula = xt::sum(weights * y, {1}) / xt::sum(weights, {1});

  // The library.
  attn::Smoother smoother;
  smoother.bandwidth = attn::Bandwidth::number(h);
  const auto fit = attn::nadaraya_watson(q, x, y, smoother);

  for (const double value : fit) std::printf("%.6g\n", value);
  return xt::amax(xt::abs(fit - formula))() < 1e-12 ? 0 : 1;
}
