#include <attn/core/elements.hpp>

#include <algorithm>

namespace attn {
namespace {

/// The offset from x.data of a row along the last axis, in elements.
std::ptrdiff_t row_offset(const TensorView& x, std::size_t row) {
  std::ptrdiff_t offset = 0;
  for (std::size_t axis = x.rank() - 1; axis-- > 0; row /= x.shape[axis])
    offset += static_cast<std::ptrdiff_t>(row % x.shape[axis]) * x.strides[axis];
  return offset;
}

template <class T>
void copy_some(const TensorView& x, std::size_t first, std::size_t count, T* out) {
  const std::size_t columns = x.shape.back();
  const std::ptrdiff_t step = x.strides.back();
  for (std::size_t taken; count > 0; first += taken, count -= taken) {
    const std::size_t column = first % columns;
    taken = std::min(columns - column, count);
    const std::ptrdiff_t offset = row_offset(x, first / columns) + static_cast<std::ptrdiff_t>(column) * step;
    const T* const from = static_cast<const T*>(x.data) + offset;
    for (std::size_t i = 0; i < taken; ++i) *out++ = from[static_cast<std::ptrdiff_t>(i) * step];
  }
}

}  // namespace

TensorView elements(const TensorView& x, std::size_t first, std::size_t count) {
  if (x.is_contiguous())
    return {static_cast<const char*>(x.data) + first * element_size(x.dtype), x.dtype, {count}, {1}, x.owner, x.name};
  Tensor out(x.dtype, {count});
  visit_dtype(x.dtype, [&](auto element) { copy_some(x, first, count, out.data_as<decltype(element)>()); });
  return out.view(x.name);
}

}  // namespace attn
