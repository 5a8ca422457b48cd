#pragma once
// Access to a few elements of a tensor at a time, in any memory layout.

#include <attn/core/tensor.hpp>

#include <cstddef>

namespace attn {

/// This many elements stay in the nearest caches, and their copy is too small for memory_account() to count.
constexpr std::size_t few_elements = 4096;

/// Elements of x in row-major order, `count` from `first` on, as a vector: in place if x is contiguous, else a copy.
/// Expects first + count <= x.size().
TensorView elements(const TensorView& x, std::size_t first, std::size_t count);

}  // namespace attn
