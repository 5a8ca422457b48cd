// Smoothing kernels on vectors; formulas in core/smoothing_kernel.hpp. Included only by kernel sources, after
// vector.hpp.
//
// weight(x, border) takes u squared or, where uses_u, u. `unit` multiplies the scales beforehand, so that exponentials
// become powers of 2. The weight is 0 from the border on: u = 1, or u squared = 1. NaN stays NaN.
#pragma once

#include <attn/core/smoothing_kernel.hpp>
#include <attn/simd/vector/math.hpp>

namespace attn::simd::ATTN_SIMD_LEVEL {

template <class T>
ATTN_INLINE V<T> inside(V<T> x, V<T> border, V<T> weight) {
  return select<T>(x >= border, V<T>{}, weight);
}

struct Gaussian {
  static constexpr double unit = 0.84932180028801904;  // sqrt(log2(e) / 2)
  static constexpr bool uses_u = false, is_closed = false;
  template <class T>
  ATTN_INLINE V<T> weight(V<T> squared, V<T>) {
    return exp2<T>(-squared);
  }
};
struct Laplace {
  static constexpr double unit = 1.4426950408889634;  // log2(e)
  static constexpr bool uses_u = true, is_closed = false;
  template <class T>
  ATTN_INLINE V<T> weight(V<T> u, V<T>) {
    return exp2<T>(-u);
  }
};
/// Closed: 1 on the border too, where the others are 0.
struct Boxcar {
  static constexpr double unit = 1;
  static constexpr bool uses_u = false, is_closed = true;
  template <class T>
  ATTN_INLINE V<T> weight(V<T> squared, V<T> border) {
    return select<T>(squared <= border, set1<T>(T(1)), min(V<T>{}, squared));  // in this order NaN stays
  }
};
struct Triangular {
  static constexpr double unit = 1;
  static constexpr bool uses_u = true, is_closed = false;
  template <class T>
  ATTN_INLINE V<T> weight(V<T> u, V<T> border) {
    return inside<T>(u, border, set1<T>(T(1)) - u);
  }
};
struct Parabolic {
  static constexpr double unit = 1;
  static constexpr bool uses_u = false, is_closed = false;
  template <class T>
  ATTN_INLINE V<T> weight(V<T> squared, V<T> border) {
    return inside<T>(squared, border, set1<T>(T(1)) - squared);
  }
};
struct Biweight {
  static constexpr double unit = 1;
  static constexpr bool uses_u = false, is_closed = false;
  template <class T>
  ATTN_INLINE V<T> weight(V<T> squared, V<T> border) {
    const V<T> w = set1<T>(T(1)) - squared;
    return inside<T>(squared, border, w * w);
  }
};
struct Triweight {
  static constexpr double unit = 1;
  static constexpr bool uses_u = false, is_closed = false;
  template <class T>
  ATTN_INLINE V<T> weight(V<T> squared, V<T> border) {
    const V<T> w = set1<T>(T(1)) - squared;
    return inside<T>(squared, border, w * w * w);
  }
};
struct Tricube {
  static constexpr double unit = 1;
  static constexpr bool uses_u = true, is_closed = false;
  template <class T>
  ATTN_INLINE V<T> weight(V<T> u, V<T> border) {
    const V<T> w = set1<T>(T(1)) - u * u * u;
    return inside<T>(u, border, w * w * w);
  }
};
struct Cosine {
  static constexpr double unit = 1;
  static constexpr bool uses_u = true, is_closed = false;
  // cos(pi u / 2) = sin(pi y / 2), y = 1 - u: a Taylor series in y^2 that is accurate where the weight vanishes.
  template <class T>
  ATTN_INLINE V<T> weight(V<T> u, V<T> border) {
    constexpr T c[] = {T(1.5707963267948966),     T(-0.6459640975062462),    T(0.07969262624616703),
                       T(-0.004681754135318687),  T(0.00016044118478735975), T(-3.598843235212084e-06),
                       T(5.692172921967924e-08),  T(-6.688035109811464e-10), T(6.066935731106192e-12),
                       T(-4.377065467313739e-14), T(2.571422892860472e-16)};
    const V<T> y = set1<T>(T(1)) - u;
    return inside<T>(u, border, y * polynomial<T>(y * y, c));
  }
};
struct Constant {
  static constexpr double unit = 0;
  static constexpr bool uses_u = false, is_closed = false;
  template <class T>
  ATTN_INLINE V<T> weight(V<T>, V<T>) {
    return set1<T>(T(1));
  }
};

/// f(K{}) for the functions K of the kernel.
template <class F>
ATTN_INLINE void with_kernel(Kernel kernel, const F& f) {
  switch (kernel) {
    case Kernel::gaussian: return f(Gaussian{});
    case Kernel::boxcar: return f(Boxcar{});
    case Kernel::triangular:
    case Kernel::epanechnikov: return f(Triangular{});
    case Kernel::parabolic: return f(Parabolic{});
    case Kernel::biweight: return f(Biweight{});
    case Kernel::triweight: return f(Triweight{});
    case Kernel::tricube: return f(Tricube{});
    case Kernel::cosine: return f(Cosine{});
    case Kernel::laplace: return f(Laplace{});
    case Kernel::constant: return f(Constant{});
  }
}

}  // namespace attn::simd::ATTN_SIMD_LEVEL
