#pragma once
// Rearranging and splitting tensors, as views if possible.

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

}  // namespace tconv
