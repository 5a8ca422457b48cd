#pragma once
// Elementary functions over arrays: what is compiled once per instruction set. An element's result depends on its value
// and the instruction set alone, wherever in the array it lies.

#include <attn/core/isa.hpp>

#include <cstddef>

namespace attn::simd {

/// y[i] = f(x[i]) for i < count; y may be x.
template <class T>
using Elementwise = void (*)(const T* x, T* y, std::size_t count);

/// The same of two arrays, either of which may be y.
template <class T>
using Pairwise = void (*)(const T* a, const T* b, T* y, std::size_t count);

/// A step of AdamW in f64, rounded once; see layers/optimizer.hpp.
template <class T>
struct AdamStep {
  const T* gradient = nullptr;
  T *parameter = nullptr, *mean = nullptr, *square = nullptr;
  std::size_t count = 0;
  double factor = 1;  ///< of the gradient
  double beta1 = 0, beta2 = 0, epsilon = 0;
  double keep = 1;                       ///< what weight decay leaves
  double rate = 0, square_unbiased = 1;  ///< what mean and square are multiplied by
};

/// Largest errors: exp2 and exp 2 ulp, tanh and erf 4 ulp. -inf, infinity and NaN give what the C library gives;
/// results below the normal range may be 0.
template <class T>
struct MathKernels {
  Elementwise<T> exp2;  ///< for x <= 127 (f32), 1023 (f64)
  Elementwise<T> exp;
  Elementwise<T> tanh;
  Elementwise<T> erf;
  Pairwise<T> add;
  Pairwise<T> where_positive;  ///< b where a > 0, else 0
  void (*adamw)(const AdamStep<T>&);
};

/// isa must be available here (available_isas()).
template <class T>
const MathKernels<T>& math_kernels(Isa isa) noexcept;

}  // namespace attn::simd
