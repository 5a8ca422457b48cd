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

}  // namespace

bool is_packed(const TensorView& x, std::optional<std::size_t> heads) {
  return heads.has_value() && (x.rank() == 2 || x.rank() == 3);
}

TensorView to_heads(const TensorView& x, Layout layout, std::optional<std::size_t> heads) {
  const auto& n = x.shape;
  const auto& step = x.strides;
  TensorView out;
  if (is_packed(x, heads)) {
    out = split_heads(x, *heads);
  } else if (x.rank() == 4) {
    if (heads && *heads != n[1]) throw shape_error(x.name, n, std::to_string(*heads) + " heads on its second axis");
    out = x;
  } else if (x.rank() == 3) {
    out = layout == Layout::heads_first ? with_axes(x, {1, n[0], n[1], n[2]}, {0, step[0], step[1], step[2]})
                                        : with_axes(x, {n[0], 1, n[1], n[2]}, {step[0], 0, step[1], step[2]});
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

Shape like_query(const TensorView& query, std::size_t width, std::optional<std::size_t> heads) {
  if (query.rank() < 2) return {query.rank() == 1 ? query.shape[0] : 1, width};
  Shape shape = query.shape;
  shape.back() = is_packed(query, heads) ? *heads * width : width;
  return shape;
}

Shape rows_like_query(const TensorView& query, std::size_t width, std::optional<std::size_t> heads) {
  Shape shape = like_query(query, width, {});
  if (is_packed(query, heads)) shape.insert(shape.end() - 2, *heads);
  return shape;
}

}  // namespace attn
