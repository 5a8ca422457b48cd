#include <attn/attention/shapes.hpp>

#include <iterator>
#include <utility>

namespace attn {
namespace {

TensorView with_dense_last_axis(const TensorView& x) {
  if (x.shape.back() <= 1 || x.strides.back() == 1) return x;
  return contiguous(x);
}

TensorView with_axes(TensorView x, Shape shape, Strides strides) {
  x.shape = std::move(shape);
  x.strides = std::move(strides);
  return x;
}

TensorView split_heads(const TensorView& x, std::size_t heads) {
  const std::size_t width = x.shape.back();
  if (width % heads != 0)
    throw shape_error(x.name, x.shape, "a last axis that " + std::to_string(heads) + " heads divide");
  const std::size_t d = width / heads;
  const bool batched = x.rank() == 3;
  const std::size_t rows = batched ? 1 : 0;
  return with_axes(x, {batched ? x.shape[0] : 1, heads, x.shape[rows], d},
                   {batched ? x.strides[0] : 0, static_cast<std::ptrdiff_t>(d) * x.strides.back(), x.strides[rows],
                    x.strides.back()});
}

/// Rank 3 with the axis of one head or of one batch.
TensorView with_four_axes(TensorView x, Layout layout) {
  const std::ptrdiff_t at = layout == Layout::batch_first ? 1 : 0;
  x.shape.insert(std::next(x.shape.begin(), at), 1);
  x.strides.insert(std::next(x.strides.begin(), at), 0);
  return x;
}

}  // namespace

const char* const other_layout = "for (batch, length, heads, width) give --layout batch-length-heads";

bool is_packed(const TensorView& x, std::optional<std::size_t> heads) {
  return heads.has_value() && (x.rank() == 2 || x.rank() == 3);
}

TensorView to_heads(const TensorView& x, Layout layout, std::optional<std::size_t> heads) {
  const auto& n = x.shape;
  const auto& step = x.strides;
  TensorView out;
  if (is_packed(x, heads)) {
    if (x.rank() == 3 && layout != Layout::batch_first)
      throw Error(ErrorKind::usage, "heads",
                  "packs " + x.name + " " + to_string(n) + ", but the layout names its axes already",
                  "omit one of the two");
    out = split_heads(x, *heads);
  } else if (x.rank() == 4 || x.rank() == 3) {
    out = in_layout(x.rank() == 4 ? x : with_four_axes(x, layout), layout);
    const bool is_third = layout == Layout::batch_length_heads;
    if (heads && *heads != out.shape[1])
      throw shape_error(x.name, n,
                        std::to_string(*heads) + " heads on its " + (is_third ? "third" : "second") + " axis",
                        is_third || *heads != n[2] ? "" : other_layout);
  } else if (x.rank() == 2) {
    out = with_axes(x, {1, 1, n[0], n[1]}, {0, 0, step[0], step[1]});
  } else if (x.rank() < 2 && heads && *heads != 1) {
    throw shape_error(x.name, n, "a last axis that " + std::to_string(*heads) + " heads divide");
  } else if (x.rank() == 1) {
    out = with_axes(x, {1, 1, n[0], 1}, {0, 0, step[0], 1});
  } else if (x.rank() == 0) {
    out = with_axes(x, {1, 1, 1, 1}, {0, 0, 0, 1});
  } else {
    throw shape_error(x.name, n, "at most 4 axes");
  }
  return with_dense_last_axis(out);
}

std::size_t length_axis(std::size_t rank, Layout layout, std::optional<std::size_t> heads) {
  if (rank < 2) return 0;
  const bool has_heads_behind = layout == Layout::batch_length_heads && (rank == 4 || (rank == 3 && !heads));
  return rank - (has_heads_behind ? 3 : 2);
}

TensorView in_layout(const TensorView& heads, Layout layout) {
  return layout == Layout::batch_length_heads ? transposed(heads, {0, 2, 1, 3}) : heads;
}

Shape like_query(const TensorView& query, std::size_t width, std::optional<std::size_t> heads) {
  if (query.rank() < 2) return {query.rank() == 1 ? query.shape[0] : 1, width};
  Shape shape = query.shape;
  shape.back() = is_packed(query, heads) ? *heads * width : width;
  return shape;
}

Shape rows_like_query(const TensorView& query, std::size_t width, Layout layout, std::optional<std::size_t> heads) {
  Shape shape = like_query(query, width, {});
  if (is_packed(query, heads))
    shape.insert(shape.end() - 2, *heads);
  else if (const std::size_t axis = length_axis(query.rank(), layout, heads); axis + 3 == query.rank())
    std::swap(shape[axis], shape[axis + 1]);
  return shape;
}

}  // namespace attn
