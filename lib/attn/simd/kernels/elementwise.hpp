// The kernels of elementwise.hpp. Included by elementwise_<instruction set>.cpp alone.

#include <attn/simd/elementwise.hpp>
#include <attn/simd/vector/math.hpp>

namespace attn::simd::ATTN_SIMD_LEVEL {
namespace {

template <class T, class Function>
ATTN_INLINE void apply(const T* x, T* y, std::size_t count, Function f) {
  constexpr std::size_t W = static_cast<std::size_t>(width<T>);
  std::size_t i = 0;
  for (; i + W <= count; i += W) store<T>(y + i, f(load<T>(x + i)));
  const auto rest = static_cast<std::ptrdiff_t>(count - i);
  if (rest > 0) store_n<T>(y + i, f(load_n<T>(x + i, rest)), rest);
}

template <class T>
void exp2_of(const T* x, T* y, std::size_t count) {
  apply<T>(
      x, y, count, [](V<T> v) __attribute__((always_inline)) { return exp2<T>(v); });
}
template <class T>
void exp_of(const T* x, T* y, std::size_t count) {
  apply<T>(
      x, y, count, [](V<T> v) __attribute__((always_inline)) { return exp<T>(v); });
}
template <class T>
void tanh_of(const T* x, T* y, std::size_t count) {
  apply<T>(
      x, y, count, [](V<T> v) __attribute__((always_inline)) { return tanh<T>(v); });
}
template <class T>
void erf_of(const T* x, T* y, std::size_t count) {
  apply<T>(
      x, y, count, [](V<T> v) __attribute__((always_inline)) { return erf(v); });
}
template <class T>
void minus_root_of(const T* x, T* y, std::size_t count) {
  apply<T>(
      x, y, count, [](V<T> v) __attribute__((always_inline)) { return -sqrt<T>(-v); });
}

}  // namespace

extern const MathKernels<float> math_f32 = {exp2_of<float>, exp_of<float>, tanh_of<float>, erf_of<float>,
                                            minus_root_of<float>};
extern const MathKernels<double> math_f64 = {exp2_of<double>, exp_of<double>, tanh_of<double>, erf_of<double>,
                                             minus_root_of<double>};

}  // namespace attn::simd::ATTN_SIMD_LEVEL
