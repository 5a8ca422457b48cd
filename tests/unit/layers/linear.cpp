#include <doctest/doctest.h>

#include "support/closeness.hpp"
#include "support/random.hpp"

#include <attn/core/source_sink.hpp>
#include <attn/layers/linear.hpp>

using namespace attn;
using support::Random;
using support::same_bits;

namespace {

/// The formula of the header, on its own: sums in long double.
TensorView expected_linear(const TensorView& x, const TensorView& w, const TensorView& b) {
  Shape shape = x.shape;
  const std::size_t in = shape.back(), out = w.shape[0], rows = x.size() / in;
  shape.back() = out;
  Tensor y(DType::f64, shape);
  const auto X = cast(x, DType::f64), W = cast(w, DType::f64), B = cast(b, DType::f64);
  for (std::size_t m = 0; m < rows; ++m)
    for (std::size_t n = 0; n < out; ++n) {
      long double sum = B.contiguous_data<double>()[n];
      for (std::size_t k = 0; k < in; ++k)
        sum +=
            static_cast<long double>(X.contiguous_data<double>()[m * in + k]) * W.contiguous_data<double>()[n * in + k];
      y.data_as<double>()[m * out + n] = static_cast<double>(sum);
    }
  return y.view();
}

}  // namespace

TEST_CASE("linear: x W^T + b, sizes around the widths of vectors") {
  Random random(1);
  for (const DType dtype : {DType::f32, DType::f64})
    for (const std::size_t in : {1u, 7u, 16u, 33u})
      for (const std::size_t out : {1u, 15u, 48u, 257u}) {
        const auto x = random.tensor(dtype, {2, 9, in}), w = random.tensor(dtype, {out, in}),
                   b = random.tensor(dtype, {out});
        const double epsilon = dtype == DType::f32 ? support::epsilon<float>() : support::epsilon<double>();
        const double bound = epsilon * static_cast<double>(in + 1) * support::scale_of(x) * support::scale_of(w, 1);
        for (const Engine engine : {Engine::automatic, Engine::reference}) {
          Execution execution;
          execution.engine = engine;
          const support::Closeness near(Linear(w, b, dtype)(x, execution), expected_linear(x, w, b), bound);
          CHECK_MESSAGE(near.ok(), near.worst());
        }
      }
}

TEST_CASE("linear: a row has the same bits alone, in a batch, and on several threads") {
  Random random(2);
  ThreadPool pool(3);
  for (const DType dtype : {DType::f32, DType::f64}) {
    const auto x = random.tensor(dtype, {37, 70}), w = random.tensor(dtype, {300, 70}), b = random.tensor(dtype, {300});
    const Linear linear(w, b, dtype);
    Execution threads;
    threads.pool = &pool;
    const auto whole = linear(x, threads, Activation::gelu);
    for (std::size_t m = 0; m < 37; m += 4)
      CHECK(same_bits(linear(element(x, m), {}, Activation::gelu), element(whole, m)));
  }
}

TEST_CASE("linear: several maps of one input give the bits of each alone") {
  Random random(8);
  ThreadPool pool(2);
  Execution threads;
  threads.pool = &pool;
  for (const std::size_t rows : {1u, 2u, 17u, 230u})
    for (const std::size_t narrower : {512u, 24u}) {
      const auto x = random.tensor(DType::f32, {rows, 520});
      std::vector<Linear> maps;
      for (const std::size_t out : {std::size_t{517}, narrower})
        maps.emplace_back(random.tensor(DType::f32, {out, 520}), random.tensor(DType::f32, {out}), DType::f32);
      for (const Execution& execution : {Execution{}, threads}) {
        const auto together = Linear::together({&maps[0], &maps[1]}, x, execution);
        for (std::size_t i = 0; i < maps.size(); ++i) CHECK(same_bits(together[i], maps[i](x)));
      }
    }
}

TEST_CASE("linear: a weight stored (in, out), a part of a packed weight, a narrow weight") {
  Random random(3);
  const auto x = random.tensor(DType::f32, {5, 8}), w = random.tensor(DType::f32, {12, 8}),
             b = random.tensor(DType::f32, {12});
  const auto y = Linear(w, b, DType::f32)(x);
  CHECK(same_bits(Linear(contiguous(transposed(w, {1, 0})), b, DType::f32, WeightLayout::in_out)(x), y));
  CHECK(same_bits(Linear(w, b, DType::f32).outputs(3, 4)(x), slice(y, parse_slab(":,3:7", "test"))));
  const auto half = cast(w, DType::f16);
  CHECK(same_bits(Linear(half, b, DType::f32)(x), Linear(cast(half, DType::f32), b, DType::f32)(x)));
}

TEST_CASE("linear: no rows, no inputs, and an activation in the same call") {
  const auto empty =
      Linear(Tensor::zeros(DType::f64, {3, 2}).view(), {}, DType::f64)(Tensor(DType::f64, {0, 2}).view());
  CHECK(empty.shape == Shape{0, 3});
  Random random(4);
  const auto b = random.tensor(DType::f64, {3});
  const auto y = Linear(Tensor(DType::f64, {3, 0}).view(), b, DType::f64)(Tensor(DType::f64, {2, 0}).view());
  CHECK(same_bits(element(y, 1), b));
  const auto x = random.tensor(DType::f64, {4, 2}), w = random.tensor(DType::f64, {3, 2});
  const auto plain = Linear(w, b, DType::f64)(x), relu = Linear(w, b, DType::f64)(x, {}, Activation::relu);
  for (std::size_t i = 0; i < 12; ++i)
    CHECK(relu.contiguous_data<double>()[i] == std::max(0.0, plain.contiguous_data<double>()[i]));
}

TEST_CASE("linear: loads by name and says what does not fit") {
  TensorMap map("m");
  map.add("a.weight", Tensor::zeros(DType::f32, {3, 2}).view());
  map.add("a.bias", Tensor::zeros(DType::f32, {4}).view());
  CHECK_THROWS_WITH_AS(Linear::load(Weights(map, "a"), 3, 2, DType::f32),
                       "weights m:/a: bias has shape (4,), expected (3,) = outputs", Error);
  CHECK_THROWS_WITH_AS(Linear::load(Weights(map, "a"), any_extent, 5, DType::f32),
                       "weights m:/a: weight has shape (3, 2), expected (any, 5) = outputs by inputs", Error);
  const Linear linear(map.read("a.weight"), {}, DType::f32);
  CHECK_THROWS_WITH_AS(
      linear(renamed(Tensor::zeros(DType::f32, {2, 3}).view(), "x")),
      "x: has shape (2, 3), expected (..., 2) = the inputs of m:/a.weight (3, 2); the weight fits as (in, out): "
      "give --transposed",
      Error);
}
