#pragma once
// What all products share: the chains in which an element is added up, and what follows the sum.

#include <attn/matrix/packed_matrix.hpp>
#include <attn/simd/gemm.hpp>

namespace attn {

/// Inputs of one chain of additions; a panel's block of them fits the L2 cache. Packed or not, an element is added up
/// in the same chains, so that its bits do not depend on which.
inline constexpr std::size_t depth_block = 512;

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

}  // namespace attn
