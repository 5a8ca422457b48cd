#pragma once
// Compact kernels that are polynomials of the distance.

#include <attn/core/smoothing_kernel.hpp>
#include <attn/regression/windows/extended.hpp>

namespace attn {

/// K(u) = sum_k c[k] u^k on [0, 1] as features t^j of the keys.
template <int Degree>
struct Polynomial {
  static constexpr int features = Degree + 1;
  static constexpr int step = 1;  // from a feature f to t f
  static constexpr Extended rounding = 16.0 * (1 << Degree) * extended_epsilon;
  double c[features];

  template <class Real>
  static void at_key(Real t, Real* f, int count) {
    f[0] = 1;
    for (int j = 1; j < count; ++j) f[j] = f[j - 1] * t;
  }
  /// e_j(s) = (-1)^j times the Taylor coefficient of K(sign u) at s: K(sign (s - t)) = sum_j e_j t^j.
  template <class Real>
  void at_query(Real s, double sign, Real* e) const {
    Real power = 1;
    for (int j = 0; j < features; ++j, power *= sign) e[j] = c[j] * power;
    for (int j = 0; j + 1 < features; ++j)
      for (int k = features - 2; k >= j; --k) e[k] += s * e[k + 1];
    for (int j = 1; j < features; j += 2) e[j] = -e[j];
  }
};

template <int Degree>
Polynomial<2 * Degree> square_of(const Polynomial<Degree>& k) {
  Polynomial<2 * Degree> square{};
  for (int i = 0; i <= Degree; ++i)
    for (int j = 0; j <= Degree; ++j) square.c[i + j] += k.c[i] * k.c[j];
  return square;
}

/// f(polynomial, is_even): the kernel, and whether it is the same polynomial on both sides of the query.
template <class F>
void with_polynomial(Kernel kernel, const F& f) {
  switch (kernel) {
    case Kernel::triangular:
    case Kernel::epanechnikov: return f(Polynomial<1>{{1, -1}}, false);
    case Kernel::parabolic: return f(Polynomial<2>{{1, 0, -1}}, true);
    case Kernel::biweight: return f(Polynomial<4>{{1, 0, -2, 0, 1}}, true);
    case Kernel::triweight: return f(Polynomial<6>{{1, 0, -3, 0, 3, 0, -1}}, true);
    case Kernel::tricube: return f(Polynomial<9>{{1, 0, 0, -3, 0, 0, 3, 0, 0, -1}}, false);
    default: return f(Polynomial<0>{{1}}, true);
  }
}

}  // namespace attn
