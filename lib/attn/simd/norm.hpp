#pragma once
// The kernel of the norms: what is compiled once per instruction set, with the same bits on all.

#include <cstddef>

namespace attn::simd {

/// What a row was divided by.
struct RowStatistics {
  double mean = 0, inverse_deviation = 0;
};

/// y = (s - mean) / sqrt(var + eps) * weight + bias of one row of n elements, s = x or x + residual.
template <class T>
struct NormRow {
  const T* x = nullptr;
  const T* residual = nullptr;  ///< or null
  T* sum = nullptr;             ///< takes x + residual; may be y; unused without a residual
  T* y = nullptr;
  const T* weight = nullptr;  ///< or null
  const T* bias = nullptr;    ///< or null
  std::size_t n = 0;
  double epsilon = 0;
  bool is_centred = true;  ///< else the mean is taken as 0
};

/// The kernels of one instruction set.
template <class T>
struct NormKernels {
  RowStatistics (*normalise)(const NormRow<T>&);
};

namespace baseline {
extern const NormKernels<float> norm_f32;
extern const NormKernels<double> norm_f64;
}  // namespace baseline
namespace avx2 {
extern const NormKernels<float> norm_f32;
extern const NormKernels<double> norm_f64;
}  // namespace avx2
namespace avx512 {
extern const NormKernels<float> norm_f32;
extern const NormKernels<double> norm_f64;
}  // namespace avx512

}  // namespace attn::simd
