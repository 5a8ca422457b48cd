#pragma once
// Exponentials from additions and multiplications alone, in one order: the same bits with every instruction set, as
// what is drawn or ranked by them must be the same on every machine. Those of elementwise.hpp are faster.

#include <attn/simd/elementwise.hpp>

namespace attn::simd {

struct ReproducibleKernels {
  Elementwise<double> exp;  ///< for x <= 0, at most 2 ulp; 0 below -700, NaN of NaN
  /// The largest of x; -infinity of none. NaN may be passed over.
  double (*largest)(const double* x, std::size_t count);
  /// The sum of e^(x[i] - top), for x[i] <= top.
  double (*sum_of_exp)(const double* x, std::size_t count, double top);
  /// x[i] = x[i] a + y[i] b, each product and the sum rounded.
  void (*blend_f32)(double* x, double a, const float* y, double b, std::size_t count);
  void (*blend_f64)(double* x, double a, const double* y, double b, std::size_t count);
};

/// isa must be available here (available_isas()).
const ReproducibleKernels& reproducible_kernels(Isa isa) noexcept;

}  // namespace attn::simd
