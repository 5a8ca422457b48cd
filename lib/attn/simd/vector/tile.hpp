// The register tile: rows x vectors of a product, one accumulator for each. Included only by kernel sources.
#pragma once

#include <attn/simd/vector/vector.hpp>

namespace attn::simd::ATTN_SIMD_LEVEL {

/// Rows and vectors of a full tile: as many accumulators as registers allow beside a row of B and one element of A.
inline constexpr int tile_rows = 6;
#if defined(__aarch64__) || ATTN_SIMD_BYTES == 64
inline constexpr int tile_vectors = 4;  // of 32 registers
#else
inline constexpr int tile_vectors = 2;  // of 16
#endif

struct Nothing {
  __attribute__((always_inline)) void operator()() const {}
};

/// Vectors 2 v and 2 v + 1 hold the even and the odd ones of their columns: what is cheapest for storage in pairs.
enum class Columns { in_order, in_pairs };

/// N vectors of columns, widened.
template <Columns columns, int N, class T, class Stored>
ATTN_INLINE void widen_columns(const Stored* b, V<T> (&column)[N]) {
  if constexpr (columns == Columns::in_order) {
#pragma GCC unroll 8
    for (int v = 0; v < N; ++v) column[v] = widen(b + v * width<T>);
  } else {
#pragma GCC unroll 4
    for (int v = 0; v < N; v += 2) {
      const V<T> pairs = pairs_at(b + v * width<T>);
      column[v] = first_of_pairs(pairs);
      column[v + 1] = second_of_pairs(pairs);
    }
  }
}

/// acc[r][v] += sum_k a[r * row_step + k * depth_step] * b[k * b_step + v * width ...], k in order; `beside` is done
/// once for each k.
template <int R, int N, class T, class Stored, Columns columns = Columns::in_order, class Beside = Nothing>
ATTN_INLINE void accumulate(V<T> (&acc)[R][N], const T* a, std::ptrdiff_t row_step, std::ptrdiff_t depth_step,
                            const Stored* b, std::ptrdiff_t b_step, std::size_t depth, Beside beside = {}) {
#pragma GCC unroll 2
  for (std::size_t k = 0; k < depth; ++k) {
    beside();
    V<T> column[N];
    widen_columns<columns, N, T, Stored>(b, column);
#pragma GCC unroll 6
    for (int r = 0; r < R; ++r) {
      const V<T> element = set1<T>(a[r * row_step]);
#pragma GCC unroll 8
      for (int v = 0; v < N; ++v) acc[r][v] = fma(element, column[v], acc[r][v]);
    }
    a += depth_step;
    b += b_step;
  }
}

/// The same from zeros. On Zen, whose AVX2 adds in units of their own, a store holds multiply-adds up, but no product:
/// while the tile before is stored, this one begins with products, and zeros are added to them for the same bits.
template <int R, int N, class T, class Stored>
ATTN_INLINE void multiply(V<T> (&acc)[R][N], const T* a, std::ptrdiff_t row_step, std::ptrdiff_t depth_step,
                          const Stored* b, std::ptrdiff_t b_step, std::size_t depth) {
#pragma GCC unroll 6
  for (int r = 0; r < R; ++r)
#pragma GCC unroll 8
    for (int v = 0; v < N; ++v) acc[r][v] = V<T>{};
  if (ATTN_SIMD_BYTES == 32 && depth > 0) {
#pragma GCC unroll 6
    for (int r = 0; r < R; ++r)
#pragma GCC unroll 8
      for (int v = 0; v < N; ++v) acc[r][v] = set1<T>(a[r * row_step]) * widen(b + v * width<T>) + V<T>{};
    a += depth_step;
    b += b_step;
    --depth;
  }
  accumulate<R, N, T, Stored>(acc, a, row_step, depth_step, b, b_step, depth);
}

}  // namespace attn::simd::ATTN_SIMD_LEVEL
