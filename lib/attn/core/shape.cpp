#include <attn/core/error.hpp>
#include <attn/core/listed.hpp>
#include <attn/core/shape.hpp>

#include <algorithm>
#include <limits>

namespace attn {

std::string to_string(const Shape& shape) { return "(" + listed(shape) + (shape.size() == 1 ? ",)" : ")"); }

std::optional<std::size_t> counted_elements(const Shape& shape) noexcept {
  constexpr auto limit = static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max());
  // An empty axis makes the whole tensor empty, whatever the other extents are.
  if (std::find(shape.begin(), shape.end(), std::size_t{0}) != shape.end()) return 0;
  std::size_t count = 1;
  for (const std::size_t extent : shape) {
    if (extent > limit / count) return std::nullopt;
    count *= extent;
  }
  return count;
}

std::size_t element_count(const Shape& shape) {
  if (const std::optional<std::size_t> count = counted_elements(shape)) return *count;
  throw Error(ErrorKind::memory, "shape " + to_string(shape), "has more elements than an address can count");
}

Strides row_major_strides(const Shape& shape) {
  Strides strides(shape.size());
  // Unsigned, because the strides of a tensor without elements may wrap around; they are never used.
  std::size_t step = 1;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    strides[axis] = static_cast<std::ptrdiff_t>(step);
    step *= std::max<std::size_t>(shape[axis], 1);
  }
  return strides;
}

Shape broadcast_shapes(const Shape& a, const Shape& b) {
  const Shape& longer = a.size() >= b.size() ? a : b;
  const Shape& shorter = a.size() >= b.size() ? b : a;
  Shape result = longer;
  const std::size_t offset = longer.size() - shorter.size();
  for (std::size_t axis = 0; axis < shorter.size(); ++axis) {
    std::size_t& extent = result[offset + axis];
    if (extent == shorter[axis]) continue;
    if (extent != 1 && shorter[axis] != 1)
      throw Error(ErrorKind::data, "shapes " + to_string(a) + " and " + to_string(b), "do not broadcast");
    if (extent == 1) extent = shorter[axis];
  }
  return result;
}

}  // namespace attn
