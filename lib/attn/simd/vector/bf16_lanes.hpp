// Lanes of bf16: how numbers become such, and their way into dot products of pairs. Included only by kernel sources.
#pragma once

#include <attn/simd/vector/vector.hpp>

namespace attn::simd::ATTN_SIMD_LEVEL {

inline constexpr std::uint16_t excluded_weight = 0x8000;  // -0

/// 32 elements of bf16; `present` of them, the others 0 and their memory not touched.
ATTN_INLINE f32v load_pairs(const std::uint16_t* p, std::ptrdiff_t present) {
  if (present >= 32) return (f32v)_mm512_loadu_si512(p);
  return (f32v)_mm512_maskz_loadu_epi16(present <= 0 ? 0u : (1u << present) - 1, p);
}

/// 16 elements of bf16 in the low halves of 32 bits.
ATTN_INLINE __m512i load_columns(const std::uint16_t* p, std::ptrdiff_t present) {
  if (present >= 16) return _mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
  return _mm512_cvtepu16_epi32(_mm256_maskz_loadu_epi16(static_cast<__mmask16>((1u << present) - 1), p));
}

/// Two neighbours, in all lanes.
ATTN_INLINE __m512bh both_of(const std::uint16_t* pair) {
  std::int32_t both;
  __builtin_memcpy(&both, pair, sizeof both);
  return (__m512bh)_mm512_set1_epi32(both);
}

/// f32 to bf16: to nearest, ties to even.
inline void round_lanes(const float* x, std::size_t count, std::uint16_t* rounded) {
  for (std::size_t i = 0; i < count; i += 16) {
    const std::size_t n = count - i < 16 ? count - i : 16;
    const auto lanes = static_cast<__mmask16>((1u << n) - 1);
    const auto narrow = reinterpret_cast<__m256i>(_mm512_cvtneps_pbh(_mm512_maskz_loadu_ps(lanes, x + i)));
    _mm256_mask_storeu_epi16(rounded + i, lanes, narrow);
  }
}

/// Columns of two rows side by side.
ATTN_INLINE __m512i pair_columns(__m512i even, __m512i odd) {
  return _mm512_or_si512(even, _mm512_slli_epi32(odd, 16));
}

}  // namespace attn::simd::ATTN_SIMD_LEVEL
