#include "support/closeness.hpp"
#include "support/random.hpp"

#include <attn/attention/attend.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace attn;
using support::Closeness;
using support::Random;
using support::same_bits;

namespace {

TensorView numbers(const std::vector<double>& values, Shape shape, std::string name = {}) {
  Tensor x(DType::f64, std::move(shape));
  std::copy(values.begin(), values.end(), x.data_as<double>());
  return x.view(std::move(name));
}

TensorView lower_triangle(std::size_t L, std::size_t S, std::ptrdiff_t offset) {
  Tensor x = Tensor::zeros(DType::i64, {L, S});
  for (std::size_t i = 0; i < L; ++i)
    for (std::size_t j = 0; j < S; ++j)
      x.data_as<std::int64_t>()[i * S + j] =
          static_cast<std::ptrdiff_t>(j) <= static_cast<std::ptrdiff_t>(i) + offset ? 1 : 0;
  return x.view();
}

}  // namespace

TEST_CASE("two keys, worked out by hand") {
  // q = 1, keys 0 and ln 3: weights 1/4 and 3/4.
  const AttendInputs in{numbers({1}, {1, 1}), numbers({0, std::log(3.0)}, {2, 1}), numbers({4, 8}, {2, 1})};
  AttendRequest request;
  request.weights = request.lse = true;
  const AttendResult r = attend(in, {}, request);
  const double bound = support::bound::pooling * support::epsilon<double>() * 8;
  CHECK(Closeness(r.output, numbers({7}, {1, 1}), bound).ok());
  CHECK(Closeness(*r.weights, numbers({0.25, 0.75}, {1, 2}), bound).ok());
  CHECK(Closeness(*r.lse, numbers({std::log(4.0)}, {1}), bound).ok());
}

TEST_CASE("causal attention is attention under the lower triangular mask") {
  Random random(1);
  const AttendInputs in{random.tensor(DType::f64, {2, 3, 5, 4}), random.tensor(DType::f64, {2, 3, 7, 4}),
                        random.tensor(DType::f64, {2, 3, 7, 6})};
  AttendParameters causal;
  causal.causal = true;
  AttendInputs masked = in;
  masked.mask = lower_triangle(5, 7, 0);
  CHECK(same_bits(attend(in, causal).output, attend(masked, {}).output));
  causal.causal_bottom_right = true;
  masked.mask = lower_triangle(5, 7, 2);
  CHECK(same_bits(attend(in, causal).output, attend(masked, {}).output));
}

TEST_CASE("heads of a packed projection are attended to in place") {
  Random random(2);
  const TensorView q = random.tensor(DType::f64, {2, 5, 12}), k = random.tensor(DType::f64, {2, 7, 12}),
                   v = random.tensor(DType::f64, {2, 7, 9});
  AttendParameters packed;
  packed.heads = 3;
  const auto split = [](const TensorView& x, std::size_t d) {
    return transposed(reshaped(x, {x.shape[0], x.shape[1], 3, d}), {0, 2, 1, 3});
  };
  const TensorView merged = attend({q, k, v}, packed).output;
  const TensorView apart = attend({split(q, 4), split(k, 4), split(v, 3)}, {}).output;
  CHECK(merged.shape == Shape{2, 5, 9});
  CHECK(same_bits(merged, reshaped(contiguous(transposed(apart, {0, 2, 1, 3})), {2, 5, 9})));
}

TEST_CASE("what takes no part has no effect, even as NaN; a query with no key left is zero") {
  Random random(3);
  AttendInputs in{random.tensor(DType::f64, {2, 4}), random.tensor(DType::f64, {3, 4}),
                  random.tensor(DType::f64, {3, 2})};
  in.mask = reshaped(numbers({1, 1, 0, 0, 0, 0}, {2, 3}), {2, 3});
  AttendParameters boolean;
  boolean.mask_type = MaskType::boolean;
  AttendRequest request;
  request.weights = request.lse = true;
  const AttendResult clean = attend(in, boolean, request);
  Tensor k(DType::f64, {3, 4}), v(DType::f64, {3, 2});
  std::copy_n(in.key.contiguous_data<double>(), 12, k.data_as<double>());
  std::copy_n(in.value.contiguous_data<double>(), 6, v.data_as<double>());
  k.data_as<double>()[9] = std::numeric_limits<double>::quiet_NaN();
  v.data_as<double>()[5] = std::numeric_limits<double>::infinity();
  in.key = k.view();
  in.value = v.view();
  const AttendResult poisoned = attend(in, boolean, request);
  CHECK(same_bits(clean.output, poisoned.output));
  CHECK(same_bits(*clean.weights, *poisoned.weights));
  CHECK(poisoned.empty_rows == 1);
  CHECK(poisoned.output.contiguous_data<double>()[2] == 0);
  CHECK(poisoned.lse->contiguous_data<double>()[1] == -std::numeric_limits<double>::infinity());
}
