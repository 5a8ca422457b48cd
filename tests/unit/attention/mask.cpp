#include <attn/attention/mask.hpp>

#include "support/random.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace attn;
using support::Random;

namespace {

AttentionSizes sizes(std::size_t B, std::size_t H, std::size_t L, std::size_t S) { return {B, H, H, L, S, 1, 1, 1}; }

TensorView integers(const std::vector<std::int64_t>& values, Shape shape) {
  Tensor x(DType::i64, std::move(shape));
  std::copy(values.begin(), values.end(), x.data_as<std::int64_t>());
  return x.view("test.h5:/mask");
}

/// A mask of everything at once, for a seed.
Mask any_mask(Random& random, const AttentionSizes& n) {
  Mask mask(n);
  mask.set_offset(static_cast<std::int64_t>(random.between(0, 4)) - 2);
  if (random.between(0, 1)) {
    std::vector<std::int64_t> lengths(n.batch * n.queries);
    for (auto& length : lengths) length = static_cast<std::int64_t>(random.between(0, n.keys));
    mask.add_lengths(integers(lengths, {n.batch, n.queries}));
  }
  if (random.between(0, 1)) mask.add_causal();
  if (random.between(0, 1)) mask.align_bottom_right();
  if (random.between(0, 1))
    mask.add_window(static_cast<std::int64_t>(random.between(0, 4)) - 1,
                    static_cast<std::int64_t>(random.between(0, 4)) - 1);
  if (random.between(0, 1)) {
    std::vector<std::int64_t> flags(n.queries * n.keys);
    for (auto& flag : flags) flag = static_cast<std::int64_t>(random.between(0, 3) / 2);
    mask.add_boolean(integers(flags, {1, 1, n.queries, n.keys}), random.between(0, 1) == 1);
  }
  if (random.between(0, 1)) {
    Tensor bias(DType::f64, {1, n.heads, 1, n.keys});
    for (std::size_t at = 0; at < bias.size(); ++at)
      bias.data_as<double>()[at] =
          random.between(0, 3) == 0 ? -std::numeric_limits<double>::infinity() : random.normal();
    mask.add_bias(bias.view(), DType::f64);
  }
  if (random.between(0, 1)) mask.add_alibi(alibi_slopes(n.heads));
  return mask;
}

}  // namespace

TEST_CASE("a tile is what its pairs are, and a row says the same as its pairs") {
  Random random(11);
  std::size_t seen[3] = {0, 0, 0};
  for (int trial = 0; trial < 300; ++trial) {
    const AttentionSizes n =
        sizes(random.between(1, 2), random.between(1, 3), random.between(1, 9), random.between(1, 9));
    const Mask mask = any_mask(random, n);
    const std::size_t b = random.between(0, n.batch - 1), h = random.between(0, n.heads - 1);
    const std::size_t i0 = random.between(0, n.queries - 1), i1 = random.between(i0 + 1, n.queries);
    const std::size_t j0 = random.between(0, n.keys - 1), j1 = random.between(j0 + 1, n.keys);
    bool any = false, plain = true;
    std::vector<double> row(j1 - j0);
    for (std::size_t i = i0; i < i1; ++i) {
      mask.row(b, h, i, {j0, j1}, row.data());
      for (std::size_t j = j0; j < j1; ++j) {
        const bool attends = mask.attends(b, h, i, j);
        const double bias = attends ? mask.bias(b, h, i, j) : -std::numeric_limits<double>::infinity();
        CHECK(row[j - j0] == bias);
        any |= attends;
        plain &= attends && !mask.has_bias();
      }
    }
    const TileKind kind = mask.classify(b, h, i0, i1, {j0, j1});
    CHECK(kind == (!any ? TileKind::empty : plain ? TileKind::full : TileKind::partial));
    ++seen[static_cast<int>(kind)];
  }
  CHECK(seen[0] > 10);
  CHECK(seen[1] > 10);
  CHECK(seen[2] > 10);
}

TEST_CASE("a boolean mask of any dtype and layout says the same") {
  Random random(12);
  const AttentionSizes n = sizes(1, 1, 5, 7);
  std::vector<std::int64_t> flags(35);
  for (auto& flag : flags) flag = static_cast<std::int64_t>(random.between(0, 1)) * 3;
  const TensorView wide = integers(flags, {5, 7});
  for (const DType dtype : {DType::i64, DType::u8, DType::i8, DType::i32, DType::boolean, DType::f32, DType::f16}) {
    const TensorView stored = cast(wide, dtype);
    const TensorView column_major = transposed(contiguous(transposed(stored, {1, 0})), {1, 0});
    for (const bool inverted : {false, true})
      for (const TensorView& x : {stored, column_major}) {
        Mask mask(n);
        mask.add_boolean(x, inverted);
        for (std::size_t i = 0; i < 5; ++i)
          for (std::size_t j = 0; j < 7; ++j) CHECK(mask.attends(0, 0, i, j) == ((flags[i * 7 + j] != 0) != inverted));
      }
  }
}

TEST_CASE("the last query of bottom-right causal attention stands at the last valid key") {
  Mask mask(sizes(2, 1, 2, 6));
  mask.add_lengths(integers({6, 4}, {2}));
  mask.add_causal();
  mask.align_bottom_right();
  CHECK(mask.keys(0, 0, 1).last == 6);
  CHECK(mask.keys(0, 0, 0).last == 5);
  CHECK(mask.keys(1, 0, 1).last == 4);
  CHECK(mask.keys(1, 0, 0).last == 3);
}

TEST_CASE("the keys of a query lie among all keys, however far from them it stands") {
  const AttentionSizes n = sizes(1, 1, 200, 4);
  for (const std::int64_t offset : {0, 1000, -1000})
    for (const auto& [left, right] : {std::pair{1, 0}, {0, 3}, {2, -1}, {-1, 0}, {7, 7}}) {
      Mask mask(n);
      mask.set_offset(offset);
      mask.add_window(left, right);
      for (std::size_t i = 0; i < n.queries; ++i) {
        const KeyRange keys = mask.keys(0, 0, i);
        CHECK(keys.first <= keys.last);
        CHECK(keys.last <= n.keys);
      }
    }
}

TEST_CASE("with valid lengths a shorter mask excludes the keys that it does not cover") {
  Mask mask(sizes(1, 1, 1, 6));
  CHECK_THROWS_AS(mask.add_boolean(integers({1, 1, 1, 1}, {1, 4})), Error);
  mask.add_lengths(integers({6}, {1}));
  mask.add_boolean(integers({1, 1, 1, 1}, {1, 4}));
  CHECK(mask.attends(0, 0, 0, 3));
  CHECK_FALSE(mask.attends(0, 0, 0, 4));
}

TEST_CASE("a mask of rank 3 is (heads, L, S), (batch, L, S) or (batch * heads, L, S); what could be two is refused") {
  Mask by_head(sizes(2, 3, 1, 2));
  by_head.add_boolean(integers({1, 0, 0, 1, 1, 1}, {3, 1, 2}));
  CHECK(by_head.attends(1, 0, 0, 0));
  CHECK_FALSE(by_head.attends(1, 1, 0, 0));
  Mask by_both(sizes(2, 3, 1, 2));
  by_both.add_boolean(integers({1, 0, 1, 0, 1, 0, 0, 1, 0, 1, 0, 1}, {6, 1, 2}));
  CHECK(by_both.attends(0, 2, 0, 0));
  CHECK_FALSE(by_both.attends(1, 0, 0, 0));
  Mask by_batch(sizes(2, 3, 1, 2));
  by_batch.add_boolean(integers({1, 0, 0, 1}, {2, 1, 2}));
  CHECK(by_batch.attends(0, 2, 0, 0));
  CHECK_FALSE(by_batch.attends(1, 2, 0, 0));
  Mask square(sizes(2, 2, 1, 2));
  CHECK_THROWS_WITH_AS(
      square.add_boolean(integers({1, 0, 0, 1}, {2, 1, 2})),
      "test.h5:/mask: has shape (2, 1, 2), expected 4 axes (batch, heads, queries, keys): it could "
      "be meant as (1, 2, 1, 2) or as (2, 1, 1, 2); reshape it to one of the two, for example with tconv --reshape",
      Error);
}

TEST_CASE("a mask of rank 2 is (L, S) or padding (batch, S); what could be both is refused") {
  Mask padding(sizes(2, 3, 4, 2));
  padding.add_boolean(integers({1, 0, 0, 1}, {2, 2}));
  CHECK(padding.attends(0, 2, 3, 0));
  CHECK_FALSE(padding.attends(1, 2, 3, 0));
  Mask by_query(sizes(3, 1, 2, 2));
  by_query.add_boolean(integers({1, 0, 0, 1}, {2, 2}));
  CHECK(by_query.attends(2, 0, 1, 1));
  CHECK_FALSE(by_query.attends(2, 0, 0, 1));
  Mask both(sizes(2, 1, 2, 2));
  CHECK_THROWS_AS(both.add_boolean(integers({1, 0, 0, 1}, {2, 2})), Error);
}

TEST_CASE("lengths outside of the keys and windows below -1 are refused") {
  Mask mask(sizes(2, 1, 3, 4));
  CHECK_THROWS_WITH_AS(mask.add_lengths(integers({5, 1}, {2})),
                       "test.h5:/mask: length 5 is not in 0..4, the number of keys", Error);
  CHECK_THROWS_AS(mask.add_lengths(integers({-1, 1}, {2})), Error);
  CHECK_THROWS_AS(mask.add_lengths(integers({1, 1, 1}, {3})), Error);
  CHECK_THROWS_AS(mask.add_window(-2, 0), Error);
  CHECK_NOTHROW(mask.add_window(std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::max()));
  CHECK(mask.classify(0, 0, 0, 3, {0, 4}) == TileKind::full);
}

TEST_CASE("ALiBi slopes are Press et al.'s, also for head counts that are no power of two") {
  CHECK(alibi_slopes(8).front() == 0.5);
  CHECK(alibi_slopes(8).back() == std::exp2(-8));
  CHECK(alibi_slopes(12).size() == 12);
  CHECK(alibi_slopes(12)[8] == std::exp2(-0.5));
  CHECK(alibi_slopes(12)[11] == std::exp2(-3.5));
}
