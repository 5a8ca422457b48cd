#if defined(__x86_64__)
#define ATTN_SIMD_LEVEL avx512bf16
#define ATTN_SIMD_BYTES 64
#include <attn/simd/gemm_bf16.hpp>
#include <attn/simd/vector/bf16_lanes.hpp>
#include <attn/simd/vector/vector.hpp>

#include <immintrin.h>

namespace attn::simd::avx512bf16 {
namespace {

constexpr std::size_t tile_side = 16, tile_elements = 512;
/// Elements from a load to what is fetched into the L2 cache: a panel is used up faster than memory answers.
constexpr std::size_t ahead = 8192;

/// R rows times one panel of N tiles. Each element is one chain of dot products of pairs, from 0.
template <int R, int N>
void block(const Bf16Product& p, std::size_t row, std::size_t column) {
  const std::uint16_t* a = p.a + static_cast<std::ptrdiff_t>(row) * p.a_stride;
  const std::uint16_t* b = p.b + column * 2 * tile_side * p.steps;
  __m512 acc[R][N] = {};
  for (std::size_t s = 0; s < p.steps; ++s, b += N * tile_elements)
#pragma GCC unroll 2
    for (std::size_t pair = 0; pair < tile_side; ++pair, a += 2) {
      __m512bh columns[N];
#pragma GCC unroll 2
      for (int n = 0; n < N; ++n) {
        __builtin_prefetch(b + static_cast<std::size_t>(n) * tile_elements + pair * 32 + ahead, 0, 1);
        columns[n] = (__m512bh)_mm512_loadu_si512(b + static_cast<std::size_t>(n) * tile_elements + pair * 32);
      }
#pragma GCC unroll 12
      for (int r = 0; r < R; ++r) {
        const __m512bh element = both_of(a + r * p.a_stride);
#pragma GCC unroll 2
        for (int n = 0; n < N; ++n) acc[r][n] = _mm512_dpbf16_ps(acc[r][n], element, columns[n]);
      }
    }
  float* y = p.y + static_cast<std::ptrdiff_t>(row) * p.y_stride + column;
  const std::size_t left = p.columns - column - (N - 1) * tile_side;  // columns of the last vector
  const auto lanes = static_cast<__mmask16>(left >= tile_side ? 0xffff : (1u << left) - 1);
#pragma GCC unroll 12
  for (int r = 0; r < R; ++r, y += p.y_stride) {
#pragma GCC unroll 2
    for (int n = 0; n < N - 1; ++n) _mm512_storeu_ps(y + n * 16, acc[r][n]);
    _mm512_mask_storeu_ps(y + (N - 1) * 16, lanes, acc[r][N - 1]);
  }
}

template <int N>
void panel(const Bf16Product& p, std::size_t column) {
  std::size_t row = 0;
  for (; p.rows - row >= 12; row += 12) block<12, N>(p, row, column);
  if (p.rows - row >= 8) block<8, N>(p, row, column), row += 8;
  if (p.rows - row >= 4) block<4, N>(p, row, column), row += 4;
  for (; row < p.rows; ++row) block<1, N>(p, row, column);
}

void multiply(const Bf16Product& p) {
  for (std::size_t column = 0; column < p.columns; column += 2 * tile_side)
    p.columns - column > tile_side ? panel<2>(p, column) : panel<1>(p, column);
}

}  // namespace

extern const Bf16GemmKernels gemm_bf16 = {round_lanes, multiply};

}  // namespace attn::simd::avx512bf16
#endif
