#include <doctest/doctest.h>

#include "support/closeness.hpp"
#include "support/execution.hpp"
#include "support/random.hpp"

#include <attn/layers/norm.hpp>

#include <cmath>
#include <cstring>

using namespace attn;
using support::Random;

TEST_CASE("norm: a normalised row has mean 0 and variance 1, with epsilon 0") {
  Random random(1);
  const auto x = random.tensor(DType::f64, {5, 33});
  NormStatistics statistics;
  const auto y = Norm({NormKind::layer, 0}, 1, DType::f64)(x, {}, &statistics);
  CHECK(statistics.mean.shape == Shape{5, 1});
  for (std::size_t m = 0; m < 5; ++m) {
    double sum = 0, squares = 0, mean = 0;
    for (std::size_t i = 0; i < 33; ++i) {
      const double v = y.as<double, 2>()(m, i);
      sum += v;
      squares += v * v;
      mean += x.as<double, 2>()(m, i) / 33;
    }
    CHECK(std::fabs(sum) < 33 * support::epsilon<double>() * 4);
    CHECK(std::fabs(squares / 33 - 1) < 33 * support::epsilon<double>());
    CHECK(std::fabs(statistics.mean.as<double, 2>()(m, 0) - mean) < 33 * support::epsilon<double>());
  }
}

TEST_CASE("norm: RMS norm keeps the mean, gain and offset act after the division") {
  Random random(2);
  const auto x = random.tensor(DType::f64, {3, 4}), w = random.tensor(DType::f64, {4}),
             b = random.tensor(DType::f64, {4});
  const auto y = Norm({NormKind::rms, 0.5}, w, b, DType::f64)(x);
  for (std::size_t m = 0; m < 3; ++m) {
    double squares = 0;
    for (std::size_t i = 0; i < 4; ++i) squares += std::pow(x.as<double, 2>()(m, i), 2);
    for (std::size_t i = 0; i < 4; ++i) {
      const double expected =
          x.as<double, 2>()(m, i) / std::sqrt(squares / 4 + 0.5) * w.as<double, 1>()(i) + b.as<double, 1>()(i);
      CHECK(std::fabs(y.as<double, 2>()(m, i) - expected) < 16 * support::epsilon<double>());
    }
  }
}

TEST_CASE("norm: the lanes agree with the reference engine, sizes around their number") {
  Random random(5);
  const Execution reference = support::reference();
  for (const DType dtype : {DType::f32, DType::f64})
    for (const NormKind kind : {NormKind::layer, NormKind::rms})
      for (const std::size_t n : {1u, 7u, 8u, 9u, 31u, 512u}) {
        const auto x = random.tensor(dtype, {3, n}), w = random.tensor(dtype, {n}), b = random.tensor(dtype, {n});
        const double epsilon = dtype == DType::f32 ? support::epsilon<float>() : support::epsilon<double>();
        for (const Norm& norm :
             {Norm({kind, 1e-5}, w, b, dtype), Norm({kind, 1e-5}, w, {}, dtype), Norm({kind, 1e-5}, 1, dtype)}) {
          const auto expected = norm(x, reference);
          const support::Closeness near(norm(x), expected, 8 * epsilon * support::scale_of(expected, 1));
          CHECK_MESSAGE(near.ok(), near.worst());
        }
      }
}

TEST_CASE("norm: several trailing axes are one row") {
  Random random(3);
  const auto x = random.tensor(DType::f32, {2, 3, 5}), w = random.tensor(DType::f32, {3, 5});
  const auto y = Norm({}, w, {}, DType::f32)(x);
  const auto flat = Norm({}, reshaped(w, {15}), {}, DType::f32)(reshaped(x, {2, 15}));
  CHECK(std::memcmp(y.data, flat.data, y.bytes()) == 0);
}

TEST_CASE("norm: a constant row is zero, a NaN stays in its row, a wrong width is named") {
  Tensor x = Tensor::zeros(DType::f32, {3, 4});
  for (std::size_t i = 0; i < 4; ++i) x.data_as<float>()[i] = 7.5f;
  x.data_as<float>()[5] = NAN;
  const auto y = Norm({}, 1, DType::f32)(x.view());
  CHECK(y.as<float, 2>()(0, 2) == 0);
  CHECK(std::isnan(y.as<float, 2>()(1, 0)));
  CHECK(y.as<float, 2>()(2, 3) == 0);
  const Norm norm({}, renamed(Tensor::zeros(DType::f32, {5}).view(), "w"), {}, DType::f32);
  CHECK_THROWS_WITH_AS(norm(x.view("x")), "x: has shape (3, 4), expected (..., 5) = the width of w", Error);
}

TEST_CASE("residual: the sum in the wider type, shapes must agree") {
  Random random(4);
  const auto x = random.tensor(DType::f32, {2, 3}), r = random.tensor(DType::f64, {2, 3});
  const auto sum = add_residual(x, r);
  CHECK(sum.dtype == DType::f64);
  CHECK(sum.as<double, 2>()(1, 2) == static_cast<double>(x.as<float, 2>()(1, 2)) + r.as<double, 2>()(1, 2));
  CHECK_THROWS_WITH_AS(add_residual(renamed(x, "x"), renamed(element(r, 0), "r")),
                       "r: has shape (3,), expected (2, 3) = the shape of x", Error);
}

TEST_CASE("norm: rows whose squares exceed a double are normalised like any multiple of them") {
  for (const NormKind kind : {NormKind::layer, NormKind::rms})
    for (const Execution& execution : {Execution(), support::reference()})
      for (const double huge : {0x1p1023, 0x1p600}) {
        Tensor x(DType::f64, {1, 11}), small(DType::f64, {1, 11});
        for (std::size_t i = 0; i < 11; ++i) {
          small.data_as<double>()[i] = (i % 3 == 0 ? 1.5 : -1.0) + 0.03125 * static_cast<double>(i);
          x.data_as<double>()[i] = small.data_as<double>()[i] * huge;
        }
        NormStatistics statistics;
        const Norm norm({kind, 0}, 1, DType::f64);
        const auto y = norm(x.view(), execution, &statistics), expected = norm(small.view(), execution);
        const support::Closeness near(y, expected, 8 * support::epsilon<double>() * support::scale_of(expected, 1));
        CHECK_MESSAGE(near.ok(), near.worst());
        CHECK(std::isfinite(statistics.mean.as<double, 2>()(0, 0)));
      }
  Tensor broken = Tensor::zeros(DType::f64, {1, 9});
  broken.data_as<double>()[3] = INFINITY;
  CHECK(std::isnan(Norm({}, 1, DType::f64)(broken.view()).as<double, 2>()(0, 3)));
}
