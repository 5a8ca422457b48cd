#pragma once
// Shapes: extents and strides of tensors, row-major, counted in elements; parts of tensors.

#include <attn/core/export.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace ATTN_API attn {

struct TensorView;

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

// Slabs: the part [0:128,:,::2] of a tensor, as text and against a shape.

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

/// N-dimensional strided view of T, owning nothing, for numeric code below the public interface. Strides count
/// elements.
///
///     x(i, j) == x.data[i * x.strides[0] + j * x.strides[1]]
template <class T, std::size_t N>
struct Strided {
  T* data = nullptr;
  std::array<std::size_t, N> shape{};
  std::array<std::ptrdiff_t, N> strides{};

  template <class... Index>
  T& operator()(Index... index) const noexcept {
    static_assert(sizeof...(Index) == N, "one index for each axis");
    std::size_t axis = 0;
    std::ptrdiff_t offset = 0;
    ((offset += static_cast<std::ptrdiff_t>(index) * strides[axis++]), ...);
    return data[offset];
  }

  /// The view of one index of the first axis: x[i](j, k) == x(i, j, k).
  Strided<T, N - 1> operator[](std::size_t i) const noexcept {
    static_assert(N > 0, "a scalar has no axis to index");
    Strided<T, N - 1> inner;
    inner.data = data + static_cast<std::ptrdiff_t>(i) * strides[0];
    for (std::size_t axis = 1; axis < N; ++axis) {
      inner.shape[axis - 1] = shape[axis];
      inner.strides[axis - 1] = strides[axis];
    }
    return inner;
  }

  operator Strided<const T, N>() const noexcept { return {data, shape, strides}; }
};

/// Row-major view of contiguous memory.
template <class T, std::size_t N>
Strided<T, N> strided(T* data, const std::array<std::size_t, N>& shape) noexcept {
  Strided<T, N> view{data, shape, {}};
  std::ptrdiff_t step = 1;
  for (std::size_t axis = N; axis-- > 0;) {
    view.strides[axis] = step;
    step *= static_cast<std::ptrdiff_t>(shape[axis]);
  }
  return view;
}

}  // namespace attn
