#pragma once
// Shapes: extents and strides of tensors, row-major, counted in elements.

#include <attn/core/api.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace ATTN_API attn {

/// Extents, outermost axis first; a scalar has none.
using Shape = std::vector<std::size_t>;

/// Steps from one index to the next along each axis, in elements; 0 on a broadcast axis, negative on a reversed one.
using Strides = std::vector<std::ptrdiff_t>;

/// "(2, 3, 4)", "(5,)", "()" as Python writes them.
std::string to_string(const Shape& shape);

/// The number of elements; none if the product exceeds 63 bits.
std::optional<std::size_t> counted_elements(const Shape& shape) noexcept;
/// The same; throws Error(memory) if the product exceeds 63 bits.
std::size_t element_count(const Shape& shape);

/// Strides of a row-major tensor without gaps.
Strides row_major_strides(const Shape& shape);

/// The shape that both broadcast to under NumPy's rule; throws Error(data) naming both if there is none.
Shape broadcast_shapes(const Shape& a, const Shape& b);

}  // namespace attn
