// What happens to samples before they are regressed.
#include <attn/core/error.hpp>
#include <attn/regression/predictors.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "support/closeness.hpp"
#include "support/random.hpp"

using namespace attn;

TEST_CASE("columns far from 0 are standardised as they would be near it, and queries with the same numbers") {
  support::Random random(1);
  const std::size_t n = 20000;
  // Multiples of 2^-12, which stay what they are beside 1e12.
  Tensor near(DType::f64, {n, 2}), far(DType::f64, {n, 2});
  for (std::size_t i = 0; i < 2 * n; ++i) {
    near.data_as<double>()[i] = std::ldexp(static_cast<double>(random.between(0, 1 << 13)), -12);
    far.data_as<double>()[i] = near.data_as<double>()[i] + 1e12;
  }
  const Standardisation here = standardisation_of(near.view()), there = standardisation_of(far.view());
  const support::Closeness same(there.apply(far.view()), here.apply(near.view()), 64 * support::epsilon<double>());
  CHECK_MESSAGE(same.ok(), same.worst());
  // The definition: mean 0 and standard deviation 1.
  const TensorView table = there.apply(far.view());
  const auto z = table.as<double, 2>();
  for (std::size_t j = 0; j < 2; ++j) {
    long double mean = 0, square = 0;
    for (std::size_t i = 0; i < n; ++i) mean += z(i, j);
    for (std::size_t i = 0; i < n; ++i) square += (z(i, j) - mean / n) * (z(i, j) - mean / n);
    CHECK(std::abs(mean / n) < 1e-15L);
    CHECK(std::abs(square / (n - 1) - 1) < 1e-14L);
  }
}

TEST_CASE("what has no scale is refused, however its mean rounds; the largest and the smallest numbers have one") {
  Tensor tenth(DType::f64, {1000}), huge(DType::f64, {3}), tiny(DType::f64, {3}), endless(DType::f64, {3});
  std::fill_n(tenth.data_as<double>(), 1000, 0.1);
  for (std::size_t i = 0; i < 3; ++i) {
    huge.data_as<double>()[i] = 1e300 * static_cast<double>(i);
    tiny.data_as<double>()[i] = 1e-300 * static_cast<double>(i);
    endless.data_as<double>()[i] = i == 1 ? std::numeric_limits<double>::infinity() : 0;
  }
  CHECK_THROWS_AS(standardisation_of(tenth.view()), Error);
  CHECK_THROWS_AS(standardisation_of(endless.view()), Error);
  for (const Tensor& x : {huge, tiny}) {
    const TensorView table = standardisation_of(x.view()).apply(x.view());
    const auto z = table.as<double, 2>();
    for (std::size_t i = 0; i < 3; ++i) CHECK(z(i, 0) == doctest::Approx(static_cast<double>(i) - 1).epsilon(1e-15));
  }
}
