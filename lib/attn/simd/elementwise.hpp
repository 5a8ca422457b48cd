#pragma once
// Elementary functions over arrays: what is compiled once per instruction set. An element's result depends on its value
// and the instruction set alone, wherever in the array it lies.

#include <attn/core/isa.hpp>

#include <cstddef>

namespace attn::simd {

/// y[i] = f(x[i]) for i < count; y may be x.
template <class T>
using Elementwise = void (*)(const T* x, T* y, std::size_t count);

/// Largest errors: exp2 and exp 2 ulp, tanh and erf 4 ulp. -inf, infinity and NaN give what the C library gives;
/// results below the normal range may be 0.
template <class T>
struct MathKernels {
  Elementwise<T> exp2;  ///< for x <= 127 (f32), 1023 (f64)
  Elementwise<T> exp;
  Elementwise<T> tanh;
  Elementwise<T> erf;
  Elementwise<T> minus_root;  ///< -sqrt(-x), for x <= 0, rounded once
};

/// isa must be available here (available_isas()).
template <class T>
const MathKernels<T>& math_kernels(Isa isa) noexcept;

}  // namespace attn::simd
