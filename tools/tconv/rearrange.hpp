#pragma once
// Rearranging, splitting and joining tensors, as views if possible.

#include <attn/core/tensor.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tconv {

/// Axis -1 is the last. Throws Error(usage) that names the option if there is no such axis.
std::size_t resolve_axis(std::int64_t axis, std::size_t rank, const std::string& option);

/// The axes of x in that order. Throws Error(usage) unless `order` names each axis once.
attn::TensorView permuted(const attn::TensorView& x, const std::vector<std::int64_t>& order);

/// x in another shape; one extent may be -1, the rest. Throws Error(data) if the counts differ.
attn::TensorView reshaped(const attn::TensorView& x, const std::vector<std::int64_t>& extents);

/// The number of tensors that split() makes. Throws Error(data) for an extent that cannot be split so.
std::size_t number_of_parts(const attn::TensorView& x, std::int64_t axis, std::size_t count);

/// `count` equal parts along an axis, or one part without the axis for each index when count is 0.
std::vector<attn::TensorView> split(const attn::TensorView& x, std::int64_t axis, std::size_t count);

/// Numbers of text, read as f64 or i64, converted to `dtype` if it represents each of them; else unchanged.
attn::TensorView as_integers(const attn::TensorView& numbers, attn::DType dtype);

/// Joins all along a new axis. Shapes must be equal. Integers of different dtypes become i64 or u64, other numbers f32
/// or f64. Throws Error(data) for an integer that f64 would round.
attn::TensorView stacked(const std::vector<attn::TensorView>& parts, std::int64_t axis);

/// Joins all along an existing axis; the other extents must be equal; dtypes as above.
attn::TensorView concatenated(const std::vector<attn::TensorView>& parts, std::int64_t axis);

}  // namespace tconv
