#pragma once
// Tensors put into another order or taken apart, as views where that is possible.

#include <attn/core/tensor.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tconv {

/// Axis -1 is the last. Throws Error(usage) naming the option when there is no such axis among `rank`.
std::size_t resolve_axis(std::int64_t axis, std::size_t rank, const std::string& option);

/// The axes of x in that order. Throws Error(usage) unless `order` names each axis once.
attn::TensorView permuted(const attn::TensorView& x, const std::vector<std::int64_t>& order);

/// x in another shape; one extent may be -1: what remains. Throws Error(data) when the counts differ.
attn::TensorView reshaped(const attn::TensorView& x, const std::vector<std::int64_t>& extents);

/// How many tensors split() makes. Throws Error(data) for an extent that it cannot split so.
std::size_t number_of_parts(const attn::TensorView& x, std::int64_t axis, std::size_t count);

/// `count` equal parts along an axis, or one part without the axis for each index when count is 0.
std::vector<attn::TensorView> split(const attn::TensorView& x, std::int64_t axis, std::size_t count);

}  // namespace tconv
