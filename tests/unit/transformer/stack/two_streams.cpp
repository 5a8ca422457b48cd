// The two streams of XLNet: who sees whom, where targets stand, what is remembered.

#include <attn/transformer/stack/block.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

using namespace attn;

namespace {

Tensor filled(const Shape& shape, const std::vector<double>& values) {
  Tensor x(DType::f64, shape);
  std::copy(values.begin(), values.end(), x.data_as<double>());
  return x;
}

/// A row for each query of the first sequence: 1 sees, 0 does not, = hides but counts like its neighbours.
std::string rows_of(const TensorView& mask) {
  const TensorView wide = cast(mask, DType::f64);
  const auto number = wide.as<double, 4>();
  const bool is_added = mask.dtype == DType::f32;
  std::string text;
  for (std::size_t i = 0; i < mask.shape[2]; ++i) {
    if (i > 0) text += ' ';
    for (std::size_t k = 0; k < mask.shape[3]; ++k) {
      const double x = number(0, 0, i, k);
      text += (is_added ? x == 0 : x != 0) ? '1' : is_added && std::isfinite(x) ? '=' : '0';
    }
  }
  return text;
}

TokenBatch batch_of(std::size_t length) { return {Tensor::zeros(DType::i64, {1, length}).view("ids")}; }

}  // namespace

TEST_CASE("without masks and order all see all") { CHECK_FALSE(stream_masks(batch_of(3), {}, 2).content.has_value()); }

TEST_CASE("tokens see themselves whatever hides them, targets do not") {
  TokenBatch batch = batch_of(3);
  batch.padding_mask = filled({1, 3}, {0, 1, 1}).view("padding");
  batch.permutation_mask = filled({1, 3, 3}, {0, 0, 1, 0, 1, 1, 0, 0, 0}).view("permutation");
  const StreamMasks masks = stream_masks(batch, {}, 1);
  CHECK(rows_of(*masks.content) == "1110 1010 1011");
  CHECK(rows_of(*masks.targets) == "1010 1000 1011");
  batch.permutation_mask = filled({1, 3}, {0, 0, 1}).view("permutation");
  CHECK_THROWS_AS(stream_masks(batch, {}, 1), Error);
}

TEST_CASE("to a target that sees nothing all tokens are alike") {
  TokenBatch batch = batch_of(3);
  batch.padding_mask = filled({1, 3}, {0, 1, 1}).view("padding");
  batch.permutation_mask = filled({1, 3, 3}, {0, 0, 1, 1, 1, 1, 0, 0, 0}).view("permutation");
  CHECK(rows_of(*stream_masks(batch, {}, 0).content) == "110 010 011");
  CHECK(rows_of(*stream_masks(batch, {}, 0).targets) == "010 0== 011");
}

TEST_CASE("a causal order, and one that forgets as fast as it learns") {
  TwoStreamDescription streams;
  streams.causal = true;
  CHECK(rows_of(*stream_masks(batch_of(3), streams, 2).content) == "11100 11110 11111");
  streams.same_length = true;
  CHECK(rows_of(*stream_masks(batch_of(3), streams, 2).targets) == "11100 01110 00111");
}

TEST_CASE("targets go to their places and back") {
  const Tensor y = filled({1, 2, 1}, {5, 7}), mapping = filled({1, 2, 3}, {0, 0, 1, 1, 0, 0});
  const TensorView x = placed(y.view(), mapping.view());
  REQUIRE(x.shape == Shape{1, 3, 1});
  CHECK(x.as<double, 3>()(0, 0, 0) == 7);
  CHECK(x.as<double, 3>()(0, 1, 0) == 0);
  CHECK(x.as<double, 3>()(0, 2, 0) == 5);
  CHECK(gathered(x, mapping.view()).as<double, 3>()(0, 0, 0) == 5);
}

TEST_CASE("what is remembered: the last of the old and of the first new ones") {
  const Tensor x = filled({1, 3, 1}, {1, 2, 3}), before = filled({2, 1, 1}, {8, 9});
  TwoStreamDescription streams;
  CHECK(remembered(x.view(), before.view(), streams).shape == Shape{5, 1, 1});
  streams.remembered = 3;
  streams.reused = 2;
  const TensorView kept = remembered(x.view(), before.view(), streams);
  REQUIRE(kept.shape == Shape{3, 1, 1});
  CHECK(kept.as<double, 3>()(0, 0, 0) == 9);
  CHECK(kept.as<double, 3>()(2, 0, 0) == 2);
  CHECK(remembered(x.view(), std::nullopt, streams).shape == Shape{2, 1, 1});
}
