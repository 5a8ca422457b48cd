// The kernels of norm.hpp. Included by norm_<instruction set>.cpp alone.

#include <attn/simd/norm.hpp>

// Functions that return vectors are all inlined: how a call would pass them does not matter.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace attn::simd::ATTN_SIMD_LEVEL {
namespace {

// Sums run in f64 in eight lanes that are added in a fixed order, whatever the width of the processor's vectors: the
// bits are the same on all.
constexpr std::size_t lanes = 8;
using Lanes [[gnu::vector_size(lanes * sizeof(double))]] = double;

__attribute__((always_inline)) inline Lanes wide(const float* x) {
  using Narrow [[gnu::vector_size(lanes * sizeof(float)), gnu::aligned(4), gnu::may_alias]] = float;
  return __builtin_convertvector(*reinterpret_cast<const Narrow*>(x), Lanes);
}
__attribute__((always_inline)) inline Lanes wide(const double* x) {
  using Unaligned [[gnu::vector_size(lanes * sizeof(double)), gnu::aligned(8), gnu::may_alias]] = double;
  return *reinterpret_cast<const Unaligned*>(x);
}
__attribute__((always_inline)) inline void narrow(float* y, const Lanes& v) {
  using Narrow [[gnu::vector_size(lanes * sizeof(float)), gnu::aligned(4), gnu::may_alias]] = float;
  *reinterpret_cast<Narrow*>(y) = __builtin_convertvector(v, Narrow);
}
__attribute__((always_inline)) inline void narrow(double* y, const Lanes& v) {
  using Unaligned [[gnu::vector_size(lanes * sizeof(double)), gnu::aligned(8), gnu::may_alias]] = double;
  *reinterpret_cast<Unaligned*>(y) = v;
}

template <class T>
double row_mean(const T* x, std::size_t n) {
  Lanes sum = {};
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) sum += wide(x + i);
  for (std::size_t lane = 0; i < n; ++i, ++lane) sum[lane] += static_cast<double>(x[i]);
  return (((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]))) / static_cast<double>(n);
}

template <class T>
double row_variance(const T* x, std::size_t n, double mean) {
  Lanes sum = {};
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const Lanes d = wide(x + i) - mean;
    sum += d * d;
  }
  for (std::size_t lane = 0; i < n; ++i, ++lane) {
    const double d = static_cast<double>(x[i]) - mean;
    sum[lane] += d * d;
  }
  return (((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]))) / static_cast<double>(n);
}

template <bool weighted, bool shifted, class T>
void scale_row(const NormRow<T>& r, const T* x, double mean, double inverse) {
  std::size_t i = 0;
  for (; i + lanes <= r.n; i += lanes) {
    Lanes y = (wide(x + i) - mean) * inverse;
    if (weighted) y = y * wide(r.weight + i);
    if (shifted) y = y + wide(r.bias + i);
    narrow(r.y + i, y);
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
    for (std::size_t i = 0; i < r.n; ++i) r.sum[i] = r.x[i] + r.residual[i];
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
