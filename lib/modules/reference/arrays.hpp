#pragma once
// Arithmetic of xtensor's arrays that gives arrays. xtensor's own gives a type for every formula, and to build those
// took a minute and 3 GB of memory.

#include <array>
#include <cmath>

#include <xtensor/xtensor.hpp>

namespace attn::reference {

template <class T, std::size_t N>
using Array = xt::xtensor<T, N>;
template <class T>
using Number = typename xt::xtensor<T, 1>::value_type;  // beside an array, of the array's type

/// f of the elements at the same place; an extent of 1 counts for every place.
template <std::size_t N, class F, class... T>
auto map(F f, const Array<T, N>&... x) {
  std::array<std::size_t, N> shape, index{};
  for (std::size_t d = 0; d < N; ++d) {
    shape[d] = 1;
    ((shape[d] = x.shape(d) != 1 ? x.shape(d) : shape[d]), ...);
  }
  const auto offset = [&](const auto& strides) {
    std::size_t sum = 0;  // the stride of an extent of 1 is 0
    for (std::size_t d = 0; d < N; ++d) sum += index[d] * static_cast<std::size_t>(strides[d]);
    return sum;
  };
  Array<decltype(f(T()...)), N> out(shape);
  for (auto& y : out) {
    y = f(x.data()[offset(x.strides())]...);
    for (std::size_t d = N; d-- > 0 && ++index[d] == shape[d];) index[d] = 0;
  }
  return out;
}

template <std::size_t N, class T>
Array<T, N> constant(T x) {
  std::array<std::size_t, N> shape;
  shape.fill(1);
  return Array<T, N>(shape, x);
}

// Arguments are values: references would lose against those of xtensor's operators, which fit anything exactly.
#define ATTN_OF_ONE(name, formula)              \
  template <class T, std::size_t N>             \
  auto name(Array<T, N> a) {                    \
    return map([](T x) { return formula; }, a); \
  }
#define ATTN_OF_TWO(name, formula)                      \
  template <class T, std::size_t N>                     \
  auto name(Array<T, N> a, Array<T, N> b) {             \
    return map([](T x, T y) { return formula; }, a, b); \
  }                                                     \
  template <class T, std::size_t N>                     \
  auto name(Array<T, N> a, Number<T> b) {               \
    return name(a, constant<N, T>(b));                  \
  }                                                     \
  template <class T, std::size_t N>                     \
  auto name(Number<T> a, Array<T, N> b) {               \
    return name(constant<N, T>(a), b);                  \
  }
ATTN_OF_TWO(operator+, x + y)
ATTN_OF_TWO(operator-, x - y)
ATTN_OF_TWO(operator*, x* y)
ATTN_OF_TWO(operator/, x / y)
ATTN_OF_TWO(operator<, x < y)
ATTN_OF_TWO(operator>, x > y)
ATTN_OF_TWO(operator<=, x <= y)
ATTN_OF_TWO(operator>=, x >= y)
ATTN_OF_TWO(equal, x == y)
ATTN_OF_TWO(not_equal, x != y)
ATTN_OF_TWO(maximum, x < y ? y : x)
ATTN_OF_TWO(operator&&, x&& y)
ATTN_OF_TWO(operator||, x || y)
ATTN_OF_ONE(operator!, !x)
ATTN_OF_ONE(operator-, -x)
ATTN_OF_ONE(abs, std::abs(x))
ATTN_OF_ONE(exp, std::exp(x))
ATTN_OF_ONE(log, std::log(x))
ATTN_OF_ONE(log1p, std::log1p(x))
ATTN_OF_ONE(sqrt, std::sqrt(x))
ATTN_OF_ONE(square, x* x)
ATTN_OF_ONE(cube, x* x* x)
ATTN_OF_ONE(sin, std::sin(x))
ATTN_OF_ONE(cos, std::cos(x))
ATTN_OF_ONE(tan, std::tan(x))
ATTN_OF_ONE(tanh, std::tanh(x))
ATTN_OF_ONE(erfc, std::erfc(x))
ATTN_OF_ONE(isnan, std::isnan(x))
ATTN_OF_ONE(isfinite, std::isfinite(x))
#undef ATTN_OF_ONE
#undef ATTN_OF_TWO

template <class T, std::size_t N>
auto where(Array<bool, N> is, Array<T, N> a, Array<T, N> b) {
  return map([](bool c, T x, T y) { return c ? x : y; }, is, a, b);
}
template <class T, std::size_t N>
auto where(Array<bool, N> is, Array<T, N> a, Number<T> b) {
  return where(is, a, constant<N, T>(b));
}
template <class T, std::size_t N>
auto where(Array<bool, N> is, Number<T> a, Array<T, N> b) {
  return where(is, constant<N, T>(a), b);
}
template <std::size_t N>
auto where(Array<bool, N> is, double a, double b) {
  return where(is, constant<N>(a), constant<N>(b));
}

}  // namespace attn::reference
