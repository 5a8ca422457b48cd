// The xtensor border of kernel regression.
#include <attn/regression/nadaraya_watson_xtensor.hpp>

#include <doctest/doctest.h>
#include <xtensor/xtensor.hpp>

TEST_CASE("regression over xtensors: one and several columns, float and double") {
  attn::Smoother smoother;
  smoother.kernel = attn::Kernel::triangular;
  smoother.bandwidth = attn::Bandwidth::number(1);
  const xt::xtensor<double, 1> x{0, 1}, y{0, 4}, q{0.25, 1};
  CHECK(attn::kernel_regression<double>(x, y, q, smoother) == xt::xtensor<double, 1>{1, 4});
  const xt::xtensor<float, 2> keys{{0, 5}, {1, 5}}, queries{{0.25f, 5}, {1, 5}};
  const xt::xtensor<float, 1> values{0, 4};
  CHECK(attn::kernel_regression<float>(keys, values, queries, smoother) == xt::xtensor<float, 1>{1, 4});
}
