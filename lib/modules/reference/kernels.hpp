#pragma once
// Smoothing kernels K(u) of arrays; the table is in core/smoothing_kernel.hpp.

#include <attn/core/smoothing_kernel.hpp>

#include <xtensor/xbuilder.hpp>
#include <xtensor/xmath.hpp>

namespace attn::reference {

template <class Array>
Array kernel_of(Kernel kernel, const Array& u) {
  const auto inside = [&](const auto& weight) -> Array { return xt::where(u >= 1.0, 0.0, weight); };
  switch (kernel) {
    case Kernel::gaussian: return xt::exp(-0.5 * u * u);
    case Kernel::boxcar: return xt::where(u > 1.0, 0.0, xt::where(u <= 1.0, 1.0, u));
    case Kernel::triangular:
    case Kernel::epanechnikov: return inside(1.0 - u);
    case Kernel::parabolic: return inside((1.0 - u) * (1.0 + u));
    case Kernel::biweight: return inside(xt::square((1.0 - u) * (1.0 + u)));
    case Kernel::triweight: return inside(xt::cube((1.0 - u) * (1.0 + u)));
    case Kernel::tricube: return inside(xt::cube(1.0 - xt::cube(u)));
    case Kernel::cosine: return inside(xt::cos(xt::numeric_constants<double>::PI_2 * u));
    case Kernel::laplace: return xt::exp(-u);
    case Kernel::constant: break;
  }
  return xt::ones_like(u);
}

/// -K'(u) / (u K(u)) where K(u) > 0; 0 at the corner of triangular and laplace at u = 0.
template <class Array>
Array falloff_of(Kernel kernel, const Array& u) {
  const double half_pi = xt::numeric_constants<double>::PI_2;
  const auto off_zero = [&](const auto& value) -> Array { return xt::where(u > 0.0, value, 0.0); };
  const auto parabola = (1.0 - u) * (1.0 + u);
  switch (kernel) {
    case Kernel::gaussian: return xt::ones_like(u);
    case Kernel::triangular:
    case Kernel::epanechnikov: return off_zero(1.0 / (u * (1.0 - u)));
    case Kernel::parabolic: return 2.0 / parabola;
    case Kernel::biweight: return 4.0 / parabola;
    case Kernel::triweight: return 6.0 / parabola;
    case Kernel::tricube: return 9.0 * u / (1.0 - xt::cube(u));
    case Kernel::cosine: return xt::where(u > 0.0, half_pi * xt::tan(half_pi * u) / u, half_pi * half_pi);
    case Kernel::laplace: return off_zero(1.0 / u);
    case Kernel::boxcar:
    case Kernel::constant: break;
  }
  return xt::zeros_like(u);
}

}  // namespace attn::reference
