// Scores of queries with packed keys. Included only by kernel sources.
#pragma once

#include <attn/simd/attention.hpp>
#include <attn/simd/vector/math.hpp>
#include <attn/simd/vector/tile.hpp>

namespace attn::simd::ATTN_SIMD_LEVEL {
namespace {

enum class Pair { dot, product, gaussian, weighted_gaussian };

/// acc[r][v] = sum_c (w_c (q_c - k_c))^2 of coordinates [first, last), for R queries and a panel of keys.
template <bool weighted, int R, int N, class T>
ATTN_INLINE void add_squares(const ScoreGroup<T>& g, std::size_t first, std::size_t last, V<T> (&acc)[R][N]) {
  constexpr int W = width<T>;
  const T* queries = g.queries + first;
  const T* keys = g.keys + first * (N * W);
#pragma GCC unroll 6
  for (int r = 0; r < R; ++r)
#pragma GCC unroll 4
    for (int v = 0; v < N; ++v) acc[r][v] = V<T>{};
  for (std::size_t c = first; c < last; ++c, ++queries, keys += N * W) {
    V<T> column[N];
#pragma GCC unroll 4
    for (int v = 0; v < N; ++v) column[v] = load<T>(keys + v * W);
#pragma GCC unroll 6
    for (int r = 0; r < R; ++r) {
      const V<T> element = set1<T>(queries[r * g.query_stride]);
#pragma GCC unroll 4
      for (int v = 0; v < N; ++v) {
        V<T> difference = element - column[v];
        if constexpr (weighted) difference = difference * set1<T>(g.weights[c]);
        acc[r][v] = fma(difference, difference, acc[r][v]);
      }
    }
  }
}

template <Pair pair>
inline constexpr std::size_t score_chain = pair == Pair::dot || pair == Pair::product ? product_chain : square_chain;

/// acc[r][v] = what coordinates [first, last) give.
template <Pair pair, int R, int N, class T>
ATTN_INLINE void score_part(const ScoreGroup<T>& g, std::size_t first, std::size_t last, V<T> (&acc)[R][N]) {
  if constexpr (pair == Pair::dot || pair == Pair::product)
    multiply<R, N, T, T>(acc, g.queries + first, g.query_stride, 1, g.keys + first * (tile_vectors * width<T>),
                         tile_vectors * width<T>, last - first);
  else
    add_squares<pair == Pair::weighted_gaussian, R, N, T>(g, first, last, acc);
}

/// Adds what the coordinates of wide keys behind the first chain give to where the scores will lie. Apart from them,
/// so that registers are those of one chain.
template <Pair pair, int R, int N, class T>
__attribute__((noinline)) void add_further_chains(const ScoreGroup<T>& g) {
  constexpr int W = width<T>;
  constexpr std::size_t chain = score_chain<pair>;
  for (std::size_t first = chain; first < g.depth; first += chain) {
    V<T> acc[R][N];
    score_part<pair, R, N, T>(g, first, g.depth - first > chain ? first + chain : g.depth, acc);
#pragma GCC unroll 6
    for (int r = 0; r < R; ++r)
#pragma GCC unroll 4
      for (int v = 0; v < N; ++v) {
        T* const at = g.scores + r * g.stride + v * W;
        store<T>(at, load<T>(at) + acc[r][v]);
      }
  }
}

/// R rows, which g then no longer begins with.
template <Pair pair, int R, int N, class T>
ATTN_INLINE void score_rows(ScoreGroup<T>& g) {
  constexpr int W = width<T>;
  V<T> acc[R][N];
  const auto store_all = [&]() __attribute__((always_inline)) {
#pragma GCC unroll 6
    for (int r = 0; r < R; ++r)
#pragma GCC unroll 4
      for (int v = 0; v < N; ++v) store<T>(g.scores + r * g.stride + v * W, acc[r][v]);
  };
  score_part<pair, R, N, T>(g, 0, g.depth < score_chain<pair> ? g.depth : score_chain<pair>, acc);
  if (g.depth > score_chain<pair>) {
    store_all();
    add_further_chains<pair, R, N, T>(g);
#pragma GCC unroll 6
    for (int r = 0; r < R; ++r)
#pragma GCC unroll 4
      for (int v = 0; v < N; ++v) acc[r][v] = load<T>(g.scores + r * g.stride + v * W);
  }
  if constexpr (pair != Pair::dot) {
    asm volatile("" : "+m"(g.factor));  // read now: GCC would give it a register that the products need
    const V<T> factor = set1<T>(g.factor);
#pragma GCC unroll 6
    for (int r = 0; r < R; ++r)
#pragma GCC unroll 4
      for (int v = 0; v < N; ++v) acc[r][v] = acc[r][v] * factor;
  }
  store_all();
  if (g.maxima != nullptr) {
#pragma GCC unroll 6
    for (int r = 0; r < R; ++r) {
      V<T> top = load<T>(g.maxima + r * g.stride);
#pragma GCC unroll 4
      for (int v = 0; v < N; ++v) top = max(acc[r][v], top);
      store<T>(g.maxima + r * g.stride, top);
    }
    g.maxima += R * g.stride;
  }
  g.queries += R * g.query_stride;
  g.scores += R * g.stride;
  g.rows -= R;
}

template <Pair pair, int N, class T>
void scores_of_vectors(ScoreGroup<T> g) {
  while (g.rows >= 6) score_rows<pair, 6, N, T>(g);
  if (g.rows >= 4) score_rows<pair, 4, N, T>(g);
  if (g.rows >= 2) score_rows<pair, 2, N, T>(g);
  if (g.rows >= 1) score_rows<pair, 1, N, T>(g);
}

template <Pair pair, class T>
void scores(const ScoreGroup<T>& g) {
  constexpr std::size_t W = static_cast<std::size_t>(width<T>);
  if constexpr (pair == Pair::dot) {  // of short lines
    if (g.columns <= W) return scores_of_vectors<pair, 1, T>(g);
    if (tile_vectors > 2 && g.columns <= 2 * W) return scores_of_vectors<pair, 2, T>(g);
  }
  scores_of_vectors<pair, tile_vectors, T>(g);
}

template <class T>
void gaussian_scores(const ScoreGroup<T>& g) {
  g.weights == nullptr ? scores<Pair::gaussian>(g) : scores<Pair::weighted_gaussian>(g);
}

template <class T>
void additive_scores(const ScoreGroup<T>& g) {
  constexpr int N = tile_vectors, W = width<T>;
  for (std::size_t r = 0; r < g.rows; ++r) {
    const T* keys = g.keys;
    const T* query = g.queries + static_cast<std::ptrdiff_t>(r) * g.query_stride;
    V<T> acc[N] = {};
    for (std::size_t c = 0; c < g.depth; ++c, ++query, keys += N * W) {
      const V<T> element = set1<T>(*query), weight = set1<T>(g.weights[c]);
#pragma GCC unroll 4
      for (int v = 0; v < N; ++v) acc[v] = fma(weight, tanh<T>(element + load<T>(keys + v * W)), acc[v]);
    }
    T* out = g.scores + static_cast<std::ptrdiff_t>(r) * g.stride;
#pragma GCC unroll 4
    for (int v = 0; v < N; ++v) store<T>(out + v * W, acc[v] * set1<T>(g.factor));
  }
}

}  // namespace
}  // namespace attn::simd::ATTN_SIMD_LEVEL
