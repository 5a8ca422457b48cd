#pragma once
// The kernel of the norms: what is compiled once per instruction set, with the same bits on all.

#include <attn/core/isa.hpp>

#include <cstddef>

namespace attn::simd {

/// What a row was divided by.
struct RowStatistics {
  double mean = 0, inverse_deviation = 0;
};

/// y = (s - mean) / sqrt(var + eps) * weight + bias of one row of n elements, s = x or x + residual.
///
/// Computed in f64: weight and bias are given so, and the row is converted once, as a conversion takes longer than all
/// else that is done with an element.
template <class T>
struct NormRow {
  const T* x = nullptr;
  const T* residual = nullptr;     ///< or null
  double* wide = nullptr;          ///< (n): takes s
  T* y = nullptr;                  ///< may be x
  const double* weight = nullptr;  ///< or null
  const double* bias = nullptr;    ///< or null
  std::size_t n = 0;
  double epsilon = 0;
  bool is_centred = true;  ///< else the mean is taken as 0
};

/// The gradients of rows of n elements for dy, that by what normalise() makes of them. With z = (x - mean) / sqrt(var +
/// eps) and g = dy * weight:
///
///     dx = (g - mean(g) - z mean(g z)) / sqrt(var + eps),   dweight = sum dy z,   dbias = sum dy    over the rows
template <class T>
struct NormGradientRows {
  const T *x = nullptr, *dy = nullptr;          ///< (rows, n)
  T* dx = nullptr;                              ///< (rows, n)
  double *dweight = nullptr, *dbias = nullptr;  ///< (n), added to, row by row
  double *wide = nullptr, *normal = nullptr;    ///< (n): memory to work in
  const double* weight = nullptr;               ///< or null
  std::size_t rows = 0, n = 0;
  double epsilon = 0;
  bool is_centred = true;
};

/// The kernels of one instruction set.
template <class T>
struct NormKernels {
  RowStatistics (*normalise)(const NormRow<T>&);
  void (*differentiate)(const NormGradientRows<T>&);
};

/// isa must be available here (available_isas()).
template <class T>
const NormKernels<T>& norm_kernels(Isa isa) noexcept;

}  // namespace attn::simd
