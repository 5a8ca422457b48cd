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

template <class T, class Function>
ATTN_INLINE void apply(const T* a, const T* b, T* y, std::size_t count, Function f) {
  constexpr std::size_t W = static_cast<std::size_t>(width<T>);
  std::size_t i = 0;
  for (; i + W <= count; i += W) store<T>(y + i, f(load<T>(a + i), load<T>(b + i)));
  const auto rest = static_cast<std::ptrdiff_t>(count - i);
  if (rest > 0) store_n<T>(y + i, f(load_n<T>(a + i, rest), load_n<T>(b + i, rest)), rest);
}

template <class T>
void add(const T* a, const T* b, T* y, std::size_t count) {
  apply<T>(
      a, b, y, count, [](V<T> left, V<T> right) __attribute__((always_inline)) { return left + right; });
}
template <class T>
void where_positive(const T* a, const T* b, T* y, std::size_t count) {
  apply<T>(
      a, b, y, count,
      [](V<T> left, V<T> right) __attribute__((always_inline)) { return select<T>(left > V<T>{}, right, V<T>{}); });
}

template <class T>
void adamw(const AdamStep<T>& s) {
  constexpr std::size_t W = static_cast<std::size_t>(width<double>);
  const auto step = [&](const T* gradient, T* parameter, T* mean, T* square) __attribute__((always_inline)) {
    const f64v g = load_f64(gradient) * set1<double>(s.factor);
    const f64v m = load_f64(mean) * set1<double>(s.beta1) + g * set1<double>(1 - s.beta1);
    const f64v v = load_f64(square) * set1<double>(s.beta2) + g * g * set1<double>(1 - s.beta2);
    const f64v deviation = sqrt<double>(v * set1<double>(s.square_unbiased)) + set1<double>(s.epsilon);
    const f64v p = load_f64(parameter) * set1<double>(s.keep) - m * set1<double>(s.rate) / deviation;
    store_f64(mean, m);
    store_f64(square, v);
    store_f64(parameter, p);
  };
  std::size_t i = 0;
  for (; i + W <= s.count; i += W) step(s.gradient + i, s.parameter + i, s.mean + i, s.square + i);
  if (i == s.count) return;
  T rest[4][W] = {};
  const std::size_t left = s.count - i;
  const auto copy = [left](const T* from, T* to) {
    for (std::size_t j = 0; j < left; ++j) to[j] = from[j];
  };
  copy(s.gradient + i, rest[0]);
  copy(s.parameter + i, rest[1]);
  copy(s.mean + i, rest[2]);
  copy(s.square + i, rest[3]);
  step(rest[0], rest[1], rest[2], rest[3]);
  copy(rest[1], s.parameter + i);
  copy(rest[2], s.mean + i);
  copy(rest[3], s.square + i);
}

template <class T>
constexpr MathKernels<T> table = {exp2_of<T>, exp_of<T>, tanh_of<T>, erf_of<T>, add<T>, where_positive<T>, adamw<T>};

}  // namespace

extern const MathKernels<float> math_f32 = table<float>;
extern const MathKernels<double> math_f64 = table<double>;

}  // namespace attn::simd::ATTN_SIMD_LEVEL
