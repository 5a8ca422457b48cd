#pragma once
// Smoothing kernels K(u) of arrays; the table is in core/smoothing_kernel.hpp.

#include <attn/core/smoothing_kernel.hpp>
#include "arrays.hpp"

namespace attn::reference {

inline const double half_pi = std::acos(0.0);

template <class Values>
Values kernel_of(Kernel kernel, const Values& u) {
  const auto inside = [&](const auto& weight) -> Values { return where(u >= 1.0, 0.0, weight); };
  switch (kernel) {
    case Kernel::gaussian: return exp(-0.5 * u * u);
    case Kernel::boxcar: return where(u > 1.0, 0.0, where(u <= 1.0, 1.0, u));
    case Kernel::triangular:
    case Kernel::epanechnikov: return inside(1.0 - u);
    case Kernel::parabolic: return inside((1.0 - u) * (1.0 + u));
    case Kernel::biweight: return inside(square((1.0 - u) * (1.0 + u)));
    case Kernel::triweight: return inside(cube((1.0 - u) * (1.0 + u)));
    case Kernel::tricube: return inside(cube(1.0 - cube(u)));
    case Kernel::cosine: return inside(cos(half_pi * u));
    case Kernel::laplace: return exp(-u);
    case Kernel::constant: break;
  }
  return Values(u.shape(), 1.0);
}

/// -K'(u) / (u K(u)) where K(u) > 0; 0 at the corner of triangular and laplace at u = 0.
template <class Values>
Values falloff_of(Kernel kernel, const Values& u) {
  const auto off_zero = [&](const auto& value) -> Values { return where(u > 0.0, value, 0.0); };
  const auto parabola = (1.0 - u) * (1.0 + u);
  switch (kernel) {
    case Kernel::gaussian: return Values(u.shape(), 1.0);
    case Kernel::triangular:
    case Kernel::epanechnikov: return off_zero(1.0 / (u * (1.0 - u)));
    case Kernel::parabolic: return 2.0 / parabola;
    case Kernel::biweight: return 4.0 / parabola;
    case Kernel::triweight: return 6.0 / parabola;
    case Kernel::tricube: return 9.0 * u / (1.0 - cube(u));
    case Kernel::cosine: return where(u > 0.0, half_pi * tan(half_pi * u) / u, half_pi * half_pi);
    case Kernel::laplace: return off_zero(1.0 / u);
    case Kernel::boxcar:
    case Kernel::constant: break;
  }
  return Values(u.shape(), 0.0);
}

}  // namespace attn::reference
