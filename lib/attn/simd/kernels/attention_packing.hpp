// Vectors are scaled and measured; keys and values become panels. Included only by kernel sources.
#pragma once

#include <attn/simd/attention.hpp>
#include <attn/simd/vector/tile.hpp>
#include <attn/simd/vector/transpose.hpp>

namespace attn::simd::ATTN_SIMD_LEVEL {
namespace {

template <class T>
void scale(const T* x, std::size_t n, T factor, T* y) {
  constexpr std::size_t W = static_cast<std::size_t>(width<T>);
  std::size_t c = 0;
  for (; c + W <= n; c += W) store<T>(y + c, load<T>(x + c) * set1<T>(factor) + V<T>{});
  const auto rest = static_cast<std::ptrdiff_t>(n - c);
  if (rest > 0) store_n<T>(y + c, load_n<T>(x + c, rest) * set1<T>(factor) + V<T>{}, rest);
}

template <bool weighted, class T>
double sum_of_squares(const T* x, const T* w, std::size_t n) {
  constexpr std::size_t W = static_cast<std::size_t>(width<double>);
  f64v a = {}, b = {};
  std::size_t c = 0;
  for (; c + 2 * W <= n; c += 2 * W) {
    f64v first = load_f64(x + c), second = load_f64(x + c + W);
    if constexpr (weighted) {
      first = first * load_f64(w + c);
      second = second * load_f64(w + c + W);
    }
    a = fma(first, first, a);
    b = fma(second, second, b);
  }
  double sum = reduce_add<double>(a + b);
  for (; c < n; ++c) {
    const double element = static_cast<double>(x[c]) * (weighted ? static_cast<double>(w[c]) : 1);
    sum += element * element;
  }
  return sum;
}

template <class T>
double square(const T* x, const T* w, std::size_t n) {
  return w == nullptr ? sum_of_squares<false>(x, w, n) : sum_of_squares<true>(x, w, n);
}

template <class T>
void to_unit(T* x, std::size_t n) {
  constexpr std::size_t W = static_cast<std::size_t>(width<double>);
  double sum = square<T>(x, nullptr, n);
  constexpr double least = 0x1p-900, most = 0x1.fffffffffffffp+1023;
  if (sizeof(T) == sizeof(double) && !(sum >= least && sum <= most)) {
    // Squares left the range of f64, or lost digits at its lower end: by a power of two all stay within.
    scale<T>(x, n, static_cast<T>(sum < least ? 0x1p600 : 0x1p-600), x);
    sum = square<T>(x, nullptr, n);
  }
  const double inverse = sum == 0 ? 0 : 1 / __builtin_sqrt(sum);
  std::size_t c = 0;
  for (; c + W <= n; c += W) store_f64(x + c, load_f64(x + c) * set1<double>(inverse));
  for (; c < n; ++c) x[c] = static_cast<T>(static_cast<double>(x[c]) * inverse);
}

template <class T, class Stored>
void pack_keys_as(const KeyPanel& panel, T* packed) {
  constexpr int W = width<T>, panel_width = tile_vectors * W;
  const auto depth = static_cast<std::ptrdiff_t>(panel.depth);
  for (int block = 0; block < tile_vectors; ++block) {
    const std::ptrdiff_t present = static_cast<std::ptrdiff_t>(panel.count) - block * W;
    const Stored* keys = static_cast<const Stored*>(panel.keys) + block * W * panel.stride;
    for (std::ptrdiff_t c = 0; c < depth; c += W) {
      V<T> rows[W];
      if (present >= W && depth - c >= W) {
#pragma GCC unroll 16
        for (int j = 0; j < W; ++j) {
          rows[j] = widen(keys + j * panel.stride + c);
          __builtin_prefetch(keys + (j + W) * panel.stride + c);  // of the next keys
        }
      } else {
        const std::ptrdiff_t n = depth - c < W ? depth - c : W;
#pragma GCC unroll 16
        for (int j = 0; j < W; ++j) rows[j] = j < present ? widen_n<T, Stored>(keys + j * panel.stride + c, n) : V<T>{};
      }
      if (present > 0) transpose<T>(rows);
      T* out = packed + c * panel_width + block * W;
#pragma GCC unroll 16
      for (int i = 0; i < W; ++i)
        if (c + i < depth) store<T>(out + i * panel_width, rows[i]);
    }
  }
}

template <class T, class Stored>
void pack_values_as(const Stored* values, std::ptrdiff_t stride, std::size_t count, std::size_t columns, T* out,
                    std::size_t out_width) {
  constexpr std::ptrdiff_t W = width<T>;
  for (std::size_t j = 0; j < count; ++j, values += stride, out += out_width)
    for (std::ptrdiff_t c = 0; c < static_cast<std::ptrdiff_t>(out_width); c += W) {
      const std::ptrdiff_t n = static_cast<std::ptrdiff_t>(columns) - c;
      store<T>(out + c, n >= W ? widen(values + c) : widen_n<T, Stored>(values + c, n));
    }
}

template <class T>
void pack_keys(const KeyPanel& panel, T* packed) {
  if constexpr (sizeof(T) == 4) {
    if (panel.storage == Storage::half) return pack_keys_as<T, Half>(panel, packed);
    if (panel.storage == Storage::bfloat) return pack_keys_as<T, Bfloat>(panel, packed);
  }
  pack_keys_as<T, T>(panel, packed);
}

template <class T>
void pack_values(const void* values, Storage storage, std::ptrdiff_t stride, std::size_t count, std::size_t columns,
                 T* out, std::size_t out_width) {
  if constexpr (sizeof(T) == 4) {
    if (storage == Storage::half)
      return pack_values_as<T, Half>(static_cast<const Half*>(values), stride, count, columns, out, out_width);
    if (storage == Storage::bfloat)
      return pack_values_as<T, Bfloat>(static_cast<const Bfloat*>(values), stride, count, columns, out, out_width);
  }
  pack_values_as<T, T>(static_cast<const T*>(values), stride, count, columns, out, out_width);
}

}  // namespace
}  // namespace attn::simd::ATTN_SIMD_LEVEL
