#include <attn/api/attention.hpp>

#include <doctest/doctest.h>
#include <xtensor/xbuilder.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xview.hpp>

#include <cmath>

namespace attn {
namespace {

template <class T>
using Matrix = xt::xtensor<T, 2>;

/// a b^T
template <class A, class B>
Matrix<typename A::value_type> product(const A& a, const B& b) {
  return xt::sum(xt::view(a, xt::all(), xt::newaxis(), xt::all()) * xt::view(b, xt::newaxis(), xt::all(), xt::all()),
                 {2});
}

template <class A, class B>
double farthest(const A& a, const B& b) {
  return xt::amax(xt::abs(a - b))();
}

template <class T>
Matrix<T> waves(std::size_t rows, std::size_t columns, double step) {
  return xt::sin(xt::arange<T>(static_cast<T>(rows * columns)).reshape({rows, columns}) * static_cast<T>(step));
}

template <class T>
Matrix<T> rows_softmax(const Matrix<T>& s) {
  const Matrix<T> top = xt::amax(s, {1}, xt::keep_dims), e = xt::exp(s - top), total = xt::sum(e, {1}, xt::keep_dims);
  return e / total;
}

TEST_CASE_TEMPLATE("attention and its weights are the formula", T, float, double) {
  const Matrix<T> q = waves<T>(5, 8, 0.7), k = waves<T>(6, 8, 1.3), v = waves<T>(6, 3, 2.1);
  const Matrix<T> p = rows_softmax<T>(product(q, k) / std::sqrt(static_cast<T>(8)));
  const double close = 50 * std::numeric_limits<T>::epsilon();
  CHECK(farthest(attention_weights(q, k), p) < close);
  CHECK(farthest(attend(q, k, v), product(p, xt::transpose(v))) < close);
}

TEST_CASE("any expression, and several heads at once") {
  const xt::xtensor<double, 4> q = xt::sin(xt::arange<double>(2 * 3 * 4 * 5).reshape({2, 3, 4, 5}));
  const xt::xtensor<double, 4> v = xt::cos(q);
  const auto whole = attend(q, q, v);
  static_assert(std::is_same_v<decltype(whole), const xt::xtensor<double, 4>>);
  const auto one_q = xt::view(q, 1, 2), one_v = xt::view(v, 1, 2);
  CHECK(attend(one_q, one_q, one_v) == xt::view(whole, 1, 2));
  CHECK(attend(q + 0.0, q * 1.0, xt::cos(q)) == whole);
  CHECK(attend<4>(xt::xarray<double>(q), xt::xarray<double>(q), v) == whole);
  CHECK(attention_weights(q, q).shape() == std::array<std::size_t, 4>{2, 3, 4, 4});
  AttendParameters packed;
  packed.heads = 1;
  CHECK(attention_weights<4>(xt::view(q, xt::all(), 0), xt::view(q, xt::all(), 0), packed).shape()[1] == 1);
}

TEST_CASE("one batch of queries serves every batch of keys") {
  const xt::xtensor<double, 3> k = xt::sin(xt::arange<double>(3 * 4 * 5).reshape({3, 4, 5})), v = xt::cos(k);
  const auto one = xt::view(k, xt::range(1, 2));
  const xt::xtensor<double, 3> y = attend(one, k, v);
  for (std::size_t b = 0; b < 3; ++b)
    CHECK(xt::view(y, b) == attend(xt::view(k, 1), xt::view(k, b), xt::view(v, b)));
  CHECK(attend<3>(xt::view(k, 1), k, v) == y);
  const Matrix<double> w = waves<double>(5, 5, 0.8);
  CHECK(multi_head_attention<3>(xt::view(k, 1), k, v, {w, w, w}) == multi_head_attention(one, k, v, {w, w, w}));
}

TEST_CASE("parameters and further tensors: causal is a mask, a past goes in front") {
  const Matrix<double> x = waves<double>(4, 6, 0.9);
  AttendParameters causal;
  causal.causal = true;
  AttendInputs further;
  const Matrix<bool> mask = xt::tril(xt::ones<bool>({4, 4}));
  further.mask = view_of(mask);
  const auto masked = attend(x, x, x, {}, further);
  CHECK(attend(x, x, x, causal) == masked);
  further.mask = view_of(xt::tril(xt::ones<int>({4, 4})));
  CHECK(attend(x, x, x, {}, further) == masked);
  CHECK(attention_weights(x, x, causal)(0, 1) == 0);
  AttendInputs past;
  past.past_key = past.past_value = view_of(xt::view(x, xt::range(0, 3)));
  CHECK(attend(x, xt::view(x, xt::range(3, 4)), xt::view(x, xt::range(3, 4)), {}, past) == attend(x, x, x));
}

TEST_CASE("errors name the argument") {
  const Matrix<double> q = waves<double>(2, 4, 1), k = waves<double>(3, 4, 1), v = waves<double>(2, 4, 1);
  try {
    attend(q, k, v);
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::data);
    CHECK(error.subject() == "value");
  }
}

TEST_CASE("softmax: any axis, temperature, logarithms, masks") {
  const Matrix<double> s = waves<double>(3, 5, 1.1);
  const Matrix<double> p = rows_softmax<double>(s);
  CHECK(farthest(softmax(s), p) < 1e-15);
  SoftmaxParameters parameters;
  parameters.log = true;
  CHECK(farthest(softmax(s, parameters), xt::log(p)) < 1e-14);
  parameters = {};
  parameters.axis = 0;
  parameters.temperature = 2;
  const Matrix<double> halves = xt::transpose(s) / 2.0;
  CHECK(farthest(softmax(s, parameters), xt::transpose(rows_softmax<double>(halves))) < 1e-15);
  SoftmaxMasks masks;
  masks.valid_lens = view_of(xt::xtensor<int, 1>{1, 2, 5});
  const auto cut = softmax(s, {}, masks);
  CHECK(cut(0, 0) == 1);
  CHECK(cut(1, 2) == 0);
}

TEST_CASE_TEMPLATE("multi-head attention is the formula", T, float, double) {
  constexpr std::size_t heads = 2, width = 6, d = 3;
  const Matrix<T> x = waves<T>(5, width, 0.3), memory = waves<T>(4, width, 0.8);
  const Matrix<T> w_q = waves<T>(width, width, 0.5), w_k = waves<T>(width, width, 0.6),
                  w_v = waves<T>(width, width, 0.7), w_o = waves<T>(4, width, 0.9);
  const xt::xtensor<T, 1> b_o = {1, 2, 3, 4};
  const Matrix<T> q = product(x, w_q), k = product(memory, w_k), v = product(memory, w_v);
  Matrix<T> merged(std::array<std::size_t, 2>{5, width});
  for (std::size_t h = 0; h < heads; ++h) {
    const auto head = [h] { return xt::range(h * d, (h + 1) * d); };
    const Matrix<T> q_h = xt::view(q, xt::all(), head()), k_h = xt::view(k, xt::all(), head()),
                    v_h = xt::view(v, xt::all(), head());
    xt::view(merged, xt::all(), head()) = attend(q_h, k_h, v_h);
  }
  const Matrix<T> expected = product(merged, w_o) + b_o;
  MultiHeadMatrices<T> matrices{w_q, w_k, w_v, w_o};
  matrices.output_bias = b_o;
  const auto actual = multi_head_attention(x, memory, memory, matrices, {heads});
  static_assert(std::is_same_v<decltype(actual), const Matrix<T>>);
  CHECK(farthest(actual, expected) < 500 * std::numeric_limits<T>::epsilon());
  const auto batch = multi_head_attention(xt::view(x, xt::newaxis()), xt::view(memory, xt::newaxis()),
                                          xt::view(memory, xt::newaxis()), matrices, {heads});
  CHECK(xt::view(batch, 0) == actual);
  CHECK_THROWS_AS(multi_head_attention(x, memory, memory, matrices, {4}), Error);
}

}  // namespace
}  // namespace attn
