// The kernels of norm.hpp. Included by norm_<instruction set>.cpp alone.

#include <attn/simd/norm.hpp>
#include <attn/simd/vector.hpp>

namespace attn::simd::ATTN_SIMD_LEVEL {
namespace {

// Sums run in f64 in eight lanes that are added in a fixed order, whatever the width of the processor's vectors: the
// bits are the same on all.
constexpr std::size_t lanes = 8;
constexpr int W = width<double>, parts = static_cast<int>(lanes) / W;

/// Sums in eight lanes: step(v, i) adds to vector v of them what belongs to elements i, i + 1, ...; tail(i) is the
/// part of one element. Returns the sum of all lanes.
template <class Step, class Tail>
ATTN_INLINE double sum_in_lanes(std::size_t n, Step step, Tail tail) {
  f64v sums[parts] = {};
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes)
#pragma GCC unroll 4
    for (int v = 0; v < parts; ++v) sums[v] = step(sums[v], i + static_cast<std::size_t>(v * W));
  double sum[lanes];
#pragma GCC unroll 4
  for (int v = 0; v < parts; ++v) store<double>(sum + v * W, sums[v]);
  for (std::size_t lane = 0; i < n; ++i, ++lane) sum[lane] += tail(i);
  return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
}

template <class T>
void add_row(const T* x, const T* residual, std::size_t n, T* sum) {
  constexpr std::size_t step = static_cast<std::size_t>(width<T>);
  std::size_t i = 0;
  for (; i + step <= n; i += step) store<T>(sum + i, load<T>(x + i) + load<T>(residual + i));
  for (; i < n; ++i) sum[i] = x[i] + residual[i];
}

template <class T>
double row_mean(const T* x, std::size_t n) {
  const double sum = sum_in_lanes(
      n, [&](f64v lane, std::size_t i) __attribute__((always_inline)) { return lane + load_f64(x + i); },
      [&](std::size_t i) { return static_cast<double>(x[i]); });
  return sum / static_cast<double>(n);
}

template <class T>
double row_variance(const T* x, std::size_t n, double mean) {
  const double sum = sum_in_lanes(
      n,
      [&](f64v lane, std::size_t i) __attribute__((always_inline)) {
        const f64v d = load_f64(x + i) - set1<double>(mean);
        return lane + d * d;
      },
      [&](std::size_t i) {
        const double d = static_cast<double>(x[i]) - mean;
        return d * d;
      });
  return sum / static_cast<double>(n);
}

template <bool weighted, bool shifted, class T>
void scale_row(NormRow<T> r, const T* x, double mean, double inverse) {
  constexpr std::size_t step = static_cast<std::size_t>(W);
  std::size_t i = 0;
  for (; i + step <= r.n; i += step) {
    f64v y = (load_f64(x + i) - set1<double>(mean)) * set1<double>(inverse);
    if (weighted) y = y * load_f64(r.weight + i);
    if (shifted) y = y + load_f64(r.bias + i);
    store_f64(r.y + i, y);
  }
  for (; i < r.n; ++i) {
    double y = (static_cast<double>(x[i]) - mean) * inverse;
    if (weighted) y = y * static_cast<double>(r.weight[i]);
    if (shifted) y = y + static_cast<double>(r.bias[i]);
    r.y[i] = static_cast<T>(y);
  }
}

template <class T>
RowStatistics scaled_by(const NormRow<T>& r, const T* x, double mean, double variance) {
  const double inverse = 1 / __builtin_sqrt(variance + r.epsilon);
  if (r.weight != nullptr && r.bias != nullptr)
    scale_row<true, true>(r, x, mean, inverse);
  else if (r.weight != nullptr)
    scale_row<true, false>(r, x, mean, inverse);
  else if (r.bias != nullptr)
    scale_row<false, true>(r, x, mean, inverse);
  else
    scale_row<false, false>(r, x, mean, inverse);
  return {mean, inverse};
}

/// The power of two that brings finite numbers whose sum or squares exceed a double to 1 and below; 1 for others.
template <class T>
double shrinking(const T* x, std::size_t n) {
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double size = __builtin_fabs(static_cast<double>(x[i]));
    if (!(size <= __DBL_MAX__)) return 1;
    if (size > largest) largest = size;
  }
  int exponent = 0;
  __builtin_frexp(largest, &exponent);
  return __builtin_ldexp(1, -exponent);
}

template <class T>
RowStatistics normalise(const NormRow<T>& r) {
  const T* x = r.x;
  if (r.residual != nullptr) {
    add_row(r.x, r.residual, r.n, r.sum);
    x = r.sum;
  }
  const double mean = r.is_centred ? row_mean(x, r.n) : 0;
  const double variance = row_variance(x, r.n, mean);
  if (variance <= __DBL_MAX__) return scaled_by(r, x, mean, variance);

  // Not finite: the row has such elements, or its squares do not fit. Then the same on a multiple of it.
  const double scale = shrinking(x, r.n);
  if (scale == 1) return scaled_by(r, x, mean, variance);
  NormRow<T> small = r;
  small.epsilon = r.epsilon * scale * scale;
  for (std::size_t i = 0; i < r.n; ++i) small.y[i] = static_cast<T>(static_cast<double>(x[i]) * scale);
  const double small_mean = r.is_centred ? row_mean(small.y, r.n) : 0;
  const RowStatistics of_small = scaled_by(small, small.y, small_mean, row_variance(small.y, r.n, small_mean));
  return {of_small.mean / scale, of_small.inverse_deviation * scale};
}

}  // namespace

extern const NormKernels<float> norm_f32 = {normalise<float>};
extern const NormKernels<double> norm_f64 = {normalise<double>};

}  // namespace attn::simd::ATTN_SIMD_LEVEL
