// The kernels of attention.hpp. Included by attention_<instruction set>.cpp alone.

#include <attn/simd/attention.hpp>
#include <attn/simd/kernels/attention_streamed.hpp>
#include <attn/simd/vector/smoothing_kernel.hpp>
#include <attn/simd/vector/softmax_rows.hpp>
#include <attn/simd/vector/tile.hpp>
#include <attn/simd/vector/transpose.hpp>

namespace attn::simd::ATTN_SIMD_LEVEL {
namespace {

// ---- packing -------------------------------------------------------------------------------------------------------

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

// ---- scores --------------------------------------------------------------------------------------------------------

enum class Pair { dot, product, gaussian, weighted_gaussian };

/// acc[r][v] = sum_c (w_c (q_c - k_c))^2 of coordinates [first, last), for R queries and a panel of keys.
template <bool weighted, int R, int N, class T>
ATTN_INLINE void add_squares(const ScoreGroup<T>& g, std::size_t first, std::size_t last, V<T> (&acc)[R][N]) {
  constexpr int W = width<T>;
  const T* queries = g.queries + first;
  const T* keys = g.keys + first * (N * W);
#pragma GCC unroll 6
  for (int r = 0; r < R; ++r)
#pragma GCC unroll 4
    for (int v = 0; v < N; ++v) acc[r][v] = V<T>{};
  for (std::size_t c = first; c < last; ++c, ++queries, keys += N * W) {
    V<T> column[N];
#pragma GCC unroll 4
    for (int v = 0; v < N; ++v) column[v] = load<T>(keys + v * W);
#pragma GCC unroll 6
    for (int r = 0; r < R; ++r) {
      const V<T> element = set1<T>(queries[r * g.query_stride]);
#pragma GCC unroll 4
      for (int v = 0; v < N; ++v) {
        V<T> difference = element - column[v];
        if constexpr (weighted) difference = difference * set1<T>(g.weights[c]);
        acc[r][v] = fma(difference, difference, acc[r][v]);
      }
    }
  }
}

template <Pair pair>
inline constexpr std::size_t score_chain = pair == Pair::dot || pair == Pair::product ? product_chain : square_chain;

/// acc[r][v] = what coordinates [first, last) give.
template <Pair pair, int R, int N, class T>
ATTN_INLINE void score_part(const ScoreGroup<T>& g, std::size_t first, std::size_t last, V<T> (&acc)[R][N]) {
  if constexpr (pair == Pair::dot || pair == Pair::product)
    multiply<R, N, T, T>(acc, g.queries + first, g.query_stride, 1, g.keys + first * (tile_vectors * width<T>),
                         tile_vectors * width<T>, last - first);
  else
    add_squares<pair == Pair::weighted_gaussian, R, N, T>(g, first, last, acc);
}

/// Adds what the coordinates of wide keys behind the first chain give to where the scores will lie. Apart from them,
/// so that registers are those of one chain.
template <Pair pair, int R, int N, class T>
__attribute__((noinline)) void add_further_chains(const ScoreGroup<T>& g) {
  constexpr int W = width<T>;
  constexpr std::size_t chain = score_chain<pair>;
  for (std::size_t first = chain; first < g.depth; first += chain) {
    V<T> acc[R][N];
    score_part<pair, R, N, T>(g, first, g.depth - first > chain ? first + chain : g.depth, acc);
#pragma GCC unroll 6
    for (int r = 0; r < R; ++r)
#pragma GCC unroll 4
      for (int v = 0; v < N; ++v) {
        T* const at = g.scores + r * g.stride + v * W;
        store<T>(at, load<T>(at) + acc[r][v]);
      }
  }
}

/// R rows, which g then no longer begins with.
template <Pair pair, int R, int N, class T>
ATTN_INLINE void score_rows(ScoreGroup<T>& g) {
  constexpr int W = width<T>;
  V<T> acc[R][N];
  const auto store_all = [&]() __attribute__((always_inline)) {
#pragma GCC unroll 6
    for (int r = 0; r < R; ++r)
#pragma GCC unroll 4
      for (int v = 0; v < N; ++v) store<T>(g.scores + r * g.stride + v * W, acc[r][v]);
  };
  score_part<pair, R, N, T>(g, 0, g.depth < score_chain<pair> ? g.depth : score_chain<pair>, acc);
  if (g.depth > score_chain<pair>) {
    store_all();
    add_further_chains<pair, R, N, T>(g);
#pragma GCC unroll 6
    for (int r = 0; r < R; ++r)
#pragma GCC unroll 4
      for (int v = 0; v < N; ++v) acc[r][v] = load<T>(g.scores + r * g.stride + v * W);
  }
  if constexpr (pair != Pair::dot) {
    asm volatile("" : "+m"(g.factor));  // read now: GCC would give it a register that the products need
    const V<T> factor = set1<T>(g.factor);
#pragma GCC unroll 6
    for (int r = 0; r < R; ++r)
#pragma GCC unroll 4
      for (int v = 0; v < N; ++v) acc[r][v] = acc[r][v] * factor;
  }
  store_all();
  if (g.maxima != nullptr) {
#pragma GCC unroll 6
    for (int r = 0; r < R; ++r) {
      V<T> top = load<T>(g.maxima + r * g.stride);
#pragma GCC unroll 4
      for (int v = 0; v < N; ++v) top = max(acc[r][v], top);
      store<T>(g.maxima + r * g.stride, top);
    }
    g.maxima += R * g.stride;
  }
  g.queries += R * g.query_stride;
  g.scores += R * g.stride;
  g.rows -= R;
}

template <Pair pair, int N, class T>
void scores_of_vectors(ScoreGroup<T> g) {
  while (g.rows >= 6) score_rows<pair, 6, N, T>(g);
  if (g.rows >= 4) score_rows<pair, 4, N, T>(g);
  if (g.rows >= 2) score_rows<pair, 2, N, T>(g);
  if (g.rows >= 1) score_rows<pair, 1, N, T>(g);
}

template <Pair pair, class T>
void scores(const ScoreGroup<T>& g) {
  constexpr std::size_t W = static_cast<std::size_t>(width<T>);
  if constexpr (pair == Pair::dot) {  // of short lines
    if (g.columns <= W) return scores_of_vectors<pair, 1, T>(g);
    if (tile_vectors > 2 && g.columns <= 2 * W) return scores_of_vectors<pair, 2, T>(g);
  }
  scores_of_vectors<pair, tile_vectors, T>(g);
}

template <class T>
void gaussian_scores(const ScoreGroup<T>& g) {
  g.weights == nullptr ? scores<Pair::gaussian>(g) : scores<Pair::weighted_gaussian>(g);
}

template <class T>
void additive_scores(const ScoreGroup<T>& g) {
  constexpr int N = tile_vectors, W = width<T>;
  for (std::size_t r = 0; r < g.rows; ++r) {
    const T* keys = g.keys;
    const T* query = g.queries + static_cast<std::ptrdiff_t>(r) * g.query_stride;
    V<T> acc[N] = {};
    for (std::size_t c = 0; c < g.depth; ++c, ++query, keys += N * W) {
      const V<T> element = set1<T>(*query), weight = set1<T>(g.weights[c]);
#pragma GCC unroll 4
      for (int v = 0; v < N; ++v) acc[v] = fma(weight, tanh<T>(element + load<T>(keys + v * W)), acc[v]);
    }
    T* out = g.scores + static_cast<std::ptrdiff_t>(r) * g.stride;
#pragma GCC unroll 4
    for (int v = 0; v < N; ++v) store<T>(out + v * W, acc[v] * set1<T>(g.factor));
  }
}

// ---- weights -------------------------------------------------------------------------------------------------------

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

// ---- pooling -------------------------------------------------------------------------------------------------------

/// The same chains as in the tile, without the keys that take no part. For values that are NaN or infinite.
template <class T, int N, class Stored>
void pool_carefully(const PoolGroup<T>& g, std::size_t r, std::size_t column) {
  constexpr int W = width<T>;
  V<T> acc[N] = {};
  const T* weights = g.weights + static_cast<std::ptrdiff_t>(r) * g.weights_stride;
  const Stored* values = static_cast<const Stored*>(g.values) + column;
  for (std::size_t j = 0; j < g.count; ++j, values += g.values_stride) {
    if (is_excluded(weights[j])) continue;
#pragma GCC unroll 8
    for (int v = 0; v < N; ++v) acc[v] = fma(set1<T>(weights[j]), widen(values + v * W), acc[v]);
  }
  T* out = g.out + static_cast<std::ptrdiff_t>(r) * g.out_stride + column;
#pragma GCC unroll 8
  for (int v = 0; v < N; ++v)
    store<T>(out + v * W, fma(acc[v], set1<T>(g.add[r]), load<T>(out + v * W) * set1<T>(g.keep[r])));
}

/// Keys whose values stay in the nearest cache while all columns use them.
template <class Stored>
constexpr std::size_t streamed_keys = sizeof(Stored) == 2 ? 32 : 16;

/// Keys [first, last) of a tile. Streamed, the chains go on from where `chains` holds them, wait there again unless
/// these keys are the last, and what comes next is fetched.
template <int R, int N, class T, class Stored, bool streams = false>
void pool_tile(const PoolGroup<T>& g, std::size_t column, std::size_t first, std::size_t last, T* chains,
               RowsAhead<Stored>* ahead) {
  constexpr int W = width<T>;
  const T* const weights = g.weights + first;
  const Stored* const values =
      static_cast<const Stored*>(g.values) + static_cast<std::ptrdiff_t>(first) * g.values_stride + column;
  constexpr Columns columns = has_pairs<Stored> && N % 2 == 0 ? Columns::in_pairs : Columns::in_order;
  V<T> acc[R][N] = {};
  if constexpr (!streams) {
    // On Zen 5; on Zen 3 it is no gain.
    if constexpr (ATTN_SIMD_BYTES == 64)
#pragma GCC unroll 6
      for (int r = 0; r < R; ++r)
#pragma GCC unroll 8
        for (int v = 0; v < N; ++v)
          __builtin_prefetch(g.out + r * g.out_stride + static_cast<std::ptrdiff_t>(column) + v * W, 1);
    accumulate<R, N, T, Stored, columns>(acc, weights, g.weights_stride, 1, values, g.values_stride, last - first);
  } else {
    if (first > 0)
#pragma GCC unroll 6
      for (int r = 0; r < R; ++r)
#pragma GCC unroll 8
        for (int v = 0; v < N; ++v) acc[r][v] = load<T>(chains + (r * N + v) * W);
    accumulate<R, N, T, Stored, columns>(acc, weights, g.weights_stride, 1, values, g.values_stride, last - first,
                                         [&] { ahead->fetch(N * W); });
    if (last < g.count) {
#pragma GCC unroll 6
      for (int r = 0; r < R; ++r)
#pragma GCC unroll 8
        for (int v = 0; v < N; ++v) store<T>(chains + (r * N + v) * W, acc[r][v]);
      return;
    }
  }
  if (g.excludes) {
    // x * 0 is 0 for a number and NaN for infinity and NaN.
    V<T> check = {};
#pragma GCC unroll 6
    for (int r = 0; r < R; ++r)
#pragma GCC unroll 8
      for (int v = 0; v < N; ++v) check = check + acc[r][v] * V<T>{};
    if (reduce_add<T>(check) != 0) {
      for (int r = 0; r < R; ++r) pool_carefully<T, N, Stored>(g, static_cast<std::size_t>(r), column);
      return;
    }
  }
#pragma GCC unroll 6
  for (int r = 0; r < R; ++r) {
    T* out = g.out + r * g.out_stride + column;
    const V<T> keep = set1<T>(g.keep[r]), add = set1<T>(g.add[r]);
    if constexpr (columns == Columns::in_pairs)
#pragma GCC unroll 4
      for (int v = 0; v < N; v += 2) put_in_order(acc[r][v], acc[r][v + 1], LaneIndices<T>{});
#pragma GCC unroll 8
    for (int v = 0; v < N; ++v) store<T>(out + v * W, fma(acc[r][v], add, load<T>(out + v * W) * keep));
  }
}

/// Full tiles of N vectors, then what is left in halves of it.
template <int R, int N, class T, class Stored>
void pool_columns(const PoolGroup<T>& g, std::size_t column) {
  constexpr std::size_t tile = static_cast<std::size_t>(N * width<T>);
  for (; g.columns - column >= tile; column += tile)
    pool_tile<R, N, T, Stored>(g, column, 0, g.count, nullptr, nullptr);
  if constexpr (N > 1)
    if (column < g.columns) pool_columns<R, N / 2, T, Stored>(g, column);
}

/// Values that come from memory: a few keys at a time go through some tiles of columns, so that they are read once and
/// in order. Fewer rows have wider tiles, for which it is no gain.
template <int R, int N, class T, class Stored>
void pool_streamed(const PoolGroup<T>& g) {
  constexpr std::size_t tile = static_cast<std::size_t>(N * width<T>), most = 8 * tile, keys = streamed_keys<Stored>;
  T chains[R * most];
  std::size_t begin = 0;
  while (g.columns - begin >= 2 * tile) {
    const std::size_t end = g.columns - begin < most ? begin + (g.columns - begin) / tile * tile : begin + most;
    for (std::size_t first = 0; first < g.count; first += keys) {
      const std::size_t last = g.count - first > keys ? first + keys : g.count;
      RowsAhead<Stored> ahead{
          static_cast<const Stored*>(g.values) + static_cast<std::ptrdiff_t>(first + keys) * g.values_stride + begin,
          g.values_stride, static_cast<std::ptrdiff_t>(end - begin)};
      for (std::size_t column = begin; column < end; column += tile)
        pool_tile<R, N, T, Stored, true>(g, column, first, last, chains + (column - begin) * R, &ahead);
    }
    begin = end;
  }
  pool_columns<R, N, T, Stored>(g, begin);
}

/// Few rows leave registers for wider tiles: values are then read once, row by row.
template <int R>
inline constexpr int pool_vectors = R == 1   ? 8
                                    : R == 2 ? 2 * tile_vectors
                                             : tile_vectors;

template <int R, class T, class Stored>
void pool_rows(const PoolGroup<T>& g) {
  if constexpr (R >= 4)
    if (g.streams) return pool_streamed<R, pool_vectors<R>, T, Stored>(g);
  pool_columns<R, pool_vectors<R>, T, Stored>(g, 0);
}

template <class T, class Stored>
void pool_as(const PoolGroup<T>& g) {
  switch (g.rows) {
    case 6: return pool_rows<6, T, Stored>(g);
    case 4: return pool_rows<4, T, Stored>(g);
    case 2: return pool_rows<2, T, Stored>(g);
    case 1: return pool_rows<1, T, Stored>(g);
  }
}

template <class T>
void pool(const PoolGroup<T>& g) {
  if constexpr (sizeof(T) == 4) {
    if (g.storage == Storage::half) return pool_as<T, Half>(g);
    if (g.storage == Storage::bfloat) return pool_as<T, Bfloat>(g);
  }
  pool_as<T, T>(g);
}

template <class T>
void merge(const MergeRows<T>& m) {
  for (std::size_t r = 0; r < m.rows; ++r) {
    T keep, add;
    join<T>(1, m.maximum + r, m.total + r, m.block_maximum + r, m.block_total + r, &keep, &add);
    T* out = m.out + r * m.columns;
    const T* block = m.block_out + r * m.columns;
    for (std::size_t c = 0; c < m.columns; c += width<T>)
      store<T>(out + c, fma(load<T>(block + c), set1<T>(add), load<T>(out + c) * set1<T>(keep)));
  }
}

template <class T>
constexpr AttentionKernels<T> table = {tile_vectors* width<T>,
                                       width<T>,
                                       scale<T>,
                                       square<T>,
                                       to_unit<T>,
                                       pack_keys<T>,
                                       pack_values<T>,
                                       scores<Pair::dot, T>,
                                       scores<Pair::product, T>,
                                       gaussian_scores<T>,
                                       additive_scores<T>,
                                       stream_scores<T>,
                                       weights<T>,
                                       gradients<T>,
                                       plain_weights<T>,
                                       smooth<T>,
                                       pool<T>,
                                       merge<T>};

}  // namespace

extern const AttentionKernels<float> attention_f32 = table<float>;
extern const AttentionKernels<double> attention_f64 = table<double>;

}  // namespace attn::simd::ATTN_SIMD_LEVEL
