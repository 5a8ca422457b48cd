// Scores become weights: softmax in the running form, its gradient, and plain weights. Included only by kernel sources.
#pragma once

#include <attn/simd/attention.hpp>
#include <attn/simd/vector/smoothing_kernel.hpp>
#include <attn/simd/vector/softmax_rows.hpp>
#include <attn/simd/vector/tile.hpp>

namespace attn::simd::ATTN_SIMD_LEVEL {
namespace {

/// A vector of scores becomes this weight, which is added to `total`.
template <bool excludes, class T>
ATTN_INLINE void take_weight(T* scores, V<T> weight, V<T>& total) {
  if constexpr (excludes) weight = select<T>(load<T>(scores) == set1<T>(-infinity<T>), set1<T>(T(-0.0)), weight);
  store<T>(scores, weight);
  total = total + weight;
}

/// M vectors of scores become weights; vector v adds to sum v % N.
template <int M, bool excludes, int N, class T>
ATTN_INLINE void weigh_vectors(T* scores, V<T> maximum, V<T> (&total)[N]) {
  constexpr int W = width<T>;
  V<T> weight[M];
#pragma GCC unroll 8
  for (int v = 0; v < M; ++v) weight[v] = (load<T>(scores + v * W) - maximum) * set1<T>(log2_e<T>);
  to_powers_of_two<T>(weight);
#pragma GCC unroll 8
  for (int v = 0; v < M; ++v) take_weight<excludes, T>(scores + v * W, weight[v], total[v % N]);
}

#if ATTN_SIMD_BYTES < 64
/// weigh_row of f64, whose chains are so long that a processor does not see beyond them to the next ones: so three
/// panels are under way, each at another step.
template <bool excludes>
ATTN_INLINE double weigh_row_in_steps(double* row, std::size_t columns, double top) {
  constexpr int N = tile_vectors, W = width<double>, panel = N * W;
  if (columns == 0) return 0;
  const f64v maximum = set1<double>(top);
  f64v total[N] = {}, rounded[N], q[N];
  SplitPower<double> next[N], after[N];
  const auto split = [&](std::size_t column, SplitPower<double>(&to)[N]) __attribute__((always_inline)) {
    for (int v = 0; v < N; ++v)
      to[v] = split_power<double>((load<double>(row + column + v * W) - maximum) * set1<double>(log2_e<double>));
  };
  const auto divide = [&](const SplitPower<double>(&from)[N]) __attribute__((always_inline)) {
    for (int v = 0; v < N; ++v) {
      q[v] = half_of_power_less_one(from[v].f);
      rounded[v] = from[v].rounded;
    }
  };
  const auto join_powers = [&](std::size_t column) __attribute__((always_inline)) {
    for (int v = 0; v < N; ++v)
      take_weight<excludes, double>(row + column + v * W, joined_power(rounded[v], q[v]), total[v]);
  };
  split(0, next);
  divide(next);
  if (columns > panel) split(panel, next);
  std::size_t j = 0;
  for (; j + 2 * panel < columns; j += panel) {
    split(j + 2 * panel, after);
    join_powers(j);
    divide(next);
    for (int v = 0; v < N; ++v) next[v] = after[v];
  }
  join_powers(j);
  if (j + panel < columns) {
    divide(next);
    join_powers(j + panel);
  }
  f64v sum = total[0];
  for (int v = 1; v < N; ++v) sum = sum + total[v];
  return reduce_add<double>(sum);
}
#endif

/// Sums go by panels, so that a key adds to the same lane of the same sum wherever the row begins.
template <class T, bool excludes>
ATTN_INLINE T weigh_row(T* row, std::size_t columns, T top) {
#if ATTN_SIMD_BYTES < 64
  if constexpr (sizeof(T) == 8) return weigh_row_in_steps<excludes>(row, columns, top);
#endif
  // Vectors that become weights together: a panel of two has chains too few to fill their time.
  constexpr int N = tile_vectors, W = width<T>, M = N >= 4 ? N : 2 * N;
  const V<T> maximum = set1<T>(top);
  V<T> total[N] = {};
  std::size_t j = 0;
  for (; j + M * W <= columns; j += M * W) weigh_vectors<M, excludes>(row + j, maximum, total);
  for (; j < columns; j += N * W) weigh_vectors<N, excludes>(row + j, maximum, total);
  V<T> sum = total[0];
  for (int v = 1; v < N; ++v) sum = sum + total[v];
  return reduce_add<T>(sum);
}

/// weigh_row by an exponential as exact for small weights as for large ones: elsewhere the product with log2 e,
/// rounded, costs a weight of e^s up to |s| / 2 of its roundings.
template <class T, bool excludes>
T weigh_shown_row(T* row, std::size_t columns, T top) {
  constexpr std::size_t W = static_cast<std::size_t>(width<T>);
  V<T> total = {};
  for (std::size_t j = 0; j < columns; j += W)
    take_weight<excludes, T>(row + j, exp<T>(load<T>(row + j) - set1<T>(top)), total);
  return reduce_add<T>(total);
}

template <class T, bool excludes>
ATTN_INLINE T weigh_row_of(const WeightRows<T>& w, T* row, T top) {
  return w.are_shown ? weigh_shown_row<T, excludes>(row, w.columns, top) : weigh_row<T, excludes>(row, w.columns, top);
}

template <class T>
void weights(const WeightRows<T>& w) {
  T maximum[most_weight_rows], total[most_weight_rows];
  for (std::size_t r = 0; r < w.rows; ++r) {
    const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(r) * w.stride;
    const bool is_known = w.maxima != nullptr && w.softcap == 0 && !excludes_columns<T>(w, r);
    maximum[r] = is_known ? reduce_max<T>(load<T>(w.maxima + row)) : prepare_row<T>(w, r, w.scores + row);
  }
  for (std::size_t r = 0; r < w.rows; ++r) {
    T* row = w.scores + static_cast<std::ptrdiff_t>(r) * w.stride;
    const T base = maximum[r] == -infinity<T> ? T(0) : maximum[r];  // no key: all weights e^-inf
    total[r] = excludes_columns<T>(w, r) ? weigh_row_of<T, true>(w, row, base) : weigh_row_of<T, false>(w, row, base);
  }
  join<T>(w.rows, w.maximum, w.total, maximum, total, w.keep, w.add);
}

template <class T>
ATTN_INLINE void differentiate_row(T* scores, T* dweights, std::size_t columns, T lse, T delta) {
  constexpr int N = tile_vectors, W = width<T>;
  for (std::size_t j = 0; j < columns; j += N * W) {
    V<T> weight[N];
#pragma GCC unroll 4
    for (int v = 0; v < N; ++v) weight[v] = (load<T>(scores + j + v * W) - set1<T>(lse)) * set1<T>(log2_e<T>);
    to_powers_of_two<T>(weight);
#pragma GCC unroll 4
    for (int v = 0; v < N; ++v) {
      T *const score = scores + j + v * W, *const dweight = dweights + j + v * W;
      const auto takes_no_part = load<T>(score) == set1<T>(-infinity<T>);
      const V<T> gradient = weight[v] * (load<T>(dweight) - set1<T>(delta));
      store<T>(score, select<T>(takes_no_part, set1<T>(T(-0.0)), weight[v]));
      store<T>(dweight, select<T>(takes_no_part, set1<T>(T(-0.0)), gradient));
    }
  }
}

template <class T>
void gradients(const GradientRows<T>& g) {
  const WeightRows<T>& w = g.w;
  for (std::size_t r = 0; r < w.rows; ++r) {
    const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(r) * w.stride;
    T* const scores = w.scores + row;
    for (std::size_t j = 0; w.softcap != 0 && j < w.columns; j += static_cast<std::size_t>(width<T>)) {
      const V<T> t = tanh<T>(load<T>(scores + j) * set1<T>(T(1) / w.softcap));
      store<T>(g.slopes + row + j, set1<T>(T(1)) - t * t);
    }
    prepare_row<T>(w, r, scores);
    differentiate_row<T>(scores, g.dweights + row, w.columns, g.lse[r] == -infinity<T> ? T(0) : g.lse[r], g.delta[r]);
  }
}

/// The sum of a row of weights that are the scores themselves, or 1.
template <class T>
ATTN_INLINE T take_row(T* row, std::size_t columns, PlainWeight weight) {
  constexpr std::size_t W = static_cast<std::size_t>(width<T>);
  V<T> total = {};
  for (std::size_t j = 0; j < columns; j += W)
    take_weight<true, T>(row + j, weight == PlainWeight::one ? set1<T>(T(1)) : load<T>(row + j), total);
  return reduce_add<T>(total);
}

template <class T>
void plain_weights(const WeightRows<T>& w, PlainWeight weight) {
  constexpr std::size_t W = static_cast<std::size_t>(width<T>);
  T maximum[most_weight_rows], total[most_weight_rows];
  for (std::size_t r = 0; r < w.rows; ++r) {
    T* const row = w.scores + static_cast<std::ptrdiff_t>(r) * w.stride;
    for (std::size_t j = 0; j < w.columns; j += W) {
      // Beyond the range of f32 a score has lost its sign. Adding 0 makes every zero positive: -0 excludes.
      const V<T> s = weight == PlainWeight::one ? V<T>{} : load<T>(row + j);
      store<T>(row + j, s + (sizeof(T) == 4 ? s - s : V<T>{}));
    }
    maximum[r] = prepare_row<T>(w, r, row) == -infinity<T> ? -infinity<T> : T(0);
    total[r] = weight == PlainWeight::exponential ? weigh_shown_row<T, true>(row, w.columns, T(0))
                                                  : take_row<T>(row, w.columns, weight);
  }
  join<T>(w.rows, w.maximum, w.total, maximum, total, w.keep, w.add);
}

template <class T>
void smooth(const Smoothing& smoothing, T* squares, std::size_t n) {
  constexpr std::size_t W = static_cast<std::size_t>(width<T>);
  with_kernel(smoothing.kernel, [&](auto kernel) {
    using K = decltype(kernel);
    // The border of a closed kernel is compared as it is given, so that it does not depend on the rounding of 1 /
    // width.
    const double inverse = K::is_closed ? 1 : K::unit / smoothing.width, edge = K::is_closed ? smoothing.width : 1;
    const V<T> scale = set1<T>(static_cast<T>(inverse * inverse)), factor = set1<T>(static_cast<T>(smoothing.factor));
    const V<T> border = set1<T>(static_cast<T>(edge) * static_cast<T>(edge));
    for (std::size_t j = 0; j < n; j += W) {
      V<T> u = load<T>(squares + j) * scale;
      if constexpr (K::uses_u) u = sqrt<T>(max(V<T>{}, u));  // expanded, a square may round below 0
      store<T>(squares + j, K::template weight<T>(u, border) * factor);
    }
  });
}

}  // namespace
}  // namespace attn::simd::ATTN_SIMD_LEVEL
