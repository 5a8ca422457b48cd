#pragma once
// Tensors a few elements at a time, wherever their elements lie.

#include <attn/core/tensor.hpp>

#include <cstddef>

namespace ATTN_API attn {

/// So many elements stay in the nearest caches, and a copy of them is too small for memory_account() to count.
constexpr std::size_t few_elements = 4096;

/// Elements of x in row-major order, `count` from `first` on, as a vector: in place where x is contiguous, else a copy
/// of them. Expects first + count <= x.size().
TensorView elements(const TensorView& x, std::size_t first, std::size_t count);

}  // namespace attn
