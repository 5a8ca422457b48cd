#include "tconv/rearrange.hpp"

#include <attn/core/shape.hpp>

#include <algorithm>
#include <optional>

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

}  // namespace tconv
