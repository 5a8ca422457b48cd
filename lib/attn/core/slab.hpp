#pragma once
// Slabs: the part [0:128,:,::2] of a tensor, as text and against a shape.

#include <attn/core/tensor.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ATTN_API attn {

/// One axis of a slab: half-open start:stop:step, negative bounds count from the end, a negative step goes backwards
/// from start, by default the end; an index [3] drops its axis.
struct AxisSlab {
  std::optional<std::int64_t> start, stop;
  std::int64_t step = 1;  ///< not 0
  bool is_index = false;  ///< start is the index, the axis is dropped
};

/// The axes as written; missing ones are whole.
using Slab = std::vector<AxisSlab>;

/// Parses the text between the brackets, "0:128,:,3". Throws Error(usage) naming `subject`.
Slab parse_slab(std::string_view text, std::string_view subject);

/// A slab resolved for one shape, as it is read: forwards.
struct ResolvedSlab {
  Shape start, count, step;      ///< per axis of the stored tensor; count elements from start, every step-th
  std::vector<bool> backwards;   ///< per axis: the result is reversed
  std::vector<bool> is_dropped;  ///< per axis: an index
  Shape shape;                   ///< without the dropped axes
  bool is_whole = true;          ///< everything, in order
};

/// Throws Error(usage) naming the tensor and its shape when an index is out of range or there are too many axes.
ResolvedSlab resolve(const Slab& slab, const Shape& shape, std::string_view tensor);

/// A part that was read forwards without its dropped axes, in the order of the slab: a view of the same memory.
TensorView turned(const TensorView& x, const ResolvedSlab& part);

/// The part of x as a view of the same memory.
TensorView slice(const TensorView& x, const Slab& slab);

/// Rows of the first axis in any order and number: a copy, or a view if all rows of x are one row.
TensorView rows_of(const TensorView& x, const std::vector<std::size_t>& rows);
/// The same of the last axis.
TensorView columns_of(const TensorView& x, const std::vector<std::size_t>& columns);

}  // namespace attn
