#if defined(__x86_64__)
#define ATTN_SIMD_LEVEL avx512bf16
#define ATTN_SIMD_BYTES 64
#include <attn/simd/attention_bf16.hpp>
#include <attn/simd/vector/bf16_lanes.hpp>
#include <attn/simd/vector/softmax_rows.hpp>
#include <attn/simd/vector/transpose.hpp>

namespace attn::simd::avx512bf16 {
namespace {

void begin() {}
void end() {}

/// Each element is one chain of dot products of pairs, from 0.
template <int R, int N>
void product(const std::uint16_t* a, std::ptrdiff_t a_stride, const std::uint16_t* b, std::ptrdiff_t b_step,
             std::ptrdiff_t b_next, std::size_t steps, float* y, std::ptrdiff_t y_stride) {
  constexpr int rows = 8;
  for (int first = 0; first < R * 16; first += rows, a += rows * a_stride, y += rows * y_stride) {
    __m512 acc[rows][N] = {};
    for (std::size_t s = 0; s < steps; ++s)
      for (std::ptrdiff_t p = 0; p < 16; ++p) {
        const std::uint16_t* const tile = b + static_cast<std::ptrdiff_t>(s) * b_step + p * 32;
        const std::uint16_t* const pair = a + (static_cast<std::ptrdiff_t>(s) * 16 + p) * 2;
        __m512i column[N];
#pragma GCC unroll 2
        for (int n = 0; n < N; ++n) column[n] = _mm512_loadu_si512(tile + n * b_next);
#pragma GCC unroll 8
        for (int r = 0; r < rows; ++r) {
          const __m512bh element = both_of(pair + r * a_stride);
#pragma GCC unroll 2
          for (int n = 0; n < N; ++n) acc[r][n] = _mm512_dpbf16_ps(acc[r][n], element, (__m512bh)column[n]);
        }
      }
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r)
#pragma GCC unroll 2
      for (int n = 0; n < N; ++n) _mm512_storeu_ps(y + r * y_stride + n * 16, acc[r][n]);
  }
}

/// 16 keys at a time are transposed in registers and used at once: the chains of product, without a packed copy. Two
/// strips of keys take turns, so that the chain of one fills the time that the other's takes.
template <int R>
void stream_score_rows(const Bf16Scores& s, const Bf16Rows& keys) {
  constexpr int strips = 2, ahead = 64;
  const auto depth = static_cast<std::ptrdiff_t>(s.steps) * 32, width = static_cast<std::ptrdiff_t>(keys.width);
  const auto count = static_cast<std::ptrdiff_t>(keys.count), last = static_cast<std::ptrdiff_t>(s.last);
  for (auto first = static_cast<std::ptrdiff_t>(s.first); first < last; first += strips * 16) {
    __m512 acc[strips][R] = {};
    for (std::ptrdiff_t c = 0; c < width; c += 32)
#pragma GCC unroll 2
      for (int strip = 0; strip < strips; ++strip) {
        const std::ptrdiff_t key = first + strip * 16;
        const std::uint16_t* const row = keys.data + key * keys.stride + c;
        V<float> column[16];
#pragma GCC unroll 16
        for (int j = 0; j < 16; ++j) {
          column[j] = key + j < count ? load_pairs(row + j * keys.stride, width - c) : V<float>{};
          // Columns of rows are no order that the processor foresees. Into the L2 cache, which has more requests under
          // way at a time than the nearest.
          __builtin_prefetch(row + (j + ahead) * keys.stride, 0, 1);
        }
        transpose<float>(column);
        const std::uint16_t* const q = s.queries + c;
#pragma GCC unroll 16
        for (int p = 0; p < 16; ++p)
#pragma GCC unroll 4
          for (int r = 0; r < R; ++r)
            acc[strip][r] = _mm512_dpbf16_ps(acc[strip][r], both_of(q + r * depth + 2 * p), (__m512bh)column[p]);
      }
#pragma GCC unroll 4
    for (int strip = 0; strip < strips; ++strip)
#pragma GCC unroll 8
      for (int r = 0; r < R; ++r) _mm512_storeu_ps(s.scores + r * s.stride + first + strip * 16, acc[strip][r]);
  }
}

void stream_scores_kernel(const Bf16Scores& s, const Bf16Rows& keys) {
  if (s.rows == 4) return stream_score_rows<4>(s, keys);
  if (s.rows == 2) return stream_score_rows<2>(s, keys);
  stream_score_rows<1>(s, keys);
}

/// Keys whose values stay in the nearest cache while so many columns use them.
constexpr std::ptrdiff_t streamed_keys = 32;
constexpr std::size_t most_streamed_columns = 256;

/// 16 columns of N vectors of two values side by side, the first and the second where they are wanted.
template <int N>
ATTN_INLINE void load_values(const std::uint16_t* row, std::ptrdiff_t stride, std::ptrdiff_t present, bool first,
                             bool second, __m512i (&pairs)[N]) {
#pragma GCC unroll 8
  for (int v = 0; v < N; ++v) {
    const __m512i even = first ? load_columns(row + v * 16, present - v * 16) : __m512i{};
    const __m512i odd = second ? load_columns(row + stride + v * 16, present - v * 16) : __m512i{};
    pairs[v] = pair_columns(even, odd);
  }
}

/// What a tile of a pool is about: rows from `row` on, columns from `column` on, keys [first, last), which are even. A
/// careful one leaves out keys that take no part.
struct StreamTile {
  std::size_t row = 0, column = 0, first = 0, last = 0;
  bool careful = false;
};

/// N vectors of columns of R rows: their chains go on from where `chains` holds them, and wait there again unless these
/// keys are the last. False: a value that is no number must not count, or may not.
template <int R, int N>
bool stream_pool_tile(const Bf16Pool& p, const Bf16Rows& values, const StreamTile& tile, float* chains) {
  const auto present = static_cast<std::ptrdiff_t>(values.width - tile.column);
  const std::uint16_t* row = values.data + static_cast<std::ptrdiff_t>(tile.first) * values.stride + tile.column;
  const std::uint16_t* const weights = p.weights + static_cast<std::ptrdiff_t>(tile.row) * p.weights_stride;
  __m512 acc[R][N] = {};
  if (tile.first > 0)
#pragma GCC unroll 4
    for (int r = 0; r < R; ++r)
#pragma GCC unroll 8
      for (int v = 0; v < N; ++v) acc[r][v] = _mm512_loadu_ps(chains + (r * N + v) * 16);
  const auto add = [&](std::size_t j, const __m512i(&pairs)[N]) __attribute__((always_inline)) {
#pragma GCC unroll 4
    for (int r = 0; r < R; ++r) {
      const __m512bh weight = both_of(weights + r * p.weights_stride + j);
#pragma GCC unroll 8
      for (int v = 0; v < N; ++v) acc[r][v] = _mm512_dpbf16_ps(acc[r][v], weight, (__m512bh)pairs[v]);
    }
  };
  std::size_t j = tile.first;
  if (present >= N * 16 && !tile.careful)
    for (const std::size_t whole = tile.last < values.count ? tile.last : values.count; j + 2 <= whole;
         j += 2, row += 2 * values.stride) {
      __m512i pairs[N];
#pragma GCC unroll 8
      for (int v = 0; v < N; ++v) {
        pairs[v] = pair_columns(load_columns(row + v * 16, 16), load_columns(row + values.stride + v * 16, 16));
        if (v % 2 == 0) {  // a line of the cache holds two
          __builtin_prefetch(row + streamed_keys * values.stride + v * 16);
          __builtin_prefetch(row + (streamed_keys + 1) * values.stride + v * 16);
        }
      }
      add(j, pairs);
    }
  for (; j < tile.last; j += 2, row += 2 * values.stride) {
    __m512i pairs[N];
    load_values<N>(row, values.stride, present, j < values.count && !(tile.careful && weights[j] == excluded_weight),
                   j + 1 < values.count && !(tile.careful && weights[j + 1] == excluded_weight), pairs);
    add(j, pairs);
  }
  if (tile.last < p.keys) {
#pragma GCC unroll 4
    for (int r = 0; r < R; ++r)
#pragma GCC unroll 8
      for (int v = 0; v < N; ++v) _mm512_storeu_ps(chains + (r * N + v) * 16, acc[r][v]);
    return true;
  }
  if (p.excludes && !tile.careful) {
    // x * 0 is 0 for a number and NaN for infinity and NaN.
    V<float> check = {};
#pragma GCC unroll 8
    for (int r = 0; r < R; ++r)
#pragma GCC unroll 8
      for (int v = 0; v < N; ++v) check = check + (V<float>)acc[r][v] * V<float>{};
    if (reduce_add<float>(check) != 0) return false;
  }
#pragma GCC unroll 8
  for (int r = 0; r < R; ++r) {
    const std::size_t at = tile.row + static_cast<std::size_t>(r);
    float* const out = p.out + static_cast<std::ptrdiff_t>(at) * p.out_stride + tile.column;
#pragma GCC unroll 8
    for (int v = 0; v < N; ++v)
      store<float>(out + v * 16, fma((V<float>)acc[r][v], set1<float>(p.add[at]),
                                     load<float>(out + v * 16) * set1<float>(p.keep[at])));
  }
  return true;
}

/// Tiles of columns [begin, end), a few keys at a time, so that values are read once and in order.
template <int R, int N>
void stream_pool_columns(const Bf16Pool& p, const Bf16Rows& values, std::size_t begin, std::size_t end) {
  constexpr std::size_t width = N * 16;
  float chains[R * most_streamed_columns];
  const std::size_t step = end - begin > width ? streamed_keys : p.keys;
  for (std::size_t first = 0; first < p.keys; first += step) {
    const std::size_t last = p.keys - first > step ? first + step : p.keys;
    for (std::size_t column = begin; column < end; column += width) {
      if (stream_pool_tile<R, N>(p, values, {0, column, first, last}, chains + (column - begin) * R)) continue;
      for (std::size_t r = 0; r < p.rows; ++r) stream_pool_tile<1, N>(p, values, {r, column, 0, p.keys, true}, chains);
    }
  }
}

/// Full tiles of N vectors, then what is left in halves of it.
template <int R, int N>
void stream_pool_rows(const Bf16Pool& p, const Bf16Rows& values, std::size_t begin) {
  constexpr std::size_t width = N * 16;
  while (p.columns - begin >= width) {
    const std::size_t left = (p.columns - begin) / width * width;
    const std::size_t end = begin + (left < most_streamed_columns ? left : most_streamed_columns);
    stream_pool_columns<R, N>(p, values, begin, end);
    begin = end;
  }
  if constexpr (N > 1)
    if (begin < p.columns) stream_pool_rows<R, N / 2>(p, values, begin);
}

void stream_pool_kernel(const Bf16Pool& p, const Bf16Rows& values) {
  if (p.rows == 4) return stream_pool_rows<4, 4>(p, values, 0);
  if (p.rows == 2) return stream_pool_rows<2, 8>(p, values, 0);
  stream_pool_rows<1, 8>(p, values, 0);
}

}  // namespace
}  // namespace attn::simd::avx512bf16

#include <attn/simd/kernels/attention_bf16.hpp>
#endif
