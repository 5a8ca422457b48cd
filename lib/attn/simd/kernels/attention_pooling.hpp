// Values are pooled by weights, and states are joined. Included only by kernel sources.
#pragma once

#include <attn/simd/attention.hpp>
#include <attn/simd/kernels/attention_streamed.hpp>
#include <attn/simd/vector/softmax_rows.hpp>
#include <attn/simd/vector/tile.hpp>

namespace attn::simd::ATTN_SIMD_LEVEL {
namespace {

/// The same chains as in the tile, without the keys that take no part. For values that are NaN or infinite.
template <class T, int N, class Stored>
void pool_carefully(const PoolGroup<T>& g, std::size_t r, std::size_t column) {
  constexpr int W = width<T>;
  V<T> acc[N] = {};
  const T* weights = g.weights + static_cast<std::ptrdiff_t>(r) * g.weights_stride;
  const Stored* values = static_cast<const Stored*>(g.values) + column;
  for (std::size_t j = 0; j < g.count; ++j, values += g.values_stride) {
    if (is_excluded(weights[j])) continue;
#pragma GCC unroll 8
    for (int v = 0; v < N; ++v) acc[v] = fma(set1<T>(weights[j]), widen(values + v * W), acc[v]);
  }
  T* out = g.out + static_cast<std::ptrdiff_t>(r) * g.out_stride + column;
#pragma GCC unroll 8
  for (int v = 0; v < N; ++v)
    store<T>(out + v * W, fma(acc[v], set1<T>(g.add[r]), load<T>(out + v * W) * set1<T>(g.keep[r])));
}

/// Keys whose values stay in the nearest cache while all columns use them.
template <class Stored>
constexpr std::size_t streamed_keys = sizeof(Stored) == 2 ? 32 : 16;

/// Keys [first, last) of a tile. Streamed, the chains go on from where `chains` holds them, wait there again unless
/// these keys are the last, and what comes next is fetched.
template <int R, int N, class T, class Stored, bool streams = false>
void pool_tile(const PoolGroup<T>& g, std::size_t column, std::size_t first, std::size_t last, T* chains,
               RowsAhead<Stored>* ahead) {
  constexpr int W = width<T>;
  const T* const weights = g.weights + first;
  const Stored* const values =
      static_cast<const Stored*>(g.values) + static_cast<std::ptrdiff_t>(first) * g.values_stride + column;
  constexpr Columns columns = has_pairs<Stored> && N % 2 == 0 ? Columns::in_pairs : Columns::in_order;
  V<T> acc[R][N] = {};
  if constexpr (!streams) {
    // On Zen 5; on Zen 3 it is no gain.
    if constexpr (ATTN_SIMD_BYTES == 64)
#pragma GCC unroll 6
      for (int r = 0; r < R; ++r)
#pragma GCC unroll 8
        for (int v = 0; v < N; ++v)
          __builtin_prefetch(g.out + r * g.out_stride + static_cast<std::ptrdiff_t>(column) + v * W, 1);
    accumulate<R, N, T, Stored, columns>(acc, weights, g.weights_stride, 1, values, g.values_stride, last - first);
  } else {
    if (first > 0)
#pragma GCC unroll 6
      for (int r = 0; r < R; ++r)
#pragma GCC unroll 8
        for (int v = 0; v < N; ++v) acc[r][v] = load<T>(chains + (r * N + v) * W);
    accumulate<R, N, T, Stored, columns>(acc, weights, g.weights_stride, 1, values, g.values_stride, last - first,
                                         [&] { ahead->fetch(N * W); });
    if (last < g.count) {
#pragma GCC unroll 6
      for (int r = 0; r < R; ++r)
#pragma GCC unroll 8
        for (int v = 0; v < N; ++v) store<T>(chains + (r * N + v) * W, acc[r][v]);
      return;
    }
  }
  if (g.excludes) {
    // x * 0 is 0 for a number and NaN for infinity and NaN.
    V<T> check = {};
#pragma GCC unroll 6
    for (int r = 0; r < R; ++r)
#pragma GCC unroll 8
      for (int v = 0; v < N; ++v) check = check + acc[r][v] * V<T>{};
    if (reduce_add<T>(check) != 0) {
      for (int r = 0; r < R; ++r) pool_carefully<T, N, Stored>(g, static_cast<std::size_t>(r), column);
      return;
    }
  }
#pragma GCC unroll 6
  for (int r = 0; r < R; ++r) {
    T* out = g.out + r * g.out_stride + column;
    const V<T> keep = set1<T>(g.keep[r]), add = set1<T>(g.add[r]);
    if constexpr (columns == Columns::in_pairs)
#pragma GCC unroll 4
      for (int v = 0; v < N; v += 2) put_in_order(acc[r][v], acc[r][v + 1], LaneIndices<T>{});
#pragma GCC unroll 8
    for (int v = 0; v < N; ++v) store<T>(out + v * W, fma(acc[r][v], add, load<T>(out + v * W) * keep));
  }
}

/// Full tiles of N vectors, then what is left in halves of it.
template <int R, int N, class T, class Stored>
void pool_columns(const PoolGroup<T>& g, std::size_t column) {
  constexpr std::size_t tile = static_cast<std::size_t>(N * width<T>);
  for (; g.columns - column >= tile; column += tile)
    pool_tile<R, N, T, Stored>(g, column, 0, g.count, nullptr, nullptr);
  if constexpr (N > 1)
    if (column < g.columns) pool_columns<R, N / 2, T, Stored>(g, column);
}

/// Values that come from memory: a few keys at a time go through some tiles of columns, so that they are read once and
/// in order. Fewer rows have wider tiles, for which it is no gain.
template <int R, int N, class T, class Stored>
void pool_streamed(const PoolGroup<T>& g) {
  constexpr std::size_t tile = static_cast<std::size_t>(N * width<T>), most = 8 * tile, keys = streamed_keys<Stored>;
  T chains[R * most];
  std::size_t begin = 0;
  while (g.columns - begin >= 2 * tile) {
    const std::size_t end = g.columns - begin < most ? begin + (g.columns - begin) / tile * tile : begin + most;
    for (std::size_t first = 0; first < g.count; first += keys) {
      const std::size_t last = g.count - first > keys ? first + keys : g.count;
      RowsAhead<Stored> ahead{
          static_cast<const Stored*>(g.values) + static_cast<std::ptrdiff_t>(first + keys) * g.values_stride + begin,
          g.values_stride, static_cast<std::ptrdiff_t>(end - begin)};
      for (std::size_t column = begin; column < end; column += tile)
        pool_tile<R, N, T, Stored, true>(g, column, first, last, chains + (column - begin) * R, &ahead);
    }
    begin = end;
  }
  pool_columns<R, N, T, Stored>(g, begin);
}

/// Few rows leave registers for wider tiles: values are then read once, row by row.
template <int R>
inline constexpr int pool_vectors = R == 1   ? 8
                                    : R == 2 ? 2 * tile_vectors
                                             : tile_vectors;

template <int R, class T, class Stored>
void pool_rows(const PoolGroup<T>& g) {
  if constexpr (R >= 4)
    if (g.streams) return pool_streamed<R, pool_vectors<R>, T, Stored>(g);
  pool_columns<R, pool_vectors<R>, T, Stored>(g, 0);
}

template <class T, class Stored>
void pool_as(const PoolGroup<T>& g) {
  switch (g.rows) {
    case 6: return pool_rows<6, T, Stored>(g);
    case 4: return pool_rows<4, T, Stored>(g);
    case 2: return pool_rows<2, T, Stored>(g);
    case 1: return pool_rows<1, T, Stored>(g);
  }
}

template <class T>
void pool(const PoolGroup<T>& g) {
  if constexpr (sizeof(T) == 4) {
    if (g.storage == Storage::half) return pool_as<T, Half>(g);
    if (g.storage == Storage::bfloat) return pool_as<T, Bfloat>(g);
  }
  pool_as<T, T>(g);
}

template <class T>
void merge(const MergeRows<T>& m) {
  for (std::size_t r = 0; r < m.rows; ++r) {
    T keep, add;
    join<T>(1, m.maximum + r, m.total + r, m.block_maximum + r, m.block_total + r, &keep, &add);
    T* out = m.out + r * m.columns;
    const T* block = m.block_out + r * m.columns;
    for (std::size_t c = 0; c < m.columns; c += width<T>)
      store<T>(out + c, fma(load<T>(block + c), set1<T>(add), load<T>(out + c) * set1<T>(keep)));
  }
}

}  // namespace
}  // namespace attn::simd::ATTN_SIMD_LEVEL
