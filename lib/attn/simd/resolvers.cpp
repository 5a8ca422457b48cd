// The resolvers: which table of kernels an instruction set has. The linker leaves a resolver that a program does not
// call out of it, and with it the kernels of its tables.

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

// A level without a table of its own takes that of the level below.
#if defined(__x86_64__)
#define ATTN_TABLE_AT(isa, table) \
  ((isa) >= Isa::avx512 ? avx512::table : (isa) == Isa::avx2 ? avx2::table : baseline::table)
#else
#define ATTN_TABLE_AT(isa, table) (static_cast<void>(isa), baseline::table)
#endif

#define ATTN_RESOLVER(specialisation, Table, resolver, table) \
  namespace baseline {                                        \
  extern const Table table;                                   \
  }                                                           \
  namespace avx2 {                                            \
  extern const Table table;                                   \
  }                                                           \
  namespace avx512 {                                          \
  extern const Table table;                                   \
  }                                                           \
  specialisation const Table& resolver(Isa isa) noexcept { return ATTN_TABLE_AT(isa, table); }

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

#if defined(__x86_64__)
const Bf16AttentionKernels* bf16_attention_kernels(Isa isa) noexcept {
  if (isa == Isa::amxbf16) return &amxbf16::attention_bf16;
  return isa == Isa::avx512bf16 ? &avx512bf16::attention_bf16 : nullptr;
}
const Bf16GemmKernels* bf16_gemm_kernels(Isa isa) noexcept {
  if (isa == Isa::amxbf16) return &amxbf16::gemm_bf16;
  return isa == Isa::avx512bf16 ? &avx512bf16::gemm_bf16 : nullptr;
}
const Bf16x3AttentionKernels* bf16x3_attention_kernels(Isa isa) noexcept {
  return isa == Isa::amxbf16 ? &amxbf16::attention_bf16x3 : nullptr;
}
const Bf16x3GemmKernels* bf16x3_gemm_kernels(Isa isa) noexcept {
  return isa == Isa::amxbf16 ? &amxbf16::gemm_bf16x3 : nullptr;
}
#else
const Bf16AttentionKernels* bf16_attention_kernels(Isa) noexcept { return nullptr; }
const Bf16GemmKernels* bf16_gemm_kernels(Isa) noexcept { return nullptr; }
const Bf16x3AttentionKernels* bf16x3_attention_kernels(Isa) noexcept { return nullptr; }
const Bf16x3GemmKernels* bf16x3_gemm_kernels(Isa) noexcept { return nullptr; }
#endif

}  // namespace attn::simd
