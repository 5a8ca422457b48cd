#include <attn/simd/kernels.hpp>

namespace attn::simd {
namespace {

#if defined(__x86_64__)
Kernels with_bf16(Kernels level, const Bf16AttentionKernels& attention, const Bf16GemmKernels& gemm) {
  level.attention_bf16 = &attention;
  level.gemm_bf16 = &gemm;
  return level;
}

Kernels with_pieces(Kernels level, const Bf16x3AttentionKernels& attention, const Bf16x3GemmKernels& gemm) {
  level.attention_bf16x3 = &attention;
  level.gemm_bf16x3 = &gemm;
  return level;
}
#endif

}  // namespace

const Kernels& kernels(Isa isa) noexcept {
  static const Kernels of_baseline{baseline::gemm_f32,        baseline::gemm_f64,         baseline::attention_f32,
                                   baseline::attention_f64,   baseline::math_f32,         baseline::math_f64,
                                   baseline::norm_f32,        baseline::norm_f64,         baseline::smoothing,
                                   baseline::gaussian_series, baseline::gaussian_moments, baseline::portable};
#if defined(__x86_64__)
  static const Kernels of_avx2{avx2::gemm_f32,  avx2::gemm_f64,        avx2::attention_f32,    avx2::attention_f64,
                               avx2::math_f32,  avx2::math_f64,        avx2::norm_f32,         avx2::norm_f64,
                               avx2::smoothing, avx2::gaussian_series, avx2::gaussian_moments, avx2::portable};
  static const Kernels of_avx512{avx512::gemm_f32,        avx512::gemm_f64,         avx512::attention_f32,
                                 avx512::attention_f64,   avx512::math_f32,         avx512::math_f64,
                                 avx512::norm_f32,        avx512::norm_f64,         avx512::smoothing,
                                 avx512::gaussian_series, avx512::gaussian_moments, avx512::portable};
  static const Kernels of_avx512bf16 = with_bf16(of_avx512, avx512bf16::attention_bf16, avx512bf16::gemm_bf16);
  static const Kernels of_amxbf16 = with_pieces(with_bf16(of_avx512, amxbf16::attention_bf16, amxbf16::gemm_bf16),
                                                amxbf16::attention_bf16x3, amxbf16::gemm_bf16x3);
  if (isa == Isa::amxbf16) return of_amxbf16;
  if (isa == Isa::avx512bf16) return of_avx512bf16;
  if (isa == Isa::avx512) return of_avx512;
  if (isa == Isa::avx2) return of_avx2;
#else
  static_cast<void>(isa);
#endif
  return of_baseline;
}

}  // namespace attn::simd
