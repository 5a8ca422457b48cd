// Transposition of squares of lanes in registers. Included only by kernel sources.
#pragma once

#include <attn/simd/vector.hpp>

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

}  // namespace attn::simd::ATTN_SIMD_LEVEL
