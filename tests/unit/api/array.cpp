#include <attn/api/array.hpp>

#include <doctest/doctest.h>
#include <xtensor/xbuilder.hpp>
#include <xtensor/xmanipulation.hpp>
#include <xtensor/xview.hpp>

using namespace attn;

TEST_CASE("what has a name and lies in memory is used in place, with its strides") {
  const xt::xtensor<float, 2> x = {{1, 2, 3}, {4, 5, 6}};
  CHECK(view_of(x, "x").data == x.data());
  CHECK(view_of(x, "x").name == "x");
  CHECK(view_of(x).as<float, 2>()(1, 2) == 6);
  const xt::xarray<float> dynamic = x;
  CHECK(view_of(dynamic).data == dynamic.data());
  const auto columns = xt::view(x, xt::all(), xt::range(1, 3));
  CHECK(view_of(columns).data == x.data() + 1);
  CHECK(view_of(columns).as<float, 2>()(1, 1) == 6);
  const auto row = xt::view(x, 1);
  CHECK(view_of(row).shape == Shape{3});
  CHECK(view_of(row).as<float, 1>()(0) == 4);
  const auto turned = xt::transpose(x);
  CHECK(view_of(turned).as<float, 2>()(2, 0) == 3);
  const xt::xtensor<double, 2, xt::layout_type::column_major> by_column = {{1, 2}, {3, 4}};
  CHECK(view_of(by_column).as<double, 2>()(0, 1) == 2);
}

TEST_CASE("temporaries and lazy expressions are evaluated into memory of the view") {
  xt::xtensor<double, 2> x = {{1, 2}, {3, 4}};
  const double* memory = x.data();
  const TensorView sum = view_of(x + 1.0);
  CHECK(sum.as<double, 2>()(1, 1) == 5);
  const auto kept = xt::view(x, xt::keep(1, 0));
  CHECK(view_of(kept).as<double, 2>()(0, 0) == 3);
  const TensorView moved = view_of(std::move(x));
  CHECK(moved.data == memory);
  CHECK(moved.owner != nullptr);
}

TEST_CASE("element types: booleans and integers by their size") {
  const xt::xtensor<double, 1> x = {1, 2};
  CHECK(view_of(x < 2.0).dtype == DType::boolean);
  CHECK(view_of(xt::xtensor<long long, 1>{1}).dtype == DType::i64);
  CHECK(view_of(xt::xtensor<long, 1>{1}).dtype == DType::i64);
  CHECK(view_of(xt::xtensor<int, 1>{1}).dtype == DType::i32);
  CHECK(view_of(xt::xtensor<unsigned char, 1>{1}).dtype == DType::u8);
}

TEST_CASE("the rank of a result is that of the argument, or given") {
  const xt::xtensor<float, 3> x = xt::ones<float>({2, 3, 4});
  const auto slice = xt::view(x, xt::all(), 1);
  static_assert(std::is_same_v<result_t<xt::xtensor<float, 3>>, xt::xtensor<float, 3>>);
  static_assert(std::is_same_v<result_t<std::decay_t<decltype(slice)>>, xt::xtensor<float, 2>>);
  static_assert(std::is_same_v<result_t<decltype(x + x)>, xt::xtensor<float, 3>>);
  static_assert(std::is_same_v<result_t<xt::xarray<float>, 2>, xt::xtensor<float, 2>>);
  static_assert(std::is_convertible_v<decltype(x + x), Array<float>>);
}

TEST_CASE("a copy as xtensor has the type that is asked for, and says when the rank is another") {
  const xt::xtensor<float, 2> x = {{1, 2, 3}, {4, 5, 6}};
  const auto wide = to_xtensor<double, 2>(view_of(x));
  CHECK(wide(1, 0) == 4);
  CHECK_THROWS_WITH_AS((to_xtensor<double, 3>(view_of(x, "x"))), "x: has shape (2, 3), expected 3 axes", Error);
}
