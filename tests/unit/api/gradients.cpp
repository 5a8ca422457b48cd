#include <attn/api/gradients.hpp>

#include <attn/api/attention.hpp>
#include <attn/api/layers.hpp>

#include <doctest/doctest.h>
#include <xtensor/xbuilder.hpp>
#include <xtensor/xmath.hpp>

#include <cmath>

namespace attn {
namespace {

using Rows = xt::xtensor<double, 2>;
using Row = xt::xtensor<double, 1>;

/// <dy, (f(x + e u) - f(x - e u)) / 2e> for u of ones.
template <class Function, class X>
double difference(const Function& f, const X& x, const Rows& dy) {
  constexpr double e = 1e-6;
  const X above = x + e, below = x - e;
  return xt::sum(dy * (f(above) - f(below)))() / (2 * e);
}

const Rows small_x = {{1, -2}, {3, 4}, {0.5, 0.25}}, small_dy = {{1, -1, 0.5}, {0.25, 2, -3}, {1, 1, 1}},
           small_w = {{1, 0.5}, {0, 1}, {-1, 1}};
const Row small_b = {0.25, -0.5, 1};

TEST_CASE("vjp: a linear map and its formula") {
  const auto d = vjp(Linear(view_of(small_w), view_of(small_b), DType::f64), small_x, small_dy);
  CHECK(d.x == linear(small_dy, xt::transpose(small_w)));
  CHECK(d.weight == linear(xt::transpose(small_dy), xt::transpose(small_x)));
  CHECK(d.bias == Row(xt::sum(small_dy, {0})));
  const auto squashed = vjp(Linear(view_of(small_w), {}, DType::f64), small_x, small_dy, Activation::tanh);
  CHECK(squashed.bias.size() == 0);
  CHECK(xt::sum(squashed.x)() ==
        doctest::Approx(
            difference([](const Rows& at) -> Rows { return xt::tanh(linear(at, small_w)); }, small_x, small_dy)));
  CHECK_THROWS_AS(vjp(Linear(view_of(small_w), {}, DType::f64), small_x, small_x), Error);
}

TEST_CASE("vjp: norms, networks, softmax, positions against differences") {
  const Row gain = {2, -1, 0.5}, shift = {1, 2, 3};
  const Rows at = linear(small_x, small_w);
  const auto norm = vjp(Norm({NormKind::layer, 1e-5}, view_of(gain), view_of(shift), DType::f64), at, small_dy);
  CHECK(std::abs(xt::sum(norm.x)()) < 1e-12);  // a norm does not see what is added to all
  CHECK(norm.bias == Row(xt::sum(small_dy, {0})));
  CHECK(xt::sum(norm.weight)() ==
        doctest::Approx(difference([&](const Row& g) -> Rows { return layer_norm(at, g, shift); }, gain, small_dy)));

  const Rows second = {{1, 2, 3}, {-1, 0, 1}, {0.5, 0.5, -2}};
  const FeedForward network(Activation::gelu, Linear(view_of(small_w), view_of(small_b), DType::f64),
                            Linear(view_of(second), {}, DType::f64));
  const auto ffn = vjp(network, small_x, small_dy);
  const FeedForwardMatrices<double> matrices{small_w, small_b, second};
  CHECK(xt::sum(ffn.x)() ==
        doctest::Approx(difference([&](const Rows& z) -> Rows { return feed_forward(z, matrices, Activation::gelu); },
                                   small_x, small_dy)));
  CHECK(ffn.gate.weight.size() == 0);

  SoftmaxParameters log;
  log.log = true;
  log.axis = 0;
  CHECK(std::abs(xt::sum(vjp(log, at, small_dy))()) < 1e-12);
  PositionalEncoding rotary;
  rotary.kind = EncodingKind::rotary;
  const Rows turned = apply_positions(small_x, rotary);
  CHECK(xt::sum(turned * apply_positions(small_x, rotary))() == doctest::Approx(xt::sum(small_x * small_x)()));
  CHECK(xt::allclose(vjp(rotary, small_x, turned), small_x));  // rotations preserve products
}

TEST_CASE("vjp: an embedding adds the gradients of an id that comes twice") {
  const Rows table = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {0, 0, 0}};
  const Rows d = vjp(Embedding(view_of(table), DType::f64, 2), xt::xtensor<int, 1>{2, 0, 2}, small_dy);
  CHECK(d == Rows{{0.5, 4, -6}, {0, 0, 0}, {4, 0, 3}, {0, 0, 0}});
}

TEST_CASE("a loss and its gradient") {
  const auto l = loss(small_dy, xt::xtensor<int, 1>{1, 0, 2});
  const Rows p = softmax(small_dy);
  CHECK(l.value == doctest::Approx(-(std::log(p(0, 1)) + std::log(p(1, 0)) + std::log(p(2, 2))) / 3));
  CHECK(l.gradient(0, 1) == doctest::Approx((p(0, 1) - 1) / 3));
  LossParameters squared;
  squared.kind = LossKind::squared;
  squared.reduction = Reduction::sum;
  CHECK(loss(small_x, Rows(0.5 * small_x), squared).value == doctest::Approx(0.25 * xt::sum(small_x * small_x)()));
}

}  // namespace
}  // namespace attn
