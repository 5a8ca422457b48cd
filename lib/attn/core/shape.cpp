#include <attn/core/shape.hpp>

#include <attn/core/error.hpp>
#include <attn/core/tensor.hpp>

#include <algorithm>
#include <charconv>
#include <limits>

namespace attn {
namespace {

std::optional<std::int64_t> parse_bound(std::string_view text, std::string_view whole, std::string_view subject) {
  if (text.empty()) return std::nullopt;
  std::int64_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status == std::errc::result_out_of_range && end == text.data() + text.size())
    throw Error(ErrorKind::usage, std::string(subject),
                "'" + std::string(text) + "' in slab [" + std::string(whole) + "] does not fit into 64 bits",
                "omit it to select all to the end, as in [5:]");
  if (status != std::errc() || end != text.data() + text.size())
    throw Error(ErrorKind::usage, std::string(subject),
                "'" + std::string(text) + "' in slab [" + std::string(whole) + "] is not a whole number",
                "write it as [start:stop:step,...], for example [0:128,:,::2]");
  return value;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    std::string_view part = text.substr(0, end);
    while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
    while (!part.empty() && part.back() == ' ') part.remove_suffix(1);
    parts.push_back(part);
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

AxisSlab parse_axis(std::string_view text, std::string_view whole, std::string_view subject) {
  const auto parts = split(text, ':');
  AxisSlab axis;
  if (parts.size() > 3 || text.empty())
    throw Error(ErrorKind::usage, std::string(subject), "cannot read slab [" + std::string(whole) + "]",
                "write it as [start:stop:step,...], for example [0:128,:,::2]");
  axis.start = parse_bound(parts[0], whole, subject);
  axis.is_index = parts.size() == 1;
  if (parts.size() > 1) axis.stop = parse_bound(parts[1], whole, subject);
  if (parts.size() > 2) axis.step = parse_bound(parts[2], whole, subject).value_or(1);
  if (axis.step == 0)
    throw Error(ErrorKind::usage, std::string(subject), "slab [" + std::string(whole) + "] has a step of 0");
  return axis;
}

std::int64_t from_end(std::int64_t i, std::int64_t extent) { return i < 0 ? i + extent : i; }

/// `count` elements from `first` on, every step-th, forwards.
struct AxisPart {
  std::int64_t first, count, step;
};

/// Resolves start:stop:step for an extent, as in NumPy. A negative step counts the same elements from the other end.
AxisPart part_of(const AxisSlab& axis, std::int64_t extent) {
  const bool backwards = axis.step < 0;
  const std::int64_t step = backwards ? -std::max(axis.step, -std::numeric_limits<std::int64_t>::max()) : axis.step;
  const auto bound = [&](std::optional<std::int64_t> given, std::int64_t otherwise) {
    const std::int64_t lowest = backwards ? -1 : 0;
    return std::clamp(given ? from_end(*given, extent) : otherwise, lowest, lowest + extent);
  };
  const std::int64_t start = bound(axis.start, backwards ? extent - 1 : 0);
  const std::int64_t stop = bound(axis.stop, backwards ? -1 : extent);
  const std::int64_t span = std::max<std::int64_t>(backwards ? start - stop : stop - start, 0);
  const std::int64_t count = span / step + (span % step != 0 ? 1 : 0);
  if (count == 0) return {0, 0, step};
  return {backwards ? start - (count - 1) * step : start, count, step};
}

}  // namespace

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

Slab parse_slab(std::string_view text, std::string_view subject) {
  Slab slab;
  for (const std::string_view axis : split(text, ',')) slab.push_back(parse_axis(axis, text, subject));
  return slab;
}

ResolvedSlab resolve(const Slab& slab, const Shape& shape, std::string_view tensor) {
  if (slab.size() > shape.size())
    throw Error(ErrorKind::usage, std::string(tensor),
                "slab has " + std::to_string(slab.size()) + (slab.size() == 1 ? " axis" : " axes") +
                    ", the tensor has shape " + to_string(shape),
                "give at most one for each axis");
  ResolvedSlab out;
  for (std::size_t a = 0; a < shape.size(); ++a) {
    const auto extent = static_cast<std::int64_t>(shape[a]);
    const AxisSlab axis = a < slab.size() ? slab[a] : AxisSlab{};
    out.is_dropped.push_back(false);
    if (axis.is_index) {
      const std::int64_t index = from_end(*axis.start, extent);
      if (index < 0 || index >= extent)
        throw Error(ErrorKind::usage, std::string(tensor),
                    "index " + std::to_string(*axis.start) + " is outside axis " + std::to_string(a) + " of shape " +
                        to_string(shape),
                    extent == 0 ? "the axis is empty"
                                : "give one from " + std::to_string(-extent) + " to " + std::to_string(extent - 1));
      out.start.push_back(static_cast<std::size_t>(index));
      out.count.push_back(1);
      out.step.push_back(1);
      out.backwards.push_back(false);
      out.is_dropped.back() = true;
      out.is_whole = false;
      continue;
    }
    const AxisPart part = part_of(axis, extent);
    out.start.push_back(static_cast<std::size_t>(part.first));
    out.count.push_back(static_cast<std::size_t>(part.count));
    out.step.push_back(static_cast<std::size_t>(part.step));
    out.backwards.push_back(axis.step < 0);
    out.shape.push_back(static_cast<std::size_t>(part.count));
    const bool in_order = axis.step > 0 || part.count < 2;
    out.is_whole = out.is_whole && in_order && part.first == 0 && part.count == extent;
  }
  return out;
}

TensorView turned(const TensorView& x, const ResolvedSlab& part) {
  TensorView y = x;
  if (x.size() == 0) return y;
  std::ptrdiff_t offset = 0;
  for (std::size_t stored = 0, axis = 0; stored < part.count.size(); ++stored) {
    if (part.is_dropped[stored]) continue;
    if (part.backwards[stored]) {
      offset += static_cast<std::ptrdiff_t>(x.shape[axis] - 1) * x.strides[axis];
      y.strides[axis] = -x.strides[axis];
    }
    ++axis;
  }
  y.data = static_cast<const char*>(x.data) + offset * static_cast<std::ptrdiff_t>(element_size(x.dtype));
  return y;
}

TensorView slice(const TensorView& x, const Slab& slab) {
  const ResolvedSlab part = resolve(slab, x.shape, x.name);
  TensorView y = x;
  y.shape = part.shape;
  y.strides.clear();
  std::ptrdiff_t offset = 0;
  for (std::size_t a = 0; a < x.rank(); ++a) {
    offset += static_cast<std::ptrdiff_t>(part.start[a]) * x.strides[a];
    if (!part.is_dropped[a]) y.strides.push_back(static_cast<std::ptrdiff_t>(part.step[a]) * x.strides[a]);
  }
  if (y.size() > 0)
    y.data = static_cast<const char*>(x.data) + offset * static_cast<std::ptrdiff_t>(element_size(x.dtype));
  return turned(y, part);
}

TensorView rows_of(const TensorView& x, const std::vector<std::size_t>& rows) {
  Shape shape = x.shape;
  shape[0] = rows.size();
  if (x.shape[0] == 1 || x.strides[0] == 0) return broadcast_to(slice(x, {{0, 1, 1, false}}), shape);
  const TensorView table = contiguous(x);
  const std::size_t width = x.shape[0] == 0 ? 0 : x.size() / x.shape[0];
  Tensor chosen(x.dtype, shape);
  visit_dtype(x.dtype, [&](auto element) {
    using T = decltype(element);
    const T* from = table.contiguous_data<T>();
    T* to = chosen.data_as<T>();
    for (const std::size_t row : rows) to = std::copy_n(from + row * width, width, to);
  });
  return chosen.view(x.name);
}

TensorView columns_of(const TensorView& x, const std::vector<std::size_t>& columns) {
  std::vector<std::size_t> to_front(x.rank()), back(x.rank());
  for (std::size_t axis = 0; axis < x.rank(); ++axis) {
    to_front[axis] = (axis + x.rank() - 1) % x.rank();
    back[axis] = (axis + 1) % x.rank();
  }
  return transposed(rows_of(transposed(x, to_front), columns), back);
}

}  // namespace attn
