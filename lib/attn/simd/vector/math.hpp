// Elementary functions on vectors. Included only by kernel sources, after vector.hpp.
//
// Every function treats each lane alone, so that an element's result depends on nothing but its value and the
// instruction set. Polynomials are minimax fits (Remez exchange, relative error of the function), found with 60 digits.
#pragma once

#include <attn/core/activation.hpp>
#include <attn/simd/vector/vector.hpp>

#include <math.h>

namespace attn::simd::ATTN_SIMD_LEVEL {

/// Horner's rule: c[0] + x (c[1] + x (c[2] + ...)).
template <class T, int N>
ATTN_INLINE V<T> polynomial(V<T> x, const T (&c)[N]) {
  V<T> p = set1<T>(c[N - 1]);
#pragma GCC unroll 16
  for (int i = N - 2; i >= 0; --i) p = fma(p, x, set1<T>(c[i]));
  return p;
}

// Loops are written so that N vectors go through each step together: the chain of one fills the time that another's
// takes.

/// The same for N vectors: p[v] = c[0] + x[v] (c[1] + ...).
template <class T, int N, int M>
ATTN_INLINE void polynomials(const V<T> (&x)[N], const T (&c)[M], V<T> (&p)[N]) {
#pragma GCC unroll 8
  for (int v = 0; v < N; ++v) p[v] = set1<T>(c[M - 1]);
#pragma GCC unroll 16
  for (int i = M - 2; i >= 0; --i)
#pragma GCC unroll 8
    for (int v = 0; v < N; ++v) p[v] = fma(p[v], x[v], set1<T>(c[i]));
}

#if ATTN_SIMD_BYTES == 64
/// x becomes 2^x, at most 2 ulp (tests/unit/simd/math.cpp measures it); 0 for -inf and where the result is below the
/// normal range: products with subnormal weights take Intel a hundred times as long; NaN stays NaN; 2^0 is 1. x =
/// floor(x) + f: VREDUCE gives f in one step, VSCALEF takes the floor by itself.
template <class T, int N>
ATTN_INLINE void to_powers_of_two(V<T> (&x)[N]) {
  V<T> f[N], p[N];
  if constexpr (sizeof(T) == 4) {
    // 2^f on [0, 1], the first coefficient kept at 1, error 2.0e-9.
    constexpr float c[] = {1.0f, 0.69314706f, 0.24022931f, 0.05548528f, 0.009675457f, 0.0012467796f, 0.00021613081f};
#pragma GCC unroll 8
    for (int v = 0; v < N; ++v) f[v] = (f32v)_mm512_reduce_ps((__m512)x[v], 1);
    polynomials<float>(f, c, p);
#pragma GCC unroll 8
    for (int v = 0; v < N; ++v) {
      const __mmask16 is_normal = _mm512_cmp_ps_mask((__m512)x[v], _mm512_set1_ps(-126), _CMP_NLT_UQ);
      x[v] = (f32v)_mm512_maskz_scalef_ps(is_normal, (__m512)p[v], (__m512)x[v]);
    }
  } else {
    // f to sixteenths, whose powers two registers hold, and r in [0, 1/16): 2^r - 1 by 6 steps (error 7.9e-18) instead
    // of 11. A sum with `sixteenths`, rounded down as VREDUCE does it, ends with the number of the sixteenth.
    constexpr double sixteenths = 0x1.8p48;
    constexpr double c[] = {0.6931471805599377,   0.24022650696146325,   0.05550410841954199,
                            0.009618140803086308, 0.0013330742245140916, 0.00015736282862256884};
    const __m512d low = _mm512_setr_pd(1.0, 1.0442737824274138, 1.0905077326652577, 1.1387886347566916,
                                       1.189207115002721, 1.241857812073484, 1.2968395546510096, 1.3542555469368927);
    const __m512d high = _mm512_setr_pd(1.4142135623730951, 1.4768261459394993, 1.5422108254079407, 1.6104903319492543,
                                        1.681792830507429, 1.7562521603732995, 1.8340080864093424, 1.9152065613971474);
    constexpr int down = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC, reduce_to_sixteenths = 4 << 4 | 1;
    f64v power[N];
#pragma GCC unroll 8
    for (int v = 0; v < N; ++v) {
      const __m512d number = _mm512_add_round_pd((__m512d)x[v], _mm512_set1_pd(sixteenths), down);
      power[v] = (f64v)_mm512_permutex2var_pd(low, _mm512_castpd_si512(number), high);
      f[v] = (f64v)_mm512_reduce_pd((__m512d)x[v], reduce_to_sixteenths);
    }
    polynomials<double>(f, c, p);
#pragma GCC unroll 8
    for (int v = 0; v < N; ++v) {
      const __mmask8 is_normal = _mm512_cmp_pd_mask((__m512d)x[v], _mm512_set1_pd(-1022), _CMP_NLT_UQ);
      x[v] = (f64v)_mm512_maskz_scalef_pd(is_normal, (__m512d)fma(power[v] * f[v], p[v], power[v]), (__m512d)x[v]);
    }
  }
}
#else
/// x = n + f for 2^x: n by the exponent's rounder, f in [-1/2, 1/2].
template <class T>
struct SplitPower {
  V<T> rounded, f;
};

/// Powers of f32 are made of half of 2^n and twice 2^f, so that none is subnormal: the lowest n gives 0. (Of f64 those
/// of half an octave are, which no ordinary scores meet.)
template <class T>
inline constexpr T power_rounder = exponent_rounder<T> - (sizeof(T) == 4 ? 1 : 0);

/// For x <= 128 (f32), 1023 (f64): weights have x <= 0. Up to -125.5 (f32), -1022.5 (f64) n is the lowest, for which
/// the power of rounded is 0; NaN stays NaN.
template <class T>
ATTN_INLINE SplitPower<T> split_power(V<T> x) {
  const V<T> lowest = set1<T>(sizeof(T) == 4 ? T(-126) : T(-1023)), magic = set1<T>(power_rounder<T>);
  const V<T> clamped = max(lowest, x);  // in this order NaN stays
  const V<T> rounded = clamped + magic;
  return {rounded, clamped - (rounded - magic)};
}

/// q of 2^f = 1 + 2 q: q = f P(f^2) / (Q(f^2) - f P(f^2)), error of 2^f 8.4e-19. A polynomial as exact takes 11
/// multiply-adds; a division beside four of them takes less time where vectors are divided fast.
ATTN_INLINE f64v half_of_power_less_one(f64v f) {
  constexpr double p[] = {1513.9068011545066, 20.202065669302424, 0.023093347705772083};
  constexpr double q[] = {4368.211668787361, 233.18421172208426};
  const f64v square = f * f;
  const f64v part = polynomial<double>(square, p), rest = fma(square, square + set1<double>(q[1]), set1<double>(q[0]));
  return part * f / fma(-part, f, rest);
}

/// 2^n (1 + 2 q).
ATTN_INLINE f64v joined_power(f64v rounded, f64v q) {
  const f64v power = power_of_rounded<double>(rounded);
  return fma(power + power, q, power);
}

/// x becomes 2^x, at most 2 ulp (tests/unit/simd/math.cpp measures it); 0 for -inf and x <= -125.5 (f32), -1022.5
/// (f64); NaN stays NaN; 2^0 is 1. For x <= 128 (f32), 1023 (f64).
template <class T, int N>
ATTN_INLINE void to_powers_of_two(V<T> (&x)[N]) {
  V<T> rounded[N], f[N], p[N];
#pragma GCC unroll 8
  for (int v = 0; v < N; ++v) {
    const SplitPower<T> split = split_power<T>(x[v]);
    rounded[v] = split.rounded;
    f[v] = split.f;
  }
  if constexpr (sizeof(T) == 4) {
    // 2 2^f on [-1/2, 1/2], error 1.9e-9.
    constexpr float c[] = {2.0f, 1.3862944f, 0.48045292f, 0.111006572f, 0.019236978f, 0.0026799862f, 0.00030691622f};
    polynomials<float>(f, c, p);
#pragma GCC unroll 8
    for (int v = 0; v < N; ++v) x[v] = p[v] * power_of_rounded<T>(rounded[v]);
  } else {
#pragma GCC unroll 8
    for (int v = 0; v < N; ++v) p[v] = half_of_power_less_one(f[v]);
#pragma GCC unroll 8
    for (int v = 0; v < N; ++v) x[v] = joined_power(rounded[v], p[v]);
  }
}
#endif

/// 2^x.
template <class T>
ATTN_INLINE V<T> exp2(V<T> x) {
  V<T> one[] = {x};
  to_powers_of_two<T>(one);
  return one[0];
}

/// e^x - 1 of the reduced argument: x = n ln 2 + r; returns e^r - 1 and n.
template <class T>
ATTN_INLINE V<T> expm1_reduced(V<T> x, V<T>& n) {
  n = round<T>(x * set1<T>(T(1.4426950408889634)));
  V<T> q, r;
  if constexpr (sizeof(T) == 4) {
    // ln 2 in two parts, the first short enough that n times it is exact.
    r = fma(n, set1<T>(-0.693145752f), x);
    r = fma(n, set1<T>(-1.42860677e-06f), r);
    // (e^r - 1 - r) / r^2 on [-ln 2 / 2, ln 2 / 2].
    constexpr float c[] = {0.5f, 0.166666668f, 0.0416663547f, 0.00833327314f, 0.00139410083f, 0.000199141167f};
    q = polynomial<float>(r, c);
  } else {
    r = fma(n, set1<T>(-0.6931471803691238), x);
    r = fma(n, set1<T>(-1.9082149292705877e-10), r);
    constexpr double c[] = {0.5,
                            0.16666666666666677,
                            0.0416666666666667,
                            0.008333333333321619,
                            0.001388888888886681,
                            0.00019841269886152981,
                            2.4801587360608554e-05,
                            2.7557244187886173e-06,
                            2.755724271470145e-07,
                            2.5109042737396232e-08,
                            2.0924457263859866e-09};
    q = polynomial<double>(r, c);
  }
  return fma(r * r, q, r);
}

/// e^x, at most 2 ulp; 0 where the result is below the normal range, infinity above the largest number; NaN stays NaN.
template <class T>
ATTN_INLINE V<T> exp(V<T> x) {
  constexpr T lowest = sizeof(T) == 4 ? T(-87.33654) : T(-708.3964185322641);
  constexpr T highest = sizeof(T) == 4 ? T(88.72283) : T(709.782712893384);
  const V<T> clamped = max(set1<T>(lowest), min(set1<T>(highest), x));
  V<T> n;
  const V<T> p = set1<T>(T(1)) + expm1_reduced<T>(clamped, n);
  // 2^128 is not a number: two halves.
  const V<T> half = round<T>(n * set1<T>(T(0.5)));
  V<T> result = scale_by_power<T>(scale_by_power<T>(p, half), n - half);
  result = select<T>(x > set1<T>(highest), set1<T>(T(__builtin_inff())), result);
  return select<T>(x < set1<T>(lowest), V<T>{}, result);
}

/// tanh x = (e^2x - 1) / (e^2x + 1), at most 4 ulp; NaN stays NaN.
template <class T>
ATTN_INLINE V<T> tanh(V<T> x) {
  // From here on tanh is 1 to the last bit.
  constexpr T limit = sizeof(T) == 4 ? T(9.1) : T(19.1);
  const V<T> magnitude = min(set1<T>(limit), abs<T>(x));
  V<T> n;
  const V<T> m = expm1_reduced<T>(magnitude + magnitude, n);
  const V<T> one = set1<T>(T(1)), power = scale_by_power<T>(one, n);
  const V<T> expm1 = fma(power, m, power - one);
  return copy_sign<T>(expm1 / (expm1 + set1<T>(T(2))), x);
}

/// f(x) lane by lane with the C library, where speed does not matter.
template <class T>
ATTN_INLINE V<T> by_lane(V<T> x, T (*f)(T)) {
  T lane[width<T>];
  store<T>(lane, x);
  for (int i = 0; i < width<T>; ++i) lane[i] = f(lane[i]);
  return load<T>(lane);
}

/// The square root of x.
template <class T>
ATTN_INLINE V<T> sqrt(V<T> x) {
#if ATTN_SIMD_BYTES == 64
  if constexpr (sizeof(T) == 4)
    return (f32v)_mm512_sqrt_ps((__m512)x);
  else
    return (f64v)_mm512_sqrt_pd((__m512d)x);
#elif ATTN_SIMD_BYTES == 32
  if constexpr (sizeof(T) == 4)
    return (f32v)_mm256_sqrt_ps((__m256)x);
  else
    return (f64v)_mm256_sqrt_pd((__m256d)x);
#else
  return by_lane<T>(x, [](T lane) { return static_cast<T>(::sqrt(static_cast<double>(lane))); });
#endif
}

/// erf x: f32 within 2e-7 of the value, absolutely 1e-7; f64 as the C library. NaN stays NaN.
ATTN_INLINE f32v erf(f32v x) {
  // erf(x) / x in powers of x^2 on [0, 1], error 3e-11.
  constexpr float near[] = {1.1283792f,    -0.37612638f,    0.11283782f,    -0.0268654f,
                            0.0052209455f, -0.00084828294f, 0.00011256951f, -9.641525e-06f};
  // log2(1 - erf(x)) on [1, 4], error of erf 2e-11; beyond 4 erf is 1.
  constexpr float far[] = {0.00027189846f, -1.6296399f,   -0.91353816f,   -0.15641999f,
                           0.036370818f,   -0.006066938f, 0.00063690933f, -3.1302952e-05f};
  const f32v magnitude = min(set1<float>(4.0f), abs<float>(x));
  const f32v one = set1<float>(1.0f);
  const f32v small = x * polynomial<float>(x * x, near);
  const f32v large = copy_sign<float>(one - exp2<float>(polynomial<float>(magnitude, far)), x);
  return select<float>(magnitude > one, large, small);
}
ATTN_INLINE f64v erf(f64v x) { return by_lane<double>(x, ::erf); }

/// x becomes x (1 + erf(x / sqrt 2)) / 2: f32 within 6e-8 |x|, and within 3 units in the last place of half the value
/// above 0.
///
/// 1 - erf(t / sqrt 2) = 2^(t q(t)) of t = |x|, absolutely within 3e-8; where t is above 6 the exponent goes on
/// falling.
template <int N>
ATTN_INLINE void to_gelus(f32v (&x)[N]) {
  constexpr float q[] = {-1.15110517f,     -0.45920819f,    -0.0524961799f, 0.00706342002f,
                         -0.000136936404f, -0.00018618023f, 3.937769e-05f,  -2.83491295e-06f};
  f32v t[N], p[N];
#pragma GCC unroll 8
  for (int v = 0; v < N; ++v) t[v] = abs<float>(x[v]);
  polynomials<float>(t, q, p);
#pragma GCC unroll 8
  for (int v = 0; v < N; ++v) p[v] = t[v] * p[v];
  to_powers_of_two<float>(p);
#pragma GCC unroll 8
  for (int v = 0; v < N; ++v) {
    const f32v half = set1<float>(0.5f) * p[v];
    x[v] = x[v] * select<float>(x[v] < f32v{}, half, set1<float>(1.0f) - half);
  }
}
template <int N>
ATTN_INLINE void to_gelus(f64v (&x)[N]) {
  for (int v = 0; v < N; ++v)
    x[v] = set1<double>(0.5) * x[v] * (set1<double>(1.0) + erf(x[v] * set1<double>(0.70710678118654752)));
}

/// x (1 + erf(x / sqrt 2)) / 2.
template <class T>
ATTN_INLINE V<T> gelu(V<T> x) {
  V<T> one[] = {x};
  to_gelus(one);
  return one[0];
}

/// act(x).
template <class T>
ATTN_INLINE V<T> activate(Activation activation, V<T> x) {
  const V<T> one = set1<T>(T(1)), half = set1<T>(T(0.5));
  switch (activation) {
    case Activation::none: return x;
    case Activation::relu: return max(V<T>{}, x);
    case Activation::gelu: return gelu<T>(x);
    case Activation::gelu_tanh:
    case Activation::gelu_fast: {
      const T factor = activation == Activation::gelu_tanh ? T(0.79788456080286536) : T(0.7978845608);
      const V<T> cubic = fma(x * x * x, set1<T>(T(0.044715)), x);
      return half * x * (one + tanh<T>(cubic * set1<T>(factor)));
    }
    case Activation::silu: return x / (one + exp<T>(-x));
    case Activation::tanh: return tanh<T>(x);
    case Activation::sigmoid: return one / (one + exp<T>(-x));
    case Activation::quick_gelu: return x / (one + exp<T>(x * set1<T>(T(-1.702))));
    case Activation::gelu_10: return min(set1<T>(T(10)), gelu<T>(x));
    case Activation::relu2: {
      const V<T> above = max(V<T>{}, x);
      return above * above;
    }
    case Activation::relu6: return min(set1<T>(T(6)), max(V<T>{}, x));
    case Activation::leaky_relu: return select<T>(x < V<T>{}, x * set1<T>(T(0.01)), x);
    case Activation::mish: {
      // tanh(ln(1 + z)) = (z^2 + 2 z) / (z^2 + 2 z + 2) for z = e^x; from x = 20 on it is 1 to the last bit.
      const V<T> z = exp<T>(min(set1<T>(T(20)), x)), n = z * (z + set1<T>(T(2)));
      return x * (n / (n + set1<T>(T(2))));
    }
    case Activation::hardswish: return x * min(set1<T>(T(6)), max(V<T>{}, x + set1<T>(T(3)))) * set1<T>(T(1) / T(6));
    case Activation::laplace:
      return half * (one + erf((x - set1<T>(T(0.707107))) * set1<T>(T(1 / (0.282095 * 1.4142135623730951)))));
  }
  return x;
}

}  // namespace attn::simd::ATTN_SIMD_LEVEL
