#include <attn/api/layers.hpp>

#include <doctest/doctest.h>
#include <xtensor/xbuilder.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xview.hpp>

#include <cmath>

namespace attn {
namespace {

using Rows = xt::xtensor<double, 2>;
using Row = xt::xtensor<double, 1>;

template <class A, class B>
bool are_close(const A& a, const B& b) {
  return xt::amax(xt::abs(a - b))() < 1e-14;
}

TEST_CASE("a linear map, both layouts, with and without bias") {
  const Rows x = {{1, 2}, {3, 4}}, w = {{1, 0}, {0, 1}, {1, 1}}, expected = {{1, 2, 3}, {3, 4, 7}};
  const Row b = {10, 20, 30};
  CHECK(linear(x, w) == expected);
  CHECK(linear(x, w, b) == expected + b);
  CHECK(linear(x, xt::transpose(w), {}, WeightLayout::in_out) == expected);
  CHECK(linear(xt::view(x, 1), w) == xt::view(expected, 1));
  CHECK_THROWS_AS(linear(x, xt::transpose(w)), Error);
}

TEST_CASE("norms are their formulas") {
  const Rows x = {{1, 2, 3, 6}, {0, -4, 4, 8}};
  const Row gain = {1, 2, 3, 4}, bias = {0.5, 0, -0.5, 1};
  const Rows mean = xt::mean(x, {1}, xt::keep_dims), centred = x - mean;
  const auto formula = [&](double epsilon) -> Rows {
    const Rows variance = xt::mean(centred * centred, {1}, xt::keep_dims);
    return centred / xt::sqrt(variance + epsilon);
  };
  CHECK(are_close(layer_norm(x), formula(1e-5)));
  CHECK(are_close(layer_norm(x, gain, bias), formula(1e-5) * gain + bias));
  CHECK(are_close(layer_norm(x, gain, {}, 1e-3), formula(1e-3) * gain));
  CHECK_THROWS_AS(layer_norm(x, {}, bias), Error);
  const Rows square = xt::mean(x * x, {1}, xt::keep_dims), rms = x / xt::sqrt(square + 1e-5);
  CHECK(are_close(rms_norm(x), rms));
  CHECK(are_close(rms_norm(x, gain), rms * gain));
}

TEST_CASE("a feed-forward network, plain and gated") {
  const Rows x = {{1, -2}, {3, 4}}, first = {{1, 0}, {0, 1}, {1, 1}}, second = {{1, 2, 3}, {-1, 0, 1}};
  const Row b1 = {1, 1, 1}, b2 = {5, 6};
  const Rows hidden = xt::maximum(linear(x, first, b1), 0.0);
  CHECK(feed_forward(x, {first, b1, second, b2}) == linear(hidden, second, b2));
  FeedForwardMatrices<double> gated{first, {}, second};
  gated.gate = 2.0 * first;
  const Rows up = linear(x, first), gate = xt::tanh(2.0 * up);
  CHECK(are_close(feed_forward(x, gated, Activation::tanh), linear(gate * up, second)));
}

TEST_CASE("an embedding takes ids of any integer type and rank") {
  const Rows table = {{1, 2}, {3, 4}, {5, 6}};
  const auto y = embed(xt::xtensor<int, 2>{{2, 0}}, table, 2.0);
  static_assert(std::is_same_v<decltype(y), const xt::xtensor<double, 3>>);
  CHECK(y == xt::xtensor<double, 3>{{{10, 12}, {2, 4}}});
  CHECK_THROWS_AS(embed(xt::xtensor<long, 1>{3}, table), Error);
}

TEST_CASE("positions: added, turned, as a table") {
  const Rows x = xt::ones<double>({3, 4});
  const auto table = position_table<double, 2>({}, {3, 4});
  CHECK(table(0, 0) == 0);
  CHECK(table(2, 0) == std::sin(2.0));
  CHECK(table(2, 3) == std::cos(2.0 / 100));
  CHECK(apply_positions(x) == x + table);
  PositionalEncoding rotary;
  rotary.kind = EncodingKind::rotary;
  const auto turned = apply_positions(x, rotary);
  CHECK(turned(1, 0) == doctest::Approx(std::cos(1.0) - std::sin(1.0)));
  CHECK(turned(1, 2) == doctest::Approx(std::cos(1.0) + std::sin(1.0)));
  PositionalEncoding learned;
  learned.kind = EncodingKind::learned;
  PositionInputs inputs;
  inputs.table = view_of(table);
  CHECK(apply_positions(x, learned, inputs) == x + table);
  PositionalEncoding alibi;
  alibi.kind = EncodingKind::alibi;
  CHECK(position_table<double, 3>(alibi, {2, {}, 8})(0, 1, 0) == -0.5);
  CHECK_THROWS_AS(apply_positions(x, alibi), Error);
}

}  // namespace
}  // namespace attn
