// Attention of few queries: keys and values are read once, as they lie in memory. Included only by kernel sources.
#pragma once

#include <attn/simd/attention.hpp>
#include <attn/simd/vector/transpose.hpp>

namespace attn::simd::ATTN_SIMD_LEVEL {

/// acc[s][r] += q[r][i] column[s][i], i < count in order; `beside(i)` is done before each.
template <int S, int R, int N, class T, class Beside>
ATTN_INLINE void add_columns(V<T> (&acc)[S][R], const T* q, std::ptrdiff_t q_stride, const V<T> (&column)[S][N],
                             std::ptrdiff_t count, Beside beside) {
#pragma GCC unroll 16
  for (std::ptrdiff_t i = 0; i < N; ++i)
    if (i < count) {
      beside(i);
#pragma GCC unroll 6
      for (int r = 0; r < R; ++r) {
        const V<T> element = set1<T>(q[r * q_stride + i]);
#pragma GCC unroll 2
        for (int s = 0; s < S; ++s) acc[s][r] = fma(element, column[s][i], acc[s][r]);
      }
    }
}

/// Rows that come from memory column block by column block, or key by key in tiles of columns, are no order that the
/// processor foresees: what comes next is asked for row by row, some elements at a time.
template <class Stored>
struct RowsAhead {
  const Stored* row;
  std::ptrdiff_t stride, columns, column = 0;

  __attribute__((always_inline)) void fetch(std::ptrdiff_t elements) {
    __builtin_prefetch(row + column);
    column += elements;
    if (column >= columns) {
      column = 0;
      row += stride;
    }
  }
};

/// Elements of a line of the cache.
template <class Stored>
inline constexpr std::ptrdiff_t line_elements = 64 / static_cast<std::ptrdiff_t>(sizeof(Stored));

/// Scores of S strips of W keys, the first of which is key `first`: squares of W keys are transposed in registers and
/// used at once. Two strips, both whole, go together: the chains of one would wait for themselves. One strip is at the
/// end of the keys.
template <int R, int S, class T, class Stored>
ATTN_INLINE void stream_strips(const KeyPanel& keys, const ScoreGroup<T>& g, std::ptrdiff_t first) {
  constexpr int W = width<T>;
  const auto depth = static_cast<std::ptrdiff_t>(keys.depth), present = static_cast<std::ptrdiff_t>(keys.count) - first;
  const std::ptrdiff_t stride = keys.stride;
  const Stored* const strips = static_cast<const Stored*>(keys.keys) + first * stride;
  RowsAhead<Stored> ahead{strips + 2 * W * stride, stride, depth};
  // As many lines as the columns have that are read meanwhile, half of them between the strips that are transposed and
  // half between the columns that are multiplied: asked for together they wait for a place (Golden Cove has 16), and
  // memory waits for the transpositions (0.77 of plain reading; like this 1.0).
  const auto fetch = [&](std::ptrdiff_t columns) __attribute__((always_inline)) {
#pragma GCC unroll 8
    for (std::ptrdiff_t line = 0; line < W * columns / (2 * line_elements<Stored>); ++line)
      ahead.fetch(line_elements<Stored>);
  };
  constexpr std::ptrdiff_t columns_of_line = 2 * line_elements<Stored> / (S * W);
  const auto fetch_at = [&](std::ptrdiff_t column) __attribute__((always_inline)) {
    if (column % columns_of_line == 0) ahead.fetch(line_elements<Stored>);
  };
  V<T> acc[S][R] = {}, sum[S][R] = {};
  std::ptrdiff_t c = 0;
  const auto advance_to = [&](std::ptrdiff_t column) __attribute__((always_inline)) {
    c = column;
    if (c % static_cast<std::ptrdiff_t>(product_chain) != 0) return;
#pragma GCC unroll 2
    for (int s = 0; s < S; ++s)
#pragma GCC unroll 6
      for (int r = 0; r < R; ++r) {
        sum[s][r] = sum[s][r] + acc[s][r];
        acc[s][r] = V<T>{};
      }
  };
  if constexpr (S > 1) {
    const T* query = g.queries;
    const Stored* strip[S];
    for (int s = 0; s < S; ++s) strip[s] = strips + s * W * stride;
    const auto advance = [&](std::ptrdiff_t columns) __attribute__((always_inline)) {
      advance_to(c + columns);
      query += columns;
      for (int s = 0; s < S; ++s) strip[s] += columns;
    };
    if constexpr (has_pairs<Stored>)
      for (constexpr int N = words_together; depth - c >= 2 * N; advance(2 * N)) {
        V<T> pairs[S][N];
#pragma GCC unroll 2
        for (int s = 0; s < S; ++s) {
          fetch(2 * N);
          load_words_transposed(strip[s], stride, pairs[s]);
        }
#pragma GCC unroll 16
        for (int i = 0; i < N; ++i) {
          V<T> column[S][2];
#pragma GCC unroll 2
          for (int s = 0; s < S; ++s) {
            column[s][0] = first_of_pairs(pairs[s][i]);
            column[s][1] = second_of_pairs(pairs[s][i]);
          }
          add_columns(
              acc, query + 2 * i, g.query_stride, column,
              2, [&](std::ptrdiff_t second) __attribute__((always_inline)) { fetch_at(2 * i + second); });
        }
      }
    for (constexpr int N = elements_together<T, Stored>; depth - c >= N; advance(N)) {
      V<T> column[S][N];
#pragma GCC unroll 2
      for (int s = 0; s < S; ++s) {
        fetch(N);
        load_transposed<T>(strip[s], stride, column[s]);
      }
      add_columns(acc, query, g.query_stride, column, N, fetch_at);
    }
  }
  for (; c < depth; advance_to(c + W)) {
    V<T> column[S][W];
    for (int s = 0; s < S; ++s) {
#pragma GCC unroll 16
      for (int j = 0; j < W; ++j)
        column[s][j] = s * W + j < present ? widen_n<T, Stored>(strips + (s * W + j) * stride + c, depth - c) : V<T>{};
      transpose<T>(column[s]);
    }
    add_columns(acc, g.queries + c, g.query_stride, column, depth - c, [](std::ptrdiff_t) {});
  }
#pragma GCC unroll 2
  for (int s = 0; s < S; ++s)
#pragma GCC unroll 6
    for (int r = 0; r < R; ++r) store<T>(g.scores + r * g.stride + first + s * W, sum[s][r] + acc[s][r]);
}

/// The chains of dot_scores, without a packed copy.
template <int R, class T, class Stored>
void stream_rows(const KeyPanel& keys, const ScoreGroup<T>& g) {
  constexpr int W = width<T>, S = 2;
  const auto count = static_cast<std::ptrdiff_t>(keys.count);
  std::ptrdiff_t first = 0;
  for (; count - first >= S * W; first += S * W) stream_strips<R, S, T, Stored>(keys, g, first);
  for (; first < count; first += W) stream_strips<R, 1, T, Stored>(keys, g, first);
}

template <class T, class Stored>
void stream_as(const KeyPanel& keys, const ScoreGroup<T>& g) {
  switch (g.rows) {
    case 6: return stream_rows<6, T, Stored>(keys, g);
    case 4: return stream_rows<4, T, Stored>(keys, g);
    case 2: return stream_rows<2, T, Stored>(keys, g);
    case 1: return stream_rows<1, T, Stored>(keys, g);
  }
}

template <class T>
void stream_scores(const KeyPanel& keys, const ScoreGroup<T>& g) {
  if constexpr (sizeof(T) == 4) {
    if (keys.storage == Storage::half) return stream_as<T, Half>(keys, g);
    if (keys.storage == Storage::bfloat) return stream_as<T, Bfloat>(keys, g);
  }
  stream_as<T, T>(keys, g);
}

}  // namespace attn::simd::ATTN_SIMD_LEVEL
