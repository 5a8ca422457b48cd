#include <attn/attention/shapes.hpp>

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
  const std::size_t width = x.shape[2];
  if (heads == 0 || width % heads != 0)
    throw shape_error(x.name, x.shape, "a last axis that " + std::to_string(heads) + " heads divide");
  const std::size_t d = width / heads;
  return with_axes(x, {x.shape[0], heads, x.shape[1], d},
                   {x.strides[0], static_cast<std::ptrdiff_t>(d) * x.strides[2], x.strides[1], x.strides[2]});
}

}  // namespace

TensorView to_heads(const TensorView& x, Layout layout, std::optional<std::size_t> heads) {
  const auto& n = x.shape;
  const auto& step = x.strides;
  TensorView out;
  if (x.rank() == 4) {
    if (heads && *heads != n[1]) throw shape_error(x.name, n, std::to_string(*heads) + " heads on its second axis");
    out = x;
  } else if (x.rank() == 3 && heads) {
    out = split_heads(x, *heads);
  } else if (x.rank() == 3) {
    out = layout == Layout::heads_first ? with_axes(x, {1, n[0], n[1], n[2]}, {0, step[0], step[1], step[2]})
                                        : with_axes(x, {n[0], 1, n[1], n[2]}, {step[0], 0, step[1], step[2]});
  } else if (x.rank() == 2) {
    if (heads && *heads != 1)
      throw shape_error(x.name, n, "(batch, rows, heads * width) or (batch, heads, rows, width)");
    out = with_axes(x, {1, 1, n[0], n[1]}, {0, 0, step[0], step[1]});
  } else {
    throw shape_error(x.name, n, "2, 3 or 4 axes");
  }
  return with_dense_last_axis(out);
}

Shape like_query(const TensorView& query, std::size_t width, std::optional<std::size_t> heads) {
  Shape shape = query.shape;
  shape.back() = query.rank() == 3 && heads ? *heads * width : width;
  return shape;
}

Shape rows_like_query(const TensorView& query, std::size_t width, std::optional<std::size_t> heads) {
  if (query.rank() == 3 && heads) return {query.shape[0], *heads, query.shape[1], width};
  return like_query(query, width, {});
}

}  // namespace attn
