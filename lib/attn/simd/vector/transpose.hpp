// Transposition of squares of lanes in registers. Included only by kernel sources.
#pragma once

#include <attn/simd/vector/vector.hpp>

namespace attn::simd::ATTN_SIMD_LEVEL {

/// Lane l of the first result: a[l] where the bit H of l is 0, b[l - H] where it is 1; of the second: a[l + H], b[l].
template <class T, int H, int... lane>
ATTN_INLINE void exchange(V<T>& a, V<T>& b, Indices<lane...>) {
  constexpr int W = width<T>;
  const V<T> first = __builtin_shufflevector(a, b, ((lane & H) == 0 ? lane : W + lane - H)...);
  b = __builtin_shufflevector(a, b, ((lane & H) == 0 ? lane + H : W + lane)...);
  a = first;
}

template <class T, int H>
ATTN_INLINE void exchange_all(V<T> (&rows)[width<T>]) {
#pragma GCC unroll 16
  for (int r = 0; r < width<T>; ++r)
    if ((r & H) == 0) exchange<T, H>(rows[r], rows[r + H], LaneIndices<T>{});
  if constexpr (H > 1) exchange_all<T, H / 2>(rows);
}

/// rows[i][l] becomes rows[l][i].
template <class T>
ATTN_INLINE void transpose(V<T> (&rows)[width<T>]) {
  exchange_all<T, width<T> / 2>(rows);
}

/// Words of 32 bits that go through a transposition together: with AVX2 halves of a square, which leave registers to
/// whoever uses them.
inline constexpr int words_together = ATTN_SIMD_BYTES == 32 ? 4 : width<float>;

/// columns[i][l] = word i of row l.
template <class Stored>
ATTN_INLINE void load_words_transposed(const Stored* rows, std::ptrdiff_t stride, f32v (&columns)[words_together]) {
#if ATTN_SIMD_BYTES == 32
  // Parts of two rows are loaded side by side, so that no word has to cross from half to half: on Zen such a step, an
  // insertion too, takes a unit of multiply-adds, which a broadcast from memory and a blend do not.
  const auto load_both = [&](int row) __attribute__((always_inline)) {
    const Stored* const low = rows + row * stride;
    const Stored* const high = low + 4 * stride;
    return _mm256_blend_ps(_mm256_castps128_ps256(_mm_loadu_ps(reinterpret_cast<const float*>(low))),
                           _mm256_broadcast_ps(reinterpret_cast<const __m128*>(high)), 0xf0);
  };
  const __m256 r0 = load_both(0), r1 = load_both(1), r2 = load_both(2), r3 = load_both(3);
  const __m256 a = _mm256_unpacklo_ps(r0, r1), b = _mm256_unpackhi_ps(r0, r1);
  const __m256 c = _mm256_unpacklo_ps(r2, r3), d = _mm256_unpackhi_ps(r2, r3);
  columns[0] = (f32v)_mm256_shuffle_ps(a, c, 0x44);
  columns[1] = (f32v)_mm256_shuffle_ps(a, c, 0xee);
  columns[2] = (f32v)_mm256_shuffle_ps(b, d, 0x44);
  columns[3] = (f32v)_mm256_shuffle_ps(b, d, 0xee);
#else
#pragma GCC unroll 16
  for (int j = 0; j < width<float>; ++j) __builtin_memcpy(&columns[j], rows + j * stride, sizeof columns[j]);
  transpose<float>(columns);
#endif
}

/// Elements that are loaded transposed together.
template <class T, class Stored>
inline constexpr int elements_together = sizeof(Stored) == 4 ? words_together : width<T>;

/// columns[i][l] = element i of row l, widened.
template <class T, class Stored>
ATTN_INLINE void load_transposed(const Stored* rows, std::ptrdiff_t stride,
                                 V<T> (&columns)[elements_together<T, Stored>]) {
  if constexpr (sizeof(Stored) == 4) {
    load_words_transposed(rows, stride, columns);
  } else {
#pragma GCC unroll 16
    for (int j = 0; j < width<T>; ++j) columns[j] = widen(rows + j * stride);
    transpose<T>(columns);
  }
}

}  // namespace attn::simd::ATTN_SIMD_LEVEL
