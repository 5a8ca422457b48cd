// Attention of few queries on bf16 where many go through tiles: in vectors, with the sums of tiles bit for bit
// (amx_tile.hpp says in which order they are added). Keys and values are read once and not packed: memory gives them
// more slowly than they are multiplied. Included by attention_bf16_amxbf16.cpp alone.
#pragma once

#include <attn/simd/attention_bf16.hpp>
#include <attn/simd/kernels/attention_streamed.hpp>
#include <attn/simd/vector/amx_tile.hpp>
#include <attn/simd/vector/bf16_lanes.hpp>

namespace attn::simd::amxbf16 {
namespace {

constexpr auto step_depth = static_cast<std::ptrdiff_t>(bf16_step);
/// Steps of the widest heads that are multiplied as bf16, and their columns.
constexpr std::size_t most_steps = 64, most_columns = most_steps * bf16_step;
/// How far ahead of what is used keys and values are asked for.
constexpr std::ptrdiff_t keys_ahead = 64;

/// The first or the second of the pairs of a vector, as numbers.
ATTN_INLINE V<float> number_of(V<float> pairs, int which) {
  if (which == 0) return (V<float>)_mm512_slli_epi32((__m512i)pairs, 16);
  return (V<float>)_mm512_and_si512((__m512i)pairs, _mm512_set1_epi32(static_cast<int>(0xffff0000u)));
}

/// A step of a row as numbers: what comes first in its pairs, and second.
struct StepOfPairs {
  float numbers[2][step_depth / 2];

  void operator=(const std::uint16_t* row) {
    const V<float> pairs = load_pairs(row, step_depth);
    for (int which = 0; which < 2; ++which) store<float>(numbers[which], number_of(pairs, which));
  }
};

template <int R>
__attribute__((noinline)) void stream_score_rows(const Bf16Scores& s, const Bf16Rows& keys) {
  alignas(64) StepOfPairs queries[R][most_steps];
  const auto depth = static_cast<std::ptrdiff_t>(s.steps) * step_depth;
  for (std::ptrdiff_t r = 0; r < R; ++r)
    for (std::size_t k = 0; k < s.steps; ++k)
      queries[r][k] = s.queries + r * depth + static_cast<std::ptrdiff_t>(k) * step_depth;
  const auto width = static_cast<std::ptrdiff_t>(keys.width), count = static_cast<std::ptrdiff_t>(keys.count);
  auto first = static_cast<std::ptrdiff_t>(s.first);
  RowsAhead<std::uint16_t> ahead{keys.data + (first + keys_ahead) * keys.stride, keys.stride, width};
  for (; first < static_cast<std::ptrdiff_t>(s.last); first += 16) {
    V<float> sums[R] = {};
    for (std::size_t k = 0; k < s.steps; ++k) {
      const std::ptrdiff_t c = static_cast<std::ptrdiff_t>(k) * step_depth;
      V<float> pairs[16];
#pragma GCC unroll 16
      for (int j = 0; j < 16; ++j)
        pairs[j] = first + j < count ? load_pairs(keys.data + (first + j) * keys.stride + c, width - c) : V<float>{};
      transpose<float>(pairs);
      V<float> chains[2][R] = {};
#pragma GCC unroll 16
      for (int p = 0; p < 16; ++p) {
        ahead.fetch(step_depth);
#pragma GCC unroll 2
        for (int which = 0; which < 2; ++which) {
          const V<float> column = number_of(pairs[p], which);
#pragma GCC unroll 4
          for (int r = 0; r < R; ++r) add_broadcast(chains[which][r], queries[r][k].numbers[which][p], column);
        }
      }
#pragma GCC unroll 4
      for (int r = 0; r < R; ++r) sums[r] = sums[r] + (chains[0][r] + chains[1][r]);
    }
    for (int r = 0; r < R; ++r) store<float>(s.scores + r * s.stride + first, sums[r]);
  }
}

void stream_scores_kernel(const Bf16Scores& s, const Bf16Rows& keys) {
  const SubnormalsAreZero scope;
  if (s.rows == 4) return stream_score_rows<4>(s, keys);
  if (s.rows == 2) return stream_score_rows<2>(s, keys);
  stream_score_rows<1>(s, keys);
}

/// sums (R, most_columns) of rows from `row` on: 32 columns are a vector of the even and one of the odd ones. A careful
/// one leaves out keys that take no part.
template <int R, bool careful = false>
__attribute__((noinline)) void sum_values(const Bf16Pool& p, std::size_t row, const Bf16Rows& values, float* sums) {
  const auto width = static_cast<std::ptrdiff_t>(values.width), count = static_cast<std::ptrdiff_t>(values.count);
  const std::uint16_t* const weights = p.weights + static_cast<std::ptrdiff_t>(row) * p.weights_stride;
  RowsAhead<std::uint16_t> ahead{values.data + keys_ahead * values.stride, values.stride, width};
  for (std::ptrdiff_t first = 0; first < static_cast<std::ptrdiff_t>(p.keys); first += step_depth) {
    alignas(64) StepOfPairs steps[R];
    for (int r = 0; r < R; ++r) steps[r] = weights + r * p.weights_stride + first;
    for (std::ptrdiff_t c = 0; c < width; c += step_depth) {
      const std::uint16_t* const at = values.data + first * values.stride + c;
      V<float> chains[2][R][2] = {};  // of even and odd keys
      const auto add = [&](std::ptrdiff_t j, V<float> pairs) __attribute__((always_inline)) {
#pragma GCC unroll 2
        for (int which = 0; which < 2; ++which) {
          const V<float> columns = number_of(pairs, which);
#pragma GCC unroll 4
          for (int r = 0; r < R; ++r) add_broadcast(chains[j % 2][r][which], steps[r].numbers[j % 2][j / 2], columns);
        }
      };
      if (!careful && count - first >= step_depth && width - c >= step_depth)
#pragma GCC unroll 32
        for (std::ptrdiff_t j = 0; j < step_depth; ++j) {
          ahead.fetch(step_depth);
          add(j, load_pairs(at + j * values.stride, step_depth));
        }
      else
#pragma GCC unroll 2
        for (std::ptrdiff_t j = 0; j < step_depth; ++j) {
          const bool counts = first + j < count && !(careful && weights[first + j] == excluded_weight);
          add(j, counts ? load_pairs(at + j * values.stride, width - c) : V<float>{});
        }
      float* to = sums + c;
#pragma GCC unroll 4
      for (int r = 0; r < R; ++r, to += most_columns)
#pragma GCC unroll 2
        for (int which = 0; which < 2; ++which) {
          const V<float> before = first > 0 ? load<float>(to + which * 16) : V<float>{};
          store<float>(to + which * 16, before + (chains[0][r][which] + chains[1][r][which]));
        }
    }
  }
}

/// out = out keep + sums add for row r.
void take_sums(const Bf16Pool& p, std::size_t r, const float* sums) {
  const __m512i halves[2] = {_mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23),
                             _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)};
  const V<float> keep = set1<float>(p.keep[r]), add = set1<float>(p.add[r]);
  float* const out = p.out + static_cast<std::ptrdiff_t>(r) * p.out_stride;
  for (std::size_t c = 0; c < p.columns; c += 16) {
    const float* const both = sums + c / 32 * 32;
    const auto ordered =
        (V<float>)_mm512_permutex2var_ps((__m512)load<float>(both), halves[c / 16 % 2], (__m512)load<float>(both + 16));
    store<float>(out + c, fma(ordered, add, load<float>(out + c) * keep));
  }
}

/// x * 0 is 0 for a number and NaN for infinity and NaN.
bool are_numbers(const float* sums, std::size_t columns) {
  V<float> check = {};
  for (std::size_t c = 0; c < columns; c += 16) check = check + load<float>(sums + c) * V<float>{};
  return reduce_add<float>(check) == 0;
}

template <int R>
void stream_pool_rows(const Bf16Pool& p, const Bf16Rows& values) {
  alignas(64) float sums[R * most_columns];
  {
    const SubnormalsAreZero scope;
    sum_values<R>(p, 0, values, sums);
  }
  const std::size_t summed = (values.width + bf16_step - 1) / bf16_step * bf16_step;
  for (std::size_t r = 0; r < R; ++r) {
    float* const row = sums + r * most_columns;
    if (p.excludes && !are_numbers(row, summed)) {
      const SubnormalsAreZero scope;
      sum_values<1, true>(p, r, values, row);
    }
    take_sums(p, r, row);
  }
}

void stream_pool_kernel(const Bf16Pool& p, const Bf16Rows& values) {
  if (p.rows == 4) return stream_pool_rows<4>(p, values);
  if (p.rows == 2) return stream_pool_rows<2>(p, values);
  stream_pool_rows<1>(p, values);
}

}  // namespace
}  // namespace attn::simd::amxbf16
