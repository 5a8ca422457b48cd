// The resolvers: which table of kernels an instruction set has.

#include <attn/simd/attention.hpp>
#include <attn/simd/attention_bf16.hpp>
#include <attn/simd/attention_bf16x3.hpp>
#include <attn/simd/elementwise.hpp>
#include <attn/simd/gaussian_series.hpp>
#include <attn/simd/gemm.hpp>
#include <attn/simd/gemm_bf16.hpp>
#include <attn/simd/gemm_bf16x3.hpp>
#include <attn/simd/kernel_sums.hpp>
#include <attn/simd/norm.hpp>
#include <attn/simd/reproducible.hpp>

#include <cstdlib>

// A level without a table of its own takes that of the level below. Only levels that are built have tables.
#define ATTN_RESOLVER(specialisation, Table, resolver, table)         \
  namespace baseline {                                                \
  extern const Table table;                                           \
  }                                                                   \
  namespace avx2 {                                                    \
  extern const Table table;                                           \
  }                                                                   \
  namespace avx512 {                                                  \
  extern const Table table;                                           \
  }                                                                   \
  specialisation const Table& resolver(Isa isa) noexcept {            \
    if constexpr (ATTN_BUILT_avx512)                                  \
      if (isa >= Isa::avx512) return avx512::table;                   \
    if constexpr (ATTN_BUILT_avx2)                                    \
      if (isa >= Isa::avx2) return avx2::table;                       \
    if constexpr (ATTN_BUILT_baseline) return baseline::table;        \
    std::abort(); /* available_isas() has no level without a table */ \
  }

namespace attn::simd {

ATTN_RESOLVER(template <>, AttentionKernels<float>, attention_kernels, attention_f32)
ATTN_RESOLVER(template <>, AttentionKernels<double>, attention_kernels, attention_f64)
ATTN_RESOLVER(template <>, GemmKernels<float>, gemm_kernels, gemm_f32)
ATTN_RESOLVER(template <>, GemmKernels<double>, gemm_kernels, gemm_f64)
ATTN_RESOLVER(template <>, MathKernels<float>, math_kernels, math_f32)
ATTN_RESOLVER(template <>, MathKernels<double>, math_kernels, math_f64)
ATTN_RESOLVER(template <>, NormKernels<float>, norm_kernels, norm_f32)
ATTN_RESOLVER(template <>, NormKernels<double>, norm_kernels, norm_f64)
ATTN_RESOLVER(, ReproducibleKernels, reproducible_kernels, reproducible)
ATTN_RESOLVER(, SeriesKernels, series_kernels, gaussian_series)
ATTN_RESOLVER(, SeriesKernels, moment_kernels, gaussian_moments)
ATTN_RESOLVER(, SmoothingKernels, smoothing_kernels, smoothing)

namespace avx512bf16 {
extern const Bf16AttentionKernels attention_bf16;
extern const Bf16GemmKernels gemm_bf16;
}  // namespace avx512bf16
namespace amxbf16 {
extern const Bf16AttentionKernels attention_bf16;
extern const Bf16GemmKernels gemm_bf16;
extern const Bf16x3AttentionKernels attention_bf16x3;
extern const Bf16x3GemmKernels gemm_bf16x3;
}  // namespace amxbf16

const Bf16AttentionKernels* bf16_attention_kernels(Isa isa) noexcept {
  if constexpr (ATTN_BUILT_amxbf16)
    if (isa == Isa::amxbf16) return &amxbf16::attention_bf16;
  if constexpr (ATTN_BUILT_avx512bf16)
    if (isa == Isa::avx512bf16) return &avx512bf16::attention_bf16;
  return nullptr;
}
const Bf16GemmKernels* bf16_gemm_kernels(Isa isa) noexcept {
  if constexpr (ATTN_BUILT_amxbf16)
    if (isa == Isa::amxbf16) return &amxbf16::gemm_bf16;
  if constexpr (ATTN_BUILT_avx512bf16)
    if (isa == Isa::avx512bf16) return &avx512bf16::gemm_bf16;
  return nullptr;
}
const Bf16x3AttentionKernels* bf16x3_attention_kernels(Isa isa) noexcept {
  if constexpr (ATTN_BUILT_amxbf16)
    if (isa == Isa::amxbf16) return &amxbf16::attention_bf16x3;
  return nullptr;
}
const Bf16x3GemmKernels* bf16x3_gemm_kernels(Isa isa) noexcept {
  if constexpr (ATTN_BUILT_amxbf16)
    if (isa == Isa::amxbf16) return &amxbf16::gemm_bf16x3;
  return nullptr;
}

}  // namespace attn::simd
