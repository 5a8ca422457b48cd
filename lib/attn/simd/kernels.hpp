#pragma once
// The selector: the kernels of an instruction set.

#include <attn/core/dtype.hpp>
#include <attn/core/isa.hpp>
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
#include <attn/simd/portable.hpp>

namespace attn::simd {

/// One table of kernels for each instruction set. A level that has nothing of its own for a kernel shares the one
/// below.
struct Kernels {
  const GemmKernels<float>& gemm_f32;
  const GemmKernels<double>& gemm_f64;
  const AttentionKernels<float>& attention_f32;
  const AttentionKernels<double>& attention_f64;
  const MathKernels<float>& math_f32;
  const MathKernels<double>& math_f64;
  const NormKernels<float>& norm_f32;
  const NormKernels<double>& norm_f64;
  const SmoothingKernels& smoothing;
  const SeriesKernels& gaussian_series;
  const SeriesKernels& gaussian_moments;
  const PortableKernels& portable;
  const Bf16AttentionKernels* attention_bf16 = nullptr;      ///< null: none of its own, f32 is as fast
  const Bf16GemmKernels* gemm_bf16 = nullptr;                ///< null: none, bf16 is multiplied in f32
  const Bf16x3AttentionKernels* attention_bf16x3 = nullptr;  ///< null: none, f32 is multiplied in vectors
  const Bf16x3GemmKernels* gemm_bf16x3 = nullptr;            ///< the same

  template <class T>
  const GemmKernels<T>& gemm() const noexcept {
    if constexpr (sizeof(T) == sizeof(float))
      return gemm_f32;
    else
      return gemm_f64;
  }
  template <class T>
  const AttentionKernels<T>& attention() const noexcept {
    if constexpr (sizeof(T) == sizeof(float))
      return attention_f32;
    else
      return attention_f64;
  }
  template <class T>
  const NormKernels<T>& norm() const noexcept {
    if constexpr (sizeof(T) == sizeof(float))
      return norm_f32;
    else
      return norm_f64;
  }
  template <class T>
  const MathKernels<T>& math() const noexcept {
    if constexpr (sizeof(T) == sizeof(float))
      return math_f32;
    else
      return math_f64;
  }
};

/// isa must be available here (available_isas()).
const Kernels& kernels(Isa isa) noexcept;

/// How kernels are told of elements that they widen to f32: f16, bf16, or those that they compute with.
inline Storage storage_of(DType stored) noexcept {
  if (stored == DType::f16) return Storage::half;
  return stored == DType::bf16 ? Storage::bfloat : Storage::full;
}

}  // namespace attn::simd
