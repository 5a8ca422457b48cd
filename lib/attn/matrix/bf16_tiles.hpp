#pragma once
// What the packed and the stored matrix have in common, and a bf16 weight packed for processors that multiply tiles or
// pairs of bf16: what PackedMatrix does where bf16 arithmetic is allowed.

#include <attn/matrix/packed_matrix.hpp>
#include <attn/simd/gemm.hpp>
#include <attn/simd/gemm_bf16.hpp>

#include <memory>

namespace attn {

/// Inputs of one chain of additions; a panel's block of them fits the L2 cache. Packed or not, an element is added up
/// in the same chains, so that its bits do not depend on which.
inline constexpr std::size_t depth_block = 512;

/// Is a bf16 weight multiplied as bf16: allowed by `compute`, and had by the instruction set?
inline bool is_multiplied_as_bf16(const TensorView& weight, DType compute, Isa isa) {
  return compute == DType::bf16 && weight.dtype == DType::bf16 && simd::bf16_gemm_kernels(isa) != nullptr;
}

/// Columns [first, last) of y = act(y + bias).
template <class T>
void finish_columns(const simd::GemmKernels<T>& kernel, const Epilogue<T>& epilogue, Strided<T, 2> y, std::size_t first,
                    std::size_t last) {
  if (epilogue.bias == nullptr && epilogue.activation == Activation::none) return;
  simd::Finish<T> part;
  part.y = y.data + first;
  part.y_stride = y.strides[0];
  part.rows = y.shape[0];
  part.columns = last - first;
  part.bias = epilogue.bias != nullptr ? epilogue.bias + first : nullptr;
  part.activation = epilogue.activation;
  kernel.finish(part);
}

/// The bf16 weight (rank 2) as panels of 32 columns in tiles (see gemm_bf16.hpp).
std::shared_ptr<void> pack_tiles(const TensorView& weight, const Execution& execution);

/// y (rows, out) = act(x (rows, in) W + bias), x rounded to bf16.
void multiply_tiles(Isa isa, const std::uint16_t* panels, Strided<const float, 2> x, Strided<float, 2> y,
                    const Epilogue<float>& epilogue, const Execution& execution);

}  // namespace attn
