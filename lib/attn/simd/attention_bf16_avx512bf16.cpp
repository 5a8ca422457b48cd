#if defined(__x86_64__)
#define ATTN_SIMD_LEVEL avx512bf16
#define ATTN_SIMD_BYTES 64
#include <attn/simd/attention_bf16.hpp>
#include <attn/simd/softmax_rows.hpp>
#include <attn/simd/transpose.hpp>

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
          std::int32_t both;
          __builtin_memcpy(&both, pair + r * a_stride, sizeof both);
          const __m512i element = _mm512_set1_epi32(both);
#pragma GCC unroll 2
          for (int n = 0; n < N; ++n) acc[r][n] = _mm512_dpbf16_ps(acc[r][n], (__m512bh)element, (__m512bh)column[n]);
        }
      }
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r)
#pragma GCC unroll 2
      for (int n = 0; n < N; ++n) _mm512_storeu_ps(y + r * y_stride + n * 16, acc[r][n]);
  }
}

}  // namespace
}  // namespace attn::simd::avx512bf16

#include <attn/simd/attention_bf16_source.hpp>
#endif
