#include <attn/simd/elementwise.hpp>

#include "support/closeness.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

using namespace attn;

namespace {

/// Distance of a result from the true value in units of the last place of T at that value.
template <class T>
double ulps(T actual, double exact) {
  const double smallest = static_cast<double>(std::numeric_limits<T>::min());
  const double place = std::ldexp(support::epsilon<T>(), std::ilogb(std::max(std::abs(exact), smallest)));
  return std::abs(static_cast<double>(actual) - exact) / place;
}

template <class T>
T one(const simd::Elementwise<T>& kernel, T x) {
  T y;
  kernel(&x, &y, 1);
  return y;
}

template <class T>
double worst(simd::Elementwise<T> kernel, double (*exact)(double), double low, double high) {
  std::vector<T> x, y;
  for (int i = 0; i <= 200000; ++i) x.push_back(static_cast<T>(low + (high - low) * i / 200000));
  for (int i = 0; i <= 40; ++i) x.push_back(static_cast<T>(std::ldexp(high > 0 ? 1 : -1, -i)));
  y.resize(x.size());
  kernel(x.data(), y.data(), x.size());
  double most = 0;
  for (std::size_t i = 0; i < x.size(); ++i) most = std::max(most, ulps<T>(y[i], exact(static_cast<double>(x[i]))));
  return most;
}

template <class T>
void check(const simd::MathKernels<T>& math) {
  const bool f32 = sizeof(T) == 4;
  CHECK(worst<T>(math.exp2, std::exp2, f32 ? -125.49 : -1022, 0) <= 2);
  CHECK(worst<T>(math.exp, std::exp, f32 ? -87 : -708, f32 ? 88 : 709) <= 2);
  CHECK(worst<T>(math.tanh, std::tanh, -12, 12) <= 4);
  CHECK(worst<T>(math.tanh, std::tanh, -1e-3, 1e-3) <= 4);
  CHECK(worst<T>(math.erf, std::erf, -5, 5) <= 4);
  for (int i = 0; i < 1000; ++i) CHECK(one<T>(math.minus_root, T(-i) / 7) == -std::sqrt(T(i) / 7));

  const T nan = std::numeric_limits<T>::quiet_NaN(), inf = std::numeric_limits<T>::infinity();
  CHECK(one<T>(math.exp2, -inf) == 0);
  CHECK(one<T>(math.exp2, T(0)) == 1);
  CHECK(one<T>(math.exp2, T(-1e30)) == 0);
  for (int i = 0; i < 1000; ++i) {
    const T below = one<T>(math.exp2, T(f32 ? -125.5 : -1022.6) - T(i) / 10);
    CHECK((below == 0 || below >= std::numeric_limits<T>::min()));  // no subnormal numbers, which are slow
  }
  CHECK(one<T>(math.exp, -inf) == 0);
  CHECK(one<T>(math.exp, inf) == inf);
  CHECK(one<T>(math.tanh, inf) == 1);
  CHECK(one<T>(math.tanh, -inf) == -1);
  CHECK(one<T>(math.erf, inf) == 1);
  for (const simd::Elementwise<T> kernel : {math.exp2, math.exp, math.tanh, math.erf})
    CHECK(std::isnan(one<T>(kernel, nan)));
}

}  // namespace

TEST_CASE("vector functions are as exact as they say, at every instruction set") {
  for (const Isa isa : available_isas()) {
    CAPTURE(name_of(isa));
    check<float>(simd::math_kernels<float>(isa));
    check<double>(simd::math_kernels<double>(isa));
  }
}
