#include <attn/api/regression.hpp>

#include <doctest/doctest.h>

TEST_CASE("regression over xtensors: one and several columns, float and double") {
  attn::Smoother smoother;
  smoother.kernel = attn::Kernel::triangular;
  smoother.bandwidth = attn::Bandwidth::number(1);
  const xt::xtensor<double, 1> x{0, 1}, y{0, 4}, q{0.25, 1};
  CHECK(attn::nadaraya_watson(q, x, y, smoother) == xt::xtensor<double, 1>{1, 4});
  const xt::xtensor<float, 2> keys{{0, 5}, {1, 5}}, queries{{0.25f, 5}, {1, 5}};
  const xt::xtensor<float, 1> values{0, 4};
  CHECK(attn::nadaraya_watson(queries, keys, values, smoother) == xt::xtensor<float, 1>{1, 4});
  const xt::xtensor<double, 2> outputs{{0, 1}, {4, 1}};
  CHECK(attn::nadaraya_watson(q, x, outputs, smoother) == xt::xtensor<double, 2>{{1, 1}, {4, 1}});
  CHECK_THROWS_AS(attn::nadaraya_watson(q, x, 2.0 * q * q, attn::Smoother{smoother.kernel, {}, {}, 5}), attn::Error);
}
