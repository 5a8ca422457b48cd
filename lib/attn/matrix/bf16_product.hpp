#pragma once
// A bf16 weight packed for processors that multiply tiles or pairs of bf16: what PackedMatrix does where bf16
// arithmetic is allowed.

#include <attn/matrix/packed_matrix.hpp>
#include <attn/simd/gemm_bf16.hpp>

#include <memory>

namespace attn {

/// Is a bf16 weight multiplied as bf16: allowed by `compute`, and had by the instruction set?
inline bool is_multiplied_as_bf16(const TensorView& weight, DType compute, Isa isa) {
  return compute == DType::bf16 && weight.dtype == DType::bf16 && simd::bf16_gemm_kernels(isa) != nullptr;
}

/// The bf16 weight (rank 2) as panels of 32 columns in tiles (see gemm_bf16.hpp).
std::shared_ptr<void> pack_tiles(const TensorView& weight, const Execution& execution);

/// y (rows, out) = act(x (rows, in) W + bias), x rounded to bf16.
void multiply_tiles(Isa isa, const std::uint16_t* panels, Strided<const float, 2> x, Strided<float, 2> y,
                    const Epilogue<float>& epilogue, const Execution& execution);

}  // namespace attn
