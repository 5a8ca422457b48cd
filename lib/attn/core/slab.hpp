#pragma once
// Slabs: the part [0:128,:,::2] of a tensor, as text and against a shape.

#include <attn/core/tensor.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// One axis of a slab: half-open start:stop:step, negatives count from the end; an index [3] drops its axis.
struct AxisSlab {
  std::optional<std::int64_t> start, stop;
  std::int64_t step = 1;  ///< positive
  bool is_index = false;  ///< start is the index, the axis is dropped
};

/// As many axes as were written; missing ones are whole.
using Slab = std::vector<AxisSlab>;

/// Parses the text between the brackets, "0:128,:,3". Throws Error(usage) naming `subject`.
Slab parse_slab(std::string_view text, std::string_view subject);

/// A slab made concrete for one shape.
struct ResolvedSlab {
  Shape start, count, step;  ///< per axis of the stored tensor; count elements from start, every step-th
  Shape shape;               ///< what remains when dropped axes are gone
  bool is_whole = true;      ///< everything, in order
};

/// Throws Error(usage) naming the tensor and its shape when an index is out of range or there are too many axes.
ResolvedSlab resolve(const Slab& slab, const Shape& shape, std::string_view tensor);

/// The part of x as a view of the same memory.
TensorView slice(const TensorView& x, const Slab& slab);

}  // namespace attn
