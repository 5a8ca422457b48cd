#include <attn/core/tensor.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>

using namespace attn;

namespace {

Tensor counting(Shape shape) {
  Tensor x(DType::f64, std::move(shape));
  for (std::size_t i = 0; i < x.size(); ++i) x.data_as<double>()[i] = static_cast<double>(i);
  return x;
}

}  // namespace

TEST_CASE("a view keeps its memory alive") {
  TensorView view;
  {
    Tensor x = counting({2, 3});
    view = x.view("x");
  }
  CHECK(view.contiguous_data<double>()[5] == 5);
  CHECK(view.name == "x");
}

TEST_CASE("transposed, broadcast and element views share memory and index as NumPy does") {
  Tensor x = counting({2, 3});
  const TensorView t = transposed(x.view(), {1, 0});
  CHECK(t.data == x.view().data);
  CHECK(t.as<double, 2>()(2, 1) == 5);
  CHECK_FALSE(t.is_contiguous());
  CHECK(contiguous(t).contiguous_data<double>()[1] == 3);
  CHECK(element(x.view(), 1).as<double, 1>()(0) == 3);
  const TensorView b = broadcast_to(x.view(), {4, 2, 3});
  CHECK(b.as<double, 3>()(3, 1, 2) == 5);
  CHECK_THROWS_WITH_AS(broadcast_to(renamed(x.view(), "mask"), Shape{2, 4}),
                       "mask: has shape (2, 3), expected a shape that broadcasts to (2, 4)", Error);
}

TEST_CASE("a wrong rank or dtype names the tensor, the actual and the expected") {
  const TensorView x = counting({2, 3}).view("q.h5:/q");
  CHECK_THROWS_WITH_AS((x.as<double, 3>()), "q.h5:/q: has shape (2, 3), expected 3 axes", Error);
  CHECK_THROWS_WITH_AS((x.as<float, 2>()), "q.h5:/q: has dtype f64, expected f32", Error);
}

TEST_CASE("cast rounds once, keeps special values and refuses what has no value") {
  Tensor x(DType::f64, {6});
  const double values[6] = {1.0,
                            -0.0,
                            65520.0,
                            std::ldexp(1.0, -24),
                            std::numeric_limits<double>::infinity(),
                            1.0 + std::ldexp(1.0, -11) + std::ldexp(1.0, -40)};
  std::copy(values, values + 6, x.data_as<double>());
  const TensorView half = cast(x.view(), DType::f16);
  const auto* bits = half.contiguous_data<Float16>();
  CHECK(bits[0].bits == 0x3c00);
  CHECK(bits[1].bits == 0x8000);
  CHECK(bits[2].bits == 0x7c00);  // 65520 is half-way to 65536, which overflows
  CHECK(bits[3].bits == 0x0001);
  CHECK(bits[4].bits == 0x7c00);
  CHECK(bits[5].bits == 0x3c01);  // by way of f32 it would round to the tie and then down
  Tensor y(DType::f64, {2});
  y.data_as<double>()[0] = 3;
  y.data_as<double>()[1] = 2.5;
  CHECK_THROWS_WITH_AS(cast(y.view("ids"), DType::i64),
                       "ids: element [1] is not representable as i64; change the number, or choose another dtype",
                       Error);
  y.data_as<double>()[1] = 9223372036854775808.0;  // 2^63
  CHECK_THROWS_AS(cast(y.view("ids"), DType::i64), Error);
  y.data_as<double>()[1] = -1;
  CHECK_THROWS_AS(cast(y.view("ids"), DType::u8), Error);
  CHECK(cast(y.view("ids"), DType::i8).contiguous_data<std::int8_t>()[1] == -1);
}

TEST_CASE("every f16 and bf16 survives the way to float and back") {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const Float16 half{static_cast<std::uint16_t>(bits)};
    const BFloat16 brain{static_cast<std::uint16_t>(bits)};
    const float h = to_float(half), b = to_float(brain);
    if (std::isnan(h))
      CHECK(std::isnan(to_float(to_float16(h))));
    else
      REQUIRE(to_float16(h).bits == bits);
    if (std::isnan(b))
      CHECK(std::isnan(to_float(to_bfloat16(b))));
    else
      REQUIRE(to_bfloat16(b).bits == bits);
  }
}

TEST_CASE("integers and scalars") {
  const Tensor x = counting({3});
  CHECK(to_integers(x.view()) == std::vector<std::int64_t>{0, 1, 2});
  CHECK_THROWS_AS(to_scalar(x.view("h")), Error);
  CHECK(to_scalar(element(x.view(), 2)) == 2);
}

TEST_CASE("absurd shapes are refused before allocating; an empty axis makes a tensor empty") {
  CHECK_THROWS_AS(Tensor(DType::f64, {std::size_t{1} << 40, std::size_t{1} << 40}), Error);
  CHECK_THROWS_AS(Tensor(DType::f64, {(std::size_t{1} << 62)}), Error);
  CHECK(element_count({std::size_t{1} << 40, std::size_t{1} << 40, 0}) == 0);
  CHECK(Tensor(DType::f32, {0, 3}).view().is_contiguous());
}
