// The kernels of norm.hpp. Included by norm_<instruction set>.cpp alone.

#include <attn/simd/norm.hpp>
#include <attn/simd/vector/vector.hpp>

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

// x + residual as T has it, in f64.
ATTN_INLINE f64v load_sum(const float* x, const float* residual) {
  const auto half = [](const float* p) __attribute__((always_inline)) {
    return *reinterpret_cast<const f32_half_v*>(p);
  };
  return __builtin_convertvector(half(x) + half(residual), f64v);
}
ATTN_INLINE f64v load_sum(const double* x, const double* residual) { return load(x) + load(residual); }

/// The row, and a residual added to it, to r.wide; returns the sum.
template <bool added, class T>
double widen_row(const NormRow<T>& r) {
  const T *x = r.x, *residual = r.residual;
  double* wide = r.wide;
  return sum_in_lanes(
      r.n,
      [&](f64v lane, std::size_t i) __attribute__((always_inline)) {
        const f64v elements = added ? load_sum(x + i, residual + i) : load_f64(x + i);
        store(wide + i, elements);
        return lane + elements;
      },
      [&](std::size_t i) { return wide[i] = static_cast<double>(added ? x[i] + residual[i] : x[i]); });
}

double row_variance(const double* x, std::size_t n, double mean) {
  const double sum = sum_in_lanes(
      n,
      [&](f64v lane, std::size_t i) __attribute__((always_inline)) {
        const f64v d = load(x + i) - set1<double>(mean);
        return lane + d * d;
      },
      [&](std::size_t i) {
        const double d = x[i] - mean;
        return d * d;
      });
  return sum / static_cast<double>(n);
}

template <bool weighted, bool shifted, class T>
void scale_row(const NormRow<T>& r, double mean, double inverse) {
  constexpr std::size_t step = static_cast<std::size_t>(W);
  const double *x = r.wide, *weight = r.weight, *bias = r.bias;
  T* const to = r.y;
  const std::size_t n = r.n;
  std::size_t i = 0;
  for (; i + step <= n; i += step) {
    f64v y = (load(x + i) - set1<double>(mean)) * set1<double>(inverse);
    if (weighted) y = y * load(weight + i);
    if (shifted) y = y + load(bias + i);
    store_f64(to + i, y);
  }
  for (; i < n; ++i) {
    double y = (x[i] - mean) * inverse;
    if (weighted) y = y * weight[i];
    if (shifted) y = y + bias[i];
    to[i] = static_cast<T>(y);
  }
}

template <class T>
RowStatistics scaled_by(const NormRow<T>& r, double mean, double variance, double epsilon) {
  const double inverse = 1 / __builtin_sqrt(variance + epsilon);
  if (r.weight != nullptr && r.bias != nullptr)
    scale_row<true, true>(r, mean, inverse);
  else if (r.weight != nullptr)
    scale_row<true, false>(r, mean, inverse);
  else if (r.bias != nullptr)
    scale_row<false, true>(r, mean, inverse);
  else
    scale_row<false, false>(r, mean, inverse);
  return {mean, inverse};
}

/// The power of two that brings finite numbers whose sum or squares exceed a double, or vanish, to 1 and below, or as
/// near to it as leaves room for an epsilon that is as small; 1 for others.
double fitting(const double* x, std::size_t n) {
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double size = __builtin_fabs(x[i]);
    if (!(size <= __DBL_MAX__)) return 1;
    if (size > largest) largest = size;
  }
  int exponent = 0;
  __builtin_frexp(largest, &exponent);
  constexpr int most = 900;
  return __builtin_ldexp(1, exponent < -most ? most : -exponent);
}

template <class T>
RowStatistics normalise(const NormRow<T>& r) {
  const auto n = static_cast<double>(r.n);
  const double sum = r.residual != nullptr ? widen_row<true>(r) : widen_row<false>(r);
  const double mean = r.is_centred ? sum / n : 0, variance = row_variance(r.wide, r.n, mean);
  // Below 2^-900 squares of what counts have lost digits, or all; an epsilon above it hides that.
  constexpr double least = 0x1p-900;
  if (variance <= __DBL_MAX__ && (variance >= least || r.epsilon >= least))
    return scaled_by(r, mean, variance, r.epsilon);

  // The row has elements that are not finite, or its squares do not fit. Then the same on a multiple of it.
  const double scale = fitting(r.wide, r.n);
  if (scale == 1) return scaled_by(r, mean, variance, r.epsilon);
  NormRow<double> multiple;
  multiple.x = multiple.wide = r.wide;
  multiple.n = r.n;
  for (std::size_t i = 0; i < r.n; ++i) r.wide[i] *= scale;
  const double its_mean = r.is_centred ? widen_row<false>(multiple) / n : 0;
  const RowStatistics found = scaled_by(r, its_mean, row_variance(r.wide, r.n, its_mean), r.epsilon * scale * scale);
  return {found.mean / scale, found.inverse_deviation * scale};
}

template <bool weighted, class T>
void differentiate_row(const NormGradientRows<T>& r, const T* x, const T* dy, T* dx) {
  constexpr std::size_t step = static_cast<std::size_t>(W);
  const std::size_t n = r.n;
  double *const g = r.wide, *const z = r.normal;
  NormRow<double> row;
  row.x = row.wide = r.wide;
  row.y = z;
  row.n = n;
  row.epsilon = r.epsilon;
  row.is_centred = r.is_centred;
  std::size_t i = 0;
  for (; i + step <= n; i += step) store(r.wide + i, load_f64(x + i));
  for (; i < n; ++i) r.wide[i] = static_cast<double>(x[i]);
  const double inverse = normalise<double>(row).inverse_deviation;

  const double sum = sum_in_lanes(
      n,
      [&](f64v lane, std::size_t at) __attribute__((always_inline)) {
        const f64v d = load_f64(dy + at), of_g = weighted ? d * load(r.weight + at) : d;
        store(g + at, of_g);
        store(r.dweight + at, load(r.dweight + at) + d * load(z + at));
        store(r.dbias + at, load(r.dbias + at) + d);
        return lane + of_g;
      },
      [&](std::size_t at) {
        const auto d = static_cast<double>(dy[at]);
        r.dweight[at] += d * z[at];
        r.dbias[at] += d;
        return g[at] = weighted ? d * r.weight[at] : d;
      });
  const double along = sum_in_lanes(
      n,
      [&](f64v lane, std::size_t at)
          __attribute__((always_inline)) { return lane + load(static_cast<const double*>(g) + at) * load(z + at); },
      [&](std::size_t at) { return g[at] * z[at]; });
  const double mean = r.is_centred ? sum / static_cast<double>(n) : 0, slope = along / static_cast<double>(n);
  for (i = 0; i + step <= n; i += step)
    store_f64(dx + i, (load(g + i) - set1<double>(mean) - load(z + i) * set1<double>(slope)) * set1<double>(inverse));
  for (; i < n; ++i) dx[i] = static_cast<T>((g[i] - mean - z[i] * slope) * inverse);
}

template <class T>
void differentiate(const NormGradientRows<T>& r) {
  for (std::size_t at = 0; at < r.rows * r.n; at += r.n)
    if (r.weight != nullptr)
      differentiate_row<true>(r, r.x + at, r.dy + at, r.dx + at);
    else
      differentiate_row<false>(r, r.x + at, r.dy + at, r.dx + at);
}

}  // namespace

extern const NormKernels<float> norm_f32 = {normalise<float>, differentiate<float>};
extern const NormKernels<double> norm_f64 = {normalise<double>, differentiate<double>};

}  // namespace attn::simd::ATTN_SIMD_LEVEL
