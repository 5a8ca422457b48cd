// The vector type that all kernels are written against.
//
// Included only by kernel sources, which are compiled once per instruction set. The including file says for which one:
//
//     #define ATTN_SIMD_LEVEL avx2   // the namespace of everything compiled here
//     #define ATTN_SIMD_BYTES 32     // bytes of a vector: 16 baseline (SSE2, NEON), 32 AVX2 and FMA, 64 AVX-512
//
// All code lives in attn::simd::ATTN_SIMD_LEVEL, so that nothing compiled for a newer processor can be taken by the
// linker for a function of the same name compiled for every processor. For the same reason the kernel sources include
// no header with inline functions but this one, the intrinsics and <cstddef>, <cstdint>.
#pragma once

#if !defined(ATTN_SIMD_LEVEL) || !defined(ATTN_SIMD_BYTES)
#error "define ATTN_SIMD_LEVEL and ATTN_SIMD_BYTES first"
#endif

#include <cstddef>
#include <cstdint>

#if ATTN_SIMD_BYTES > 16
#if defined(__GNUC__) && !defined(__clang__)
// GCC 12 takes the undefined operand of its own unmasked AVX-512 intrinsics for a mistake (GCC bug 105593).
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#define ATTN_INLINE static inline __attribute__((always_inline))

namespace attn::simd::ATTN_SIMD_LEVEL {

using f32v = float __attribute__((vector_size(ATTN_SIMD_BYTES), may_alias));
using f64v = double __attribute__((vector_size(ATTN_SIMD_BYTES), may_alias));
using i32v = std::int32_t __attribute__((vector_size(ATTN_SIMD_BYTES), may_alias));
using i64v = std::int64_t __attribute__((vector_size(ATTN_SIMD_BYTES), may_alias));
/// The same, wherever it lies in memory.
using f32u = float __attribute__((vector_size(ATTN_SIMD_BYTES), may_alias, aligned(4)));
using f64u = double __attribute__((vector_size(ATTN_SIMD_BYTES), may_alias, aligned(8)));

template <class T>
struct Lanes;
template <>
struct Lanes<float> {
  using V = f32v;
  using U = f32u;
  using I = i32v;
};
template <>
struct Lanes<double> {
  using V = f64v;
  using U = f64u;
  using I = i64v;
};
template <class T>
using V = typename Lanes<T>::V;

/// Elements of a vector of T.
template <class T>
inline constexpr int width = ATTN_SIMD_BYTES / static_cast<int>(sizeof(T));

// ---- memory --------------------------------------------------------------------------------------------------------

template <class T>
ATTN_INLINE V<T> load(const T* p) {
  return *reinterpret_cast<const typename Lanes<T>::U*>(p);
}
template <class T>
ATTN_INLINE void store(T* p, V<T> v) {
  *reinterpret_cast<typename Lanes<T>::U*>(p) = v;
}
template <class T>
ATTN_INLINE V<T> set1(T x) {
#if ATTN_SIMD_BYTES == 64
  if constexpr (sizeof(T) == 4)
    return (f32v)_mm512_set1_ps(x);
  else
    return (f64v)_mm512_set1_pd(x);
#elif ATTN_SIMD_BYTES == 32
  if constexpr (sizeof(T) == 4)
    return (f32v)_mm256_set1_ps(x);
  else
    return (f64v)_mm256_set1_pd(x);
#else
  return x - V<T>{};  // -0 stays -0
#endif
}

/// The first n elements, 0 < n <= width; the other lanes are 0 and their memory is not touched.
template <class T>
ATTN_INLINE V<T> load_n(const T* p, std::ptrdiff_t n) {
#if ATTN_SIMD_BYTES == 64
  if constexpr (sizeof(T) == 4)
    return (f32v)_mm512_maskz_loadu_ps(static_cast<__mmask16>((1u << n) - 1), p);
  else
    return (f64v)_mm512_maskz_loadu_pd(static_cast<__mmask8>((1u << n) - 1), p);
#else
  V<T> v{};
  for (int lane = 0; lane < width<T>; ++lane)
    if (lane < n) v[lane] = p[lane];
  return v;
#endif
}
/// Stores the first n lanes, 0 < n <= width.
template <class T>
ATTN_INLINE void store_n(T* p, V<T> v, std::ptrdiff_t n) {
#if ATTN_SIMD_BYTES == 64
  if constexpr (sizeof(T) == 4)
    _mm512_mask_storeu_ps(p, static_cast<__mmask16>((1u << n) - 1), (__m512)v);
  else
    _mm512_mask_storeu_pd(p, static_cast<__mmask8>((1u << n) - 1), (__m512d)v);
#else
  for (int lane = 0; lane < width<T>; ++lane)
    if (lane < n) p[lane] = v[lane];
#endif
}

// ---- arithmetic beyond the operators --------------------------------------------------------------------------------

/// a b + c; rounded once where the processor can, twice with SSE2.
ATTN_INLINE f32v fma(f32v a, f32v b, f32v c) {
#if ATTN_SIMD_BYTES == 64
  return (f32v)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
#elif ATTN_SIMD_BYTES == 32
  return (f32v)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
#elif defined(__aarch64__)
  return (f32v)vfmaq_f32((float32x4_t)c, (float32x4_t)a, (float32x4_t)b);
#else
  return a * b + c;
#endif
}
ATTN_INLINE f64v fma(f64v a, f64v b, f64v c) {
#if ATTN_SIMD_BYTES == 64
  return (f64v)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
#elif ATTN_SIMD_BYTES == 32
  return (f64v)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
#elif defined(__aarch64__)
  return (f64v)vfmaq_f64((float64x2_t)c, (float64x2_t)a, (float64x2_t)b);
#else
  return a * b + c;
#endif
}

/// The larger lane; b where one of them is NaN.
ATTN_INLINE f32v max(f32v a, f32v b) {
#if ATTN_SIMD_BYTES == 64
  return (f32v)_mm512_max_ps((__m512)a, (__m512)b);
#elif ATTN_SIMD_BYTES == 32
  return (f32v)_mm256_max_ps((__m256)a, (__m256)b);
#else
  return a > b ? a : b;
#endif
}
ATTN_INLINE f64v max(f64v a, f64v b) {
#if ATTN_SIMD_BYTES == 64
  return (f64v)_mm512_max_pd((__m512d)a, (__m512d)b);
#elif ATTN_SIMD_BYTES == 32
  return (f64v)_mm256_max_pd((__m256d)a, (__m256d)b);
#else
  return a > b ? a : b;
#endif
}
/// The smaller lane; b where one of them is NaN.
ATTN_INLINE f32v min(f32v a, f32v b) {
#if ATTN_SIMD_BYTES == 64
  return (f32v)_mm512_min_ps((__m512)a, (__m512)b);
#elif ATTN_SIMD_BYTES == 32
  return (f32v)_mm256_min_ps((__m256)a, (__m256)b);
#else
  return a < b ? a : b;
#endif
}
ATTN_INLINE f64v min(f64v a, f64v b) {
#if ATTN_SIMD_BYTES == 64
  return (f64v)_mm512_min_pd((__m512d)a, (__m512d)b);
#elif ATTN_SIMD_BYTES == 32
  return (f64v)_mm256_min_pd((__m256d)a, (__m256d)b);
#else
  return a < b ? a : b;
#endif
}

/// 1.5 * 2^(digits - 1): added to x with |x| < 2^22 (f32), 2^51 (f64) it leaves the whole number next to x, ties to
/// even, in the low bits of the significand.
template <class T>
inline constexpr T rounder = sizeof(T) == 4 ? T(12582912.0) : T(6755399441055744.0);
/// The same for the exponent's bits of 2^x.
template <class T>
inline constexpr T exponent_rounder = rounder<T> + (sizeof(T) == 4 ? 127 : 1023);

/// 2^n from n + exponent_rounder: its low bits, shifted into the exponent's place. 0 for the lowest n, which is -127
/// (f32), -1023 (f64).
template <class T>
ATTN_INLINE V<T> power_of_rounded(V<T> rounded) {
  return (V<T>)((typename Lanes<T>::I)rounded << (sizeof(T) == 4 ? 23 : 52));
}

/// Whole numbers next to x, ties to even. |x| < 2^22 (f32), 2^51 (f64).
template <class T>
ATTN_INLINE V<T> round(V<T> x) {
#if ATTN_SIMD_BYTES == 64
  if constexpr (sizeof(T) == 4)
    return (f32v)_mm512_roundscale_ps((__m512)x, _MM_FROUND_TO_NEAREST_INT);
  else
    return (f64v)_mm512_roundscale_pd((__m512d)x, _MM_FROUND_TO_NEAREST_INT);
#elif ATTN_SIMD_BYTES == 32
  if constexpr (sizeof(T) == 4)
    return (f32v)_mm256_round_ps((__m256)x, _MM_FROUND_TO_NEAREST_INT);
  else
    return (f64v)_mm256_round_pd((__m256d)x, _MM_FROUND_TO_NEAREST_INT);
#elif defined(__aarch64__)
  if constexpr (sizeof(T) == 4)
    return (f32v)vrndnq_f32((float32x4_t)x);
  else
    return (f64v)vrndnq_f64((float64x2_t)x);
#else
  return (x + set1<T>(rounder<T>)) - set1<T>(rounder<T>);
#endif
}

/// p 2^n for whole n in [-126, 127] (f32), [-1022, 1023] (f64); on AVX-512 for any n, rounded once below the normal
/// range.
template <class T>
ATTN_INLINE V<T> scale_by_power(V<T> p, V<T> n) {
#if ATTN_SIMD_BYTES == 64
  if constexpr (sizeof(T) == 4)
    return (f32v)_mm512_scalef_ps((__m512)p, (__m512)n);
  else
    return (f64v)_mm512_scalef_pd((__m512d)p, (__m512d)n);
#else
  return p * power_of_rounded<T>(n + set1<T>(exponent_rounder<T>));
#endif
}

/// Bits of a where mask is all ones, of b where it is 0 (what comparisons of vectors give).
template <class T>
ATTN_INLINE V<T> select(typename Lanes<T>::I mask, V<T> a, V<T> b) {
  return mask ? a : b;
}

/// The magnitude of x.
template <class T>
ATTN_INLINE V<T> abs(V<T> x) {
  using I = typename Lanes<T>::I;
  return (V<T>)((I)x & ~(I)set1<T>(T(-0.0)));
}
/// The magnitude of x with the sign of s.
template <class T>
ATTN_INLINE V<T> copy_sign(V<T> x, V<T> s) {
  using I = typename Lanes<T>::I;
  const I sign = (I)set1<T>(T(-0.0));
  return (V<T>)(((I)x & ~sign) | ((I)s & sign));
}

template <int...>
struct Indices {};
template <int n, int... rest>
struct IndicesTo : IndicesTo<n - 1, n - 1, rest...> {};
template <int... all>
struct IndicesTo<0, all...> {
  using type = Indices<all...>;
};
/// The numbers of the lanes of a vector of T, for shuffles.
template <class T>
using LaneIndices = typename IndicesTo<width<T>>::type;

/// Lane l of the result: v[(l + by) % width].
template <int by, class Vector, int... lane>
ATTN_INLINE Vector rotate(Vector v, Indices<lane...>) {
  return __builtin_shufflevector(v, v, ((lane + by) % static_cast<int>(sizeof...(lane)))...);
}

/// The sum of all lanes: halves are added to each other until one lane is left.
template <class T, int half = width<T> / 2>
ATTN_INLINE T reduce_add(V<T> v) {
  if constexpr (half == 0)
    return v[0];
  else
    return reduce_add<T, half / 2>(v + rotate<half>(v, LaneIndices<T>{}));
}
/// The largest lane; lanes that are NaN may be passed over.
template <class T, int half = width<T> / 2>
ATTN_INLINE T reduce_max(V<T> v) {
  if constexpr (half == 0)
    return v[0];
  else
    return reduce_max<T, half / 2>(max(v, rotate<half>(v, LaneIndices<T>{})));
}

// ---- f32 through f64 ------------------------------------------------------------------------------------------------

using f32_half_v = float __attribute__((vector_size(ATTN_SIMD_BYTES / 2), may_alias, aligned(4)));

/// width<double> elements in f64, and back, rounded once.
ATTN_INLINE f64v load_f64(const float* p) {
  return __builtin_convertvector(*reinterpret_cast<const f32_half_v*>(p), f64v);
}
ATTN_INLINE f64v load_f64(const double* p) { return load(p); }
ATTN_INLINE void store_f64(float* p, f64v v) {
  *reinterpret_cast<f32_half_v*>(p) = __builtin_convertvector(v, f32_half_v);
}
ATTN_INLINE void store_f64(double* p, f64v v) { store(p, v); }

// ---- storage types -------------------------------------------------------------------------------------------------

/// How a matrix is stored: as T itself, or narrower.
struct Half {
  std::uint16_t bits;
};
struct Bfloat {
  std::uint16_t bits;
};

ATTN_INLINE f32v widen(const float* p) { return load(p); }
ATTN_INLINE f64v widen(const double* p) { return load(p); }
#if ATTN_SIMD_BYTES == 64
ATTN_INLINE f32v widen(const Half* p) {
  return (f32v)_mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
}
ATTN_INLINE f32v widen(const Bfloat* p) {
  return (f32v)_mm512_slli_epi32(_mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p))), 16);
}
#elif ATTN_SIMD_BYTES == 32
ATTN_INLINE f32v widen(const Half* p) {
  return (f32v)_mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
}
ATTN_INLINE f32v widen(const Bfloat* p) {
  return (f32v)_mm256_slli_epi32(_mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))), 16);
}
#elif defined(__aarch64__)
ATTN_INLINE f32v widen(const Half* p) {
  return (f32v)vcvt_f32_f16(vreinterpret_f16_u16(vld1_u16(reinterpret_cast<const std::uint16_t*>(p))));
}
ATTN_INLINE f32v widen(const Bfloat* p) {
  return (f32v)vshll_n_u16(vld1_u16(reinterpret_cast<const std::uint16_t*>(p)), 16);
}
#else
ATTN_INLINE f32v widen(const Bfloat* p) {
  i32v bits;
  for (int lane = 0; lane < width<float>; ++lane)
    bits[lane] = static_cast<std::int32_t>(static_cast<std::uint32_t>(p[lane].bits) << 16);
  return (f32v)bits;
}
/// Half precision by hand: sign, exponent and fraction moved to their places; a product with 2^112 makes the exponent
/// right, of subnormal numbers too.
ATTN_INLINE f32v widen(const Half* p) {
  i32v bits;
  for (int lane = 0; lane < width<float>; ++lane) bits[lane] = p[lane].bits;
  const i32v magnitude = (bits & 0x7fff) << 13;
  const f32v scaled = (f32v)magnitude * set1<float>(5192296858534827628530496329220096.0f);
  const i32v top = (i32v)(magnitude >= (0x7c00 << 13));  // infinity and NaN
  const i32v finite = (i32v)scaled;
  return (f32v)((((bits & 0x8000) << 16)) | (top & (magnitude | 0x7f800000)) | (~top & finite));
}
#endif

/// Storage that is widened as cheaply after two elements went through a permutation of lanes as one.
template <class Stored>
inline constexpr bool has_pairs = false;
template <>
inline constexpr bool has_pairs<Bfloat> = true;
/// The first and the second of two elements in each lane, widened.
ATTN_INLINE f32v first_of_pairs(f32v pairs) { return (f32v)((i32v)pairs << 16); }
ATTN_INLINE f32v second_of_pairs(f32v pairs) { return (f32v)((i32v)pairs & -0x10000); }
/// 2 width elements as pairs.
ATTN_INLINE f32v pairs_at(const Bfloat* p) {
  f32v pairs;
  __builtin_memcpy(&pairs, p, sizeof pairs);
  return pairs;
}
/// The first and the second ones of 2 width elements become the elements in order.
template <int... lane>
ATTN_INLINE void put_in_order(f32v& a, f32v& b, Indices<lane...>) {
  constexpr int W = width<float>;
  const f32v first = __builtin_shufflevector(a, b, (lane / 2 + lane % 2 * W)...);
  b = __builtin_shufflevector(a, b, (W / 2 + lane / 2 + lane % 2 * W)...);
  a = first;
}

/// The first n elements, 0 behind them; memory from n on is not touched.
template <class T, class Stored>
ATTN_INLINE V<T> widen_n(const Stored* p, std::ptrdiff_t n) {
  if (n >= width<T>) return widen(p);
  Stored some[width<T>] = {};
  for (std::ptrdiff_t i = 0; i < n; ++i) some[i] = p[i];
  return widen(some);
}

}  // namespace attn::simd::ATTN_SIMD_LEVEL
