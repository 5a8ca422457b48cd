#include <attn/attention/shapes.hpp>

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

namespace attn {
namespace {

/// The order of the engines.
const std::string engine_axes = "BHLd";

/// A letter for each axis of a tensor; that of packed heads is d.
std::string axes_of(std::size_t rank, Layout layout, bool is_packed) {
  if (rank < 2) return rank == 1 ? "L" : "";
  if (rank == 2) return "Ld";
  switch (layout) {
    case Layout::batch_first: return rank == 3 ? "BLd" : engine_axes;
    case Layout::heads_first: return is_packed ? "BLd" : rank == 3 ? "HLd" : engine_axes;
    case Layout::batch_length_heads: return is_packed ? "BLd" : rank == 3 ? "LHd" : "BLHd";
    case Layout::length_batch: return rank == 3 ? "LBd" : "LBHd";
  }
  return engine_axes;
}

bool has(const std::string& axes, char axis) { return axes.find(axis) != std::string::npos; }

/// The axes of the pooled values of a query: its own, and the batch if there are several.
std::string axes_of_result(const TensorView& query, const AttentionSizes& n, Layout layout, bool packs) {
  const std::string axes = axes_of(std::max<std::size_t>(query.rank(), 2), layout, packs);
  if (n.batch == 1 || has(axes, 'B')) return axes;
  const bool has_heads = !packs && (layout == Layout::heads_first || layout == Layout::batch_length_heads);
  return axes_of(has_heads ? 4 : 3, layout, packs);
}

}  // namespace

const char* const other_layout = "for (batch, length, heads, width) give --layout batch-length-heads";

std::string joining_axes(const Shape& shape, std::size_t most) {
  if (shape.size() <= most) return {};
  const auto last = shape.end() - static_cast<std::ptrdiff_t>(most - 1);
  const std::size_t joined = std::accumulate(shape.begin(), last, std::size_t{1}, std::multiplies<>());
  std::string text = "join the leading axes: tconv --reshape " + std::to_string(joined);
  std::for_each(last, shape.end(), [&](std::size_t extent) { text += "," + std::to_string(extent); });
  return text;
}

bool is_packed(const TensorView& x, std::optional<std::size_t> heads) {
  return heads.has_value() && (x.rank() == 2 || x.rank() == 3);
}

Layout unpacked(Layout layout, bool is_packed) {
  return is_packed && layout != Layout::length_batch ? Layout::batch_length_heads : layout;
}

TensorView to_heads(const TensorView& x, Layout layout, std::optional<std::size_t> heads) {
  const auto& n = x.shape;
  const bool packs = is_packed(x, heads);
  const std::string axes = axes_of(x.rank(), layout, false);
  if (x.rank() > engine_axes.size())
    throw shape_error(x.name, n, "at most 4 axes", joining_axes(n, engine_axes.size()));
  if (packs && has(axes, 'H'))
    throw Error(ErrorKind::usage, "heads",
                "packs " + x.name + " " + to_string(n) + ", but the layout names its axes already",
                "omit one of the two");
  TensorView out = x;
  out.shape = {1, 1, 1, 1};
  out.strides = {0, 0, 0, 1};
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    const std::size_t place = engine_axes.find(axes[axis]);
    out.shape[place] = n[axis];
    out.strides[place] = x.strides[axis];
  }
  if (heads && (x.rank() < 2 ? *heads != 1 : packs && n.back() % *heads != 0))
    throw shape_error(x.name, n, "a last axis that " + std::to_string(*heads) + " heads divide");
  if (packs) {
    out.shape[1] = *heads;
    out.shape[3] /= *heads;
    out.strides[1] = static_cast<std::ptrdiff_t>(out.shape[3]) * out.strides[3];
  } else if (heads && x.rank() == 4 && *heads != out.shape[1]) {
    const bool is_third = axes[2] == 'H';
    throw shape_error(x.name, n, std::to_string(*heads) + " heads on its " + (is_third ? "third" : "second") + " axis",
                      is_third || *heads != n[2] ? "" : other_layout);
  }
  // The last axis of the engines has no gaps.
  return out.shape.back() <= 1 || out.strides.back() == 1 ? out : contiguous(out);
}

std::size_t length_axis(std::size_t rank, Layout layout, std::optional<std::size_t> heads) {
  const std::size_t axis = axes_of(rank, layout, heads && rank < 4).find('L');
  return axis == std::string::npos ? 0 : axis;
}

TensorView in_layout(const TensorView& heads, Layout layout) {
  std::vector<std::size_t> order;
  for (const char axis : axes_of(engine_axes.size(), layout, false)) order.push_back(engine_axes.find(axis));
  return transposed(heads, order);
}

TensorView batch_and_length_swapped(const TensorView& x, Layout layout) {
  return layout == Layout::length_batch && x.rank() == 3 ? contiguous(transposed(x, {1, 0, 2})) : x;
}

std::array<std::ptrdiff_t, 3> strides_in(const AttentionSizes& n, std::size_t width, Layout layout) {
  const std::array<std::size_t, 3> extents{n.batch, n.heads, n.queries};
  const std::string axes = axes_of(engine_axes.size(), layout, false);
  std::array<std::ptrdiff_t, 3> strides{};
  std::size_t step = width;
  for (std::size_t axis = extents.size(); axis-- > 0;) {
    const std::size_t place = engine_axes.find(axes[axis]);
    strides[place] = static_cast<std::ptrdiff_t>(step);
    step *= extents[place];
  }
  return strides;
}

Shape like_query(const TensorView& query, const AttentionSizes& n, std::size_t width, Layout layout,
                 std::optional<std::size_t> heads) {
  const bool packs = is_packed(query, heads);
  const std::array<std::size_t, 4> extents{n.batch, n.heads, n.queries, packs ? n.heads * width : width};
  Shape shape;
  for (const char axis : axes_of_result(query, n, layout, packs)) shape.push_back(extents[engine_axes.find(axis)]);
  return shape;
}

std::string leading_axes(const TensorView& query, const AttentionSizes& n, Layout layout,
                         std::optional<std::size_t> heads) {
  const bool packs = is_packed(query, heads);
  const std::string axes = axes_of_result(query, n, layout, packs);
  return std::string(has(axes, 'B') ? "B" : "") + (packs || has(axes, 'H') ? "H" : "") + "L";
}

Shape rows_like_query(const TensorView& query, const AttentionSizes& n, std::size_t width, Layout layout,
                      std::optional<std::size_t> heads) {
  const std::array<std::size_t, 3> extents{n.batch, n.heads, n.queries};
  Shape shape;
  for (const char axis : leading_axes(query, n, layout, heads)) shape.push_back(extents[engine_axes.find(axis)]);
  shape.push_back(width);
  return shape;
}

}  // namespace attn
