#include "tconv/rearrange.hpp"

#include <attn/core/error.hpp>
#include <attn/core/memory.hpp>
#include <attn/core/shape.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <type_traits>

namespace tconv {
namespace {

using attn::Error;
using attn::ErrorKind;
using attn::Shape;
using attn::TensorView;

/// "1, 2, 3, 6 do", or the first ones of many.
std::string divisors_text(std::size_t count) {
  constexpr std::size_t most = 1000;
  std::string text;
  for (std::size_t d = 1; d <= std::min(count, most); ++d)
    if (count % d == 0) text += (text.empty() ? "" : ", ") + std::to_string(d);
  return text.empty() ? text : text + (count > most ? " ... do" : " do");
}

bool is_unsigned(attn::DType dtype) {
  return attn::visit_dtype(dtype, [](auto element) {
    return std::is_unsigned_v<decltype(element)> || std::is_same_v<decltype(element), attn::Boolean>;
  });
}

bool is_text(const TensorView& part) { return part.dtype == attn::DType::string; }
bool is_empty(const TensorView& part) { return part.size() == 0; }

/// The dtype of the joined tensor: the common one, i64 or u64 for different integers, else the computing type. Empty
/// parts, such as a table without rows, take any dtype.
attn::DType common_dtype(std::vector<TensorView> parts) {
  const attn::DType first = parts.front().dtype;
  const auto all = [&parts](auto&& is) {
    return std::all_of(parts.begin(), parts.end(), [&is](const TensorView& part) { return is(part.dtype); });
  };
  if (all([first](attn::DType other) { return other == first; })) return first;
  if (std::any_of(parts.begin(), parts.end(), is_text)) {
    parts.erase(std::remove_if(parts.begin(), parts.end(), is_empty), parts.end());
    const auto text = std::find_if(parts.begin(), parts.end(), is_text);
    const auto numbers = std::find_if_not(parts.begin(), parts.end(), is_text);
    if (numbers == parts.end()) return attn::DType::string;
    if (text != parts.end())
      throw Error(ErrorKind::data, text->name, "has words, which do not go together with numbers of " + numbers->name);
  }
  if (all([](attn::DType other) { return attn::is_integer(other) && other != attn::DType::u64; }))
    return attn::DType::i64;
  if (all(is_unsigned)) return attn::DType::u64;
  attn::DType dtype = attn::compute_dtype(parts.front().dtype);
  for (const TensorView& part : parts) dtype = attn::wider(attn::compute_dtype(part.dtype), dtype);
  return dtype;
}

/// Throws Error(data) if an integer has more digits than the floats keep.
void expect_no_digit_lost(const TensorView& part, attn::DType dtype) {
  if (!attn::is_floating(dtype)) return;
  attn::visit_dtype(part.dtype, [&](auto element) {
    using T = decltype(element);
    if constexpr (std::is_same_v<T, std::int64_t> || std::is_same_v<T, std::uint64_t>) {
      const auto is_kept = [](T x) {
        const auto rounded = static_cast<double>(x);  // may be 1 above the largest T
        return rounded < std::ldexp(1.0, std::numeric_limits<T>::digits) && static_cast<T>(rounded) == x;
      };
      const TensorView flat = attn::contiguous(part);
      const T* values = flat.contiguous_data<T>();
      const T* lost = std::find_if_not(values, values + flat.size(), is_kept);
      if (lost != values + flat.size())
        throw Error(ErrorKind::data, part.name,
                    std::to_string(*lost) + " has more digits than f64 keeps, which it is joined as",
                    "--dtype sets the type of all");
    }
  });
}

/// Copies `rows` runs of `count` elements; the runs start `stride` elements apart in the target.
void copy_runs(const TensorView& part, attn::Tensor& out, std::size_t offset, std::size_t rows, std::size_t count,
               std::size_t stride) {
  attn::visit_dtype(out.dtype(), [&](auto element) {
    using T = decltype(element);
    const T* from = part.contiguous_data<T>();
    T* to = out.data_as<T>() + offset;
    for (std::size_t row = 0; row < rows; ++row)
      std::copy(from + row * count, from + (row + 1) * count, to + row * stride);
  });
}

std::size_t product(const Shape& shape, std::size_t first, std::size_t last) {
  return std::accumulate(shape.begin() + static_cast<std::ptrdiff_t>(first),
                         shape.begin() + static_cast<std::ptrdiff_t>(last), std::size_t{1}, std::multiplies<>());
}

}  // namespace

std::size_t resolve_axis(std::int64_t axis, std::size_t rank, const std::string& option) {
  const auto count = static_cast<std::int64_t>(rank);
  if (axis < -count || axis >= count)
    throw Error(ErrorKind::usage, option,
                "there is no axis " + std::to_string(axis) + " among " + std::to_string(rank));
  return static_cast<std::size_t>(axis < 0 ? axis + count : axis);
}

TensorView permuted(const TensorView& x, const std::vector<std::int64_t>& order) {
  std::vector<std::size_t> axes;
  for (const std::int64_t axis : order) axes.push_back(resolve_axis(axis, x.rank(), "--axes"));
  std::vector<std::size_t> sorted = axes;
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  if (axes.size() != x.rank() || sorted.size() != axes.size())
    throw Error(ErrorKind::usage, "--axes",
                "must name each of the " + std::to_string(x.rank()) + " axes of " + x.name + " once");
  return attn::transposed(x, axes);
}

TensorView reshaped(const TensorView& x, const std::vector<std::int64_t>& extents) {
  Shape shape;
  std::size_t open = extents.size();
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    if (extents[axis] < -1 || (extents[axis] == -1 && open != extents.size()))
      throw Error(ErrorKind::usage, "--reshape", "takes extents, at most one of them -1");
    if (extents[axis] == -1) open = axis;
    shape.push_back(extents[axis] == -1 ? 1 : static_cast<std::size_t>(extents[axis]));
  }
  const std::optional<std::size_t> known = attn::counted_elements(shape);
  const std::size_t count = x.size();
  const bool has_open = open != extents.size();
  const std::string held = "has shape " + attn::to_string(x.shape) + ", " + std::to_string(count) + " elements, ";
  if (has_open && known == std::size_t{0})
    throw Error(ErrorKind::data, x.name, held + "and an extent of 0 leaves none for -1", "give the extent");
  if (!known)
    throw Error(ErrorKind::data, x.name, held + "expected more than can be counted for " + attn::to_string(shape));
  if (has_open && count % *known != 0)
    throw Error(ErrorKind::data, x.name, held + "which " + std::to_string(*known) + " does not divide",
                divisors_text(count));
  if (has_open) shape[open] = count / *known;
  if (!has_open && known != count)
    throw Error(ErrorKind::data, x.name,
                held + "expected the " + std::to_string(*known) + " of " + attn::to_string(shape),
                "-1 for one extent is what remains");
  return attn::reshaped(attn::cast(x, x.dtype), shape);
}

std::size_t number_of_parts(const TensorView& x, std::int64_t axis, std::size_t count) {
  const std::size_t at = resolve_axis(axis, x.rank(), "--split");
  const std::size_t extent = x.shape[at];
  if (count == 0 && extent == 0)
    throw attn::shape_error(x.name, x.shape, "an extent of axis " + std::to_string(at) + " above 0, to split it");
  if (count > 0 && extent % count != 0)
    throw attn::shape_error(x.name, x.shape,
                            "an extent of axis " + std::to_string(at) + " that " + std::to_string(count) + " divides");
  return count > 0 ? count : extent;
}

std::vector<TensorView> split(const TensorView& x, std::int64_t axis, std::size_t count) {
  const std::size_t number = number_of_parts(x, axis, count), at = resolve_axis(axis, x.rank(), "--split");
  const std::size_t extent = x.shape[at];
  std::vector<TensorView> parts;
  attn::Slab slab(at + 1);
  for (std::size_t i = 0; i < number; ++i) {
    attn::AxisSlab& part = slab[at];
    part.is_index = count == 0;
    part.start = static_cast<std::int64_t>(i * (extent / number));
    part.stop = static_cast<std::int64_t>((i + 1) * (extent / number));
    parts.push_back(attn::slice(x, slab));
  }
  return parts;
}

TensorView as_integers(const TensorView& numbers, attn::DType dtype) {
  const bool is_signed = dtype == attn::DType::i64;
  const auto is_value = [is_signed](auto x) {
    if constexpr (std::is_same_v<decltype(x), double>) {
      const double end = std::ldexp(1.0, is_signed ? 63 : 64);
      return x == std::trunc(x) && x < end && x >= (is_signed ? -end : 0.0) && !(x == 0 && std::signbit(x));
    } else {
      return is_signed || x >= 0;
    }
  };
  const auto all_are = [&](auto sample) {
    const TensorView flat = attn::contiguous(numbers);
    const auto* const values = flat.contiguous_data<decltype(sample)>();
    return std::all_of(values, values + flat.size(), is_value);
  };
  const bool fit = numbers.dtype == attn::DType::f64   ? all_are(double())
                   : numbers.dtype == attn::DType::i64 ? all_are(std::int64_t())
                                                       : false;
  return fit ? attn::cast(numbers, dtype) : numbers;
}

TensorView stacked(const std::vector<TensorView>& parts, std::int64_t axis) {
  std::vector<TensorView> lifted;
  const std::size_t at = resolve_axis(axis, parts.front().rank() + 1, "--stack");
  for (const TensorView& part : parts) {
    if (part.shape != parts.front().shape)
      throw attn::shape_error(part.name, part.shape,
                              attn::to_string(parts.front().shape) + ", as " + parts.front().name);
    Shape shape = part.shape;
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(at), 1);
    lifted.push_back(attn::reshaped(attn::cast(part, part.dtype), shape));
  }
  return concatenated(lifted, static_cast<std::int64_t>(at));
}

TensorView concatenated(const std::vector<TensorView>& parts, std::int64_t axis) {
  const TensorView& first = parts.front();
  const std::size_t at = resolve_axis(axis, first.rank(), "--concat");
  Shape shape = first.shape;
  shape[at] = 0;
  for (const TensorView& part : parts) {
    Shape expected = first.shape;
    if (part.rank() == first.rank()) expected[at] = part.shape[at];
    if (part.shape != expected)
      throw attn::shape_error(
          part.name, part.shape,
          attn::to_string(first.shape) + " but for axis " + std::to_string(at) + ", as " + first.name);
    shape[at] += part.shape[at];
  }
  const attn::DType dtype = common_dtype(parts);
  attn::TextMemory texts(first.name);
  for (const TensorView& part : parts) texts.add(attn::memory_of_texts(part));
  attn::Tensor out(dtype, shape);
  const std::size_t rows = product(shape, 0, at), inner = product(shape, at + 1, shape.size());
  std::size_t offset = 0;
  for (const TensorView& part : parts) {
    const std::size_t count = part.shape[at] * inner;
    if (is_empty(part)) continue;  // of any dtype
    expect_no_digit_lost(part, dtype);
    copy_runs(attn::cast(part, dtype), out, offset, rows, count, shape[at] * inner);
    offset += count;
  }
  return dtype == attn::DType::string ? std::move(texts).held_by(out.view(first.name)) : out.view(first.name);
}

}  // namespace tconv
