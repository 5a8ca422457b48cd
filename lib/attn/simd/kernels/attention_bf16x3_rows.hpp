// Attention of one or two queries with pieces, in vectors: what attention_bf16x3_streamed.hpp does in tiles, bit for
// bit, as fast as memory gives keys and values. Included by attention_bf16x3_amxbf16.cpp alone.
#pragma once

#include <attn/simd/kernels/attention_bf16x3_streamed.hpp>
#include <attn/simd/vector/bf16x3_rows.hpp>

namespace attn::simd::amxbf16 {
namespace {

/// x, or 0 where it is below the normal range.
ATTN_INLINE V<float> normal_or_zero(__m512i x) {
  return (V<float>)_mm512_maskz_mov_epi32(_mm512_test_epi32_mask(x, _mm512_set1_epi32(0x7f800000)), x);
}

/// A step of query `row` as numbers, from the right operand that queries are split into.
inline void numbers_of_query(const std::uint16_t* tile_of_step, std::ptrdiff_t row, StepOfRow& numbers) {
  for (std::ptrdiff_t piece = 0; piece < 3; ++piece)
    for (std::ptrdiff_t pair = 0; pair < side; ++pair)
      for (std::ptrdiff_t half = 0; half < 2; ++half) {
        std::uint32_t bits = std::uint32_t{tile_of_step[(piece * side + pair) * step + 2 * row + half]} << 16;
        if ((bits & 0x7f800000) == 0) bits = 0;
        __builtin_memcpy(&numbers.pieces[piece][half * side + pair], &bits, sizeof bits);
      }
}

/// The same of a row of weights, from the left operand.
inline void numbers_of_weights(const std::uint16_t* tile_of_step, std::ptrdiff_t row, StepOfRow& numbers) {
  for (std::ptrdiff_t piece = 0; piece < 3; ++piece) {
    const __m512i pairs = _mm512_loadu_si512(tile_of_step + (piece * side + row) * step);
    store<float>(numbers.pieces[piece], normal_or_zero(_mm512_slli_epi32(pairs, 16)));
    store<float>(numbers.pieces[piece] + side, normal_or_zero((__m512i)cut_off(pairs)));
  }
}

/// More rows are faster in tiles: four have more chains than there are registers (0.38 of plain reading, 0.64 in
/// tiles).
constexpr int most_rows = 2;
/// Steps of a row that are numbers at a time: heads of up to 1024, blocks of 256 keys.
constexpr std::size_t most_steps = 32;

template <int R, class Stored>
__attribute__((noinline)) void score_rows(const KeyPanel& keys, const Bf16x3Scores& s) {
  StepOfRow queries[R][most_steps];
  for (std::size_t c = 0; c < s.steps; ++c)
    for (int r = 0; r < R; ++r) numbers_of_query(s.queries + static_cast<std::ptrdiff_t>(c) * tile, r, queries[r][c]);
  const auto columns = static_cast<std::ptrdiff_t>(s.columns), count = static_cast<std::ptrdiff_t>(keys.count);
  const V<float> scale = set1<float>(key_scale);
  RowsInOrder<Stored> ahead(keys.keys, keys.stride, keys.depth);
  RowsAfter after = s.after;
  for (std::ptrdiff_t first = 0; first < columns; first += side) {
    ahead.go_on(count - first, after);
    V<float> sums[R] = {};
    for (int r = 0; r < R && s.starts != nullptr; ++r) sums[r] = load<float>(s.starts + first);
    const Stored* key = static_cast<const Stored*>(keys.keys) + first * keys.stride;
    for (std::size_t c = 0; c < s.steps; ++c) {
      const StepOfRow* rows[R];
      for (int r = 0; r < R; ++r) rows[r] = &queries[r][c];
      V<float> chains[2][R][piece_pair_count];
#pragma GCC unroll 2
      for (int half = 0; half < 2; ++half, key += side) {
        const std::ptrdiff_t present = static_cast<std::ptrdiff_t>(keys.depth - c * bf16x3_step) - half * side;
        V<float> square[side];
        if (count - first >= side && present >= side)
#pragma GCC unroll 16
          for (int j = 0; j < side; ++j) square[j] = widen(key + j * keys.stride) * scale;
        else
#pragma GCC unroll 16
          for (int j = 0; j < side; ++j)
            square[j] = load_present(key + j * keys.stride, j < count - first ? present : 0) * scale;
        transpose<float>(square);
        chain_half<R, pieces_of<Stored>>(
            rows, half,
            [&](int p) __attribute__((always_inline)) {
              ahead.template fetch<side>();
              return square[p];
            },
            chains[half]);
      }
      join_halves<R, pieces_of<Stored>>(chains[0], chains[1], sums);
    }
    for (int r = 0; r < R; ++r) {
      store<float>(s.scores + r * s.stride + first, sums[r]);
      float* const maxima = s.maxima + r * s.stride;
      store<float>(maxima, max(sums[r], load<float>(maxima)));
    }
  }
}

template <int R, class Stored>
__attribute__((noinline)) void pool_rows(const Bf16x3Values& values, const Bf16x3Pool& p) {
  const auto columns = static_cast<std::ptrdiff_t>(p.columns), width = static_cast<std::ptrdiff_t>(values.columns);
  const V<float> scale = set1<float>(value_scale);
  RowsInOrder<Stored> ahead(values.values, values.stride, values.columns);
  RowsAfter after = p.after;
  const Stored* value = static_cast<const Stored*>(values.values);
  auto left = static_cast<std::ptrdiff_t>(values.count);
  for (std::size_t k = 0; k < p.steps; ++k, value += step * values.stride, left -= step) {
    ahead.go_on(left, after);
    StepOfRow weights[R];
    const StepOfRow* rows[R];
    for (int r = 0; r < R; ++r) {
      numbers_of_weights(p.weights + static_cast<std::ptrdiff_t>(k) * tile, r, weights[r]);
      rows[r] = &weights[r];
    }
    for (std::ptrdiff_t column = 0; column < columns; column += side) {
      V<float> sums[R] = {};
      for (int r = 0; r < R && k > 0; ++r) sums[r] = load<float>(p.sums + r * p.stride + column);
      const Stored* const from = value + column;
      if (left >= step && width - column >= side)
        add_step<R, pieces_of<Stored>>(
            rows,
            [&](std::ptrdiff_t j) __attribute__((always_inline)) {
              ahead.template fetch<side>();
              return widen(from + j * values.stride) * scale;
            },
            sums);
      else
        add_step<R, pieces_of<Stored>>(
            rows,
            [&](std::ptrdiff_t j) {
              return load_present(from + j * values.stride, j < left ? width - column : 0) * scale;
            },
            sums);
      for (int r = 0; r < R; ++r) store<float>(p.sums + r * p.stride + column, sums[r]);
    }
  }
}

template <class Stored>
void stream_scores_as(const KeyPanel& keys, const Bf16x3Scores& s) {
  if (s.rows > most_rows || s.steps > most_steps) return stream_scores_of<Stored>(keys, s);
  const SubnormalsAreZero scope(false);
  s.rows == 1 ? score_rows<1, Stored>(keys, s) : score_rows<most_rows, Stored>(keys, s);
}

void stream_scores(const KeyPanel& keys, const Bf16x3Scores& s) {
  if (keys.storage == Storage::half) return stream_scores_as<Half>(keys, s);
  if (keys.storage == Storage::bfloat) return stream_scores_as<Bfloat>(keys, s);
  stream_scores_as<float>(keys, s);
}

template <class Stored>
void stream_pool_as(const Bf16x3Values& values, const Bf16x3Pool& p) {
  if (p.rows > most_rows) return stream_pool_of<Stored>(values, p);
  const SubnormalsAreZero scope(false);
  p.rows == 1 ? pool_rows<1, Stored>(values, p) : pool_rows<most_rows, Stored>(values, p);
}

void stream_pool(const Bf16x3Values& values, const Bf16x3Pool& p) {
  if (p.columns == 0) return;
  if (values.storage == Storage::half) return stream_pool_as<Half>(values, p);
  if (values.storage == Storage::bfloat) return stream_pool_as<Bfloat>(values, p);
  stream_pool_as<float>(values, p);
}

}  // namespace
}  // namespace attn::simd::amxbf16
