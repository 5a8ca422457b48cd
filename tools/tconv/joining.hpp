#pragma once
// Joining tensors.

#include <attn/core/tensor.hpp>

#include <cstdint>
#include <vector>

namespace tconv {

/// Numbers of text, read as f64 or i64, converted to `dtype` if it represents each of them; else unchanged.
attn::TensorView as_integers(const attn::TensorView& numbers, attn::DType dtype);

/// Joins all along a new axis. Shapes must be equal. Integers of different dtypes become i64 or u64, other numbers f32
/// or f64. Throws Error(data) for an integer that f64 would round.
attn::TensorView stacked(const std::vector<attn::TensorView>& parts, std::int64_t axis);

/// Joins all along an existing axis; the other extents must be equal; dtypes as above.
attn::TensorView concatenated(const std::vector<attn::TensorView>& parts, std::int64_t axis);

}  // namespace tconv
