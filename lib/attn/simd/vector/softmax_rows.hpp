// Rows of scores on their way to weights: what the kernels of attention share. Included only by kernel sources.
#pragma once

#include <attn/simd/attention.hpp>
#include <attn/simd/vector/math.hpp>

namespace attn::simd::ATTN_SIMD_LEVEL {

template <class T>
inline constexpr T infinity = T(__builtin_inff());

/// Is this the weight of a key that takes no part?
template <class T>
ATTN_INLINE bool is_excluded(T weight) {
  return weight == 0 && __builtin_signbit(weight);
}

/// 1 / ln 2: weights are powers of two. Scores stay as they are until the maximum is subtracted, since the rounding of
/// a product would count by the size of the score, not by how far it lies below the maximum.
template <class T>
inline constexpr T log2_e = T(1.4426950408889634);

/// s becomes softcap tanh(s / softcap) + bias, and -inf where the bias is -inf, whatever the score. A score
/// beyond the range of f32, of which not even the sign is sure, becomes NaN, so that it is seen behind the cap.
template <class T>
ATTN_INLINE void adjust_row(T* row, std::size_t columns, const T* bias, T softcap) {
  constexpr int W = width<T>;
  const V<T> minus_infinity = set1<T>(-infinity<T>);
  const V<T> cap = set1<T>(softcap), cap_inverse = set1<T>(T(1) / softcap);
  for (std::size_t j = 0; j < columns; j += W) {
    V<T> s = load<T>(row + j);
    if (softcap != 0) {
      const V<T> beyond = sizeof(T) == 4 ? s - s : V<T>{};
      s = cap * tanh<T>(s * cap_inverse) + beyond;
    }
    if (bias != nullptr) {
      const V<T> b = load<T>(bias + j);
      s = select<T>(b == minus_infinity, minus_infinity, s + b);
    }
    store<T>(row + j, s);
  }
}

/// Joins blocks to running maxima and totals; what is pooled is joined by keep and add.
template <class T>
ATTN_INLINE void join(std::size_t rows, T* maximum, T* total, const T* block_maximum, const T* block_total, T* keep,
                      T* add) {
  constexpr std::ptrdiff_t W = width<T>;
  const V<T> minus_infinity = set1<T>(-infinity<T>);
  for (std::ptrdiff_t r = 0; r < static_cast<std::ptrdiff_t>(rows); r += W) {
    const std::ptrdiff_t n = static_cast<std::ptrdiff_t>(rows) - r < W ? static_cast<std::ptrdiff_t>(rows) - r : W;
    const V<T> before = load_n<T>(maximum + r, n), block = load_n<T>(block_maximum + r, n);
    const V<T> top = max(before, block);
    const V<T> base = select<T>(top == minus_infinity, V<T>{}, top);  // no key yet: all factors e^-inf
    const V<T> unit = set1<T>(log2_e<T>);
    const V<T> kept = exp2<T>((before - base) * unit), added = exp2<T>((block - base) * unit);
    store_n<T>(keep + r, kept, n);
    store_n<T>(add + r, added, n);
    store_n<T>(total + r, load_n<T>(total + r, n) * kept + load_n<T>(block_total + r, n) * added, n);
    store_n<T>(maximum + r, top, n);
  }
}

/// May some column take no part in row r?
template <class T>
ATTN_INLINE bool excludes_columns(const WeightRows<T>& w, std::size_t r) {
  return w.bias != nullptr || w.first[r] > 0 || w.last[r] < w.columns;
}

/// Softcap, bias and masks, then the maximum of a row; nothing is left of columns that take no part but -inf.
template <class T>
ATTN_INLINE T prepare_row(const WeightRows<T>& w, std::size_t r, T* row) {
  constexpr int W = width<T>;
  const T* bias = w.bias != nullptr ? w.bias[r] : nullptr;
  if (w.softcap != 0 || bias != nullptr) adjust_row<T>(row, w.columns, bias, w.softcap);
  for (std::size_t j = 0; j < w.first[r]; ++j) row[j] = -infinity<T>;
  for (std::size_t j = w.last[r]; j < w.columns; ++j) row[j] = -infinity<T>;
  V<T> a = set1<T>(-infinity<T>), b = a;
  std::size_t j = 0;
  for (; j + 2 * W <= w.columns; j += 2 * W) {
    a = max(load<T>(row + j), a);
    b = max(load<T>(row + j + W), b);
  }
  if (j < w.columns) a = max(load<T>(row + j), a);
  return reduce_max<T>(max(a, b));
}

}  // namespace attn::simd::ATTN_SIMD_LEVEL
