#include <attn/layers/embedding.hpp>

#include <attn/core/execution.hpp>
#include <attn/core/reduce.hpp>

#include <algorithm>

namespace attn {
namespace {

TensorView as_map(const TensorView& weight) {
  if (weight.rank() != 4) throw shape_error(weight.name, weight.shape, "(width, channels, patch height, patch width)");
  return reshaped(weight, {weight.shape[0], weight.shape[1] * weight.shape[2] * weight.shape[3]});
}

}  // namespace

Embedding::Embedding(const TensorView& table, DType compute, double scale)
    : table_(table), compute_(compute), scale_(scale) {
  if (table.rank() != 2) throw shape_error(table.name, table.shape, "(vocabulary, width)");
}

std::vector<std::int64_t> Embedding::rows_of(const TensorView& ids) const {
  std::vector<std::int64_t> rows = to_integers(ids);
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i] < 0 || static_cast<std::size_t>(rows[i]) >= vocabulary())
      throw Error(ErrorKind::data, ids.name,
                  "element " + std::to_string(i) + " is id " + std::to_string(rows[i]) + ", the table " + table_.name +
                      " has " + std::to_string(vocabulary()) + " rows");
  return rows;
}

TensorView Embedding::operator()(const TensorView& ids, const Execution& execution) const {
  const std::vector<std::int64_t> rows = rows_of(ids);
  Shape shape = ids.shape;
  shape.push_back(width());
  Tensor out(compute_, shape);
  execution.only_counts(static_cast<double>(out.size()));
  visit_compute_dtype(compute_, [&](auto element) {
    using T = decltype(element);
    T* y = out.data_as<T>();
    const T scale = static_cast<T>(scale_);
    execution.sized_for(out.size()).parallel_with_progress(rows.size(), [&](std::size_t i, std::size_t) {
      // Only the rows in use are converted, never the whole table.
      const TensorView row = cast(attn::element(table_, static_cast<std::size_t>(rows[i])), compute_);
      const T* from = row.contiguous_data<T>();
      for (std::size_t j = 0; j < width(); ++j) y[i * width() + j] = from[j] * scale;
    });
  });
  return out.view(ids.name);
}

TensorView Embedding::vjp(const TensorView& ids, const TensorView& dy, const Execution& execution) const {
  const std::vector<std::int64_t> rows = rows_of(ids);
  Shape shape = ids.shape;
  shape.push_back(width());
  if (dy.shape != shape) throw shape_error(dy.name, dy.shape, to_string(shape) + " = the shape of the vectors");
  return sum_by_row(reshaped(cast(dy, compute_), {rows.size(), width()}), rows, vocabulary(), scale_, execution);
}

PatchEmbedding::PatchEmbedding(const TensorView& weight, const std::optional<TensorView>& bias, DType compute)
    : channels_(weight.shape.size() > 1 ? weight.shape[1] : 0),
      height_(weight.shape.size() > 2 ? weight.shape[2] : 0),
      width_(weight.shape.size() > 3 ? weight.shape[3] : 0),
      projection_(as_map(weight), bias, compute) {}

/// The patches as rows, (N, patches, channels * patch height * patch width).
TensorView PatchEmbedding::unfolded(const TensorView& pixels, const Execution& execution) const {
  if (pixels.rank() != 4 || pixels.shape[1] != channels_)
    throw shape_error(pixels.name, pixels.shape, "(pictures, " + std::to_string(channels_) + ", height, width)");
  const std::size_t pictures = pixels.shape[0], rows = pixels.shape[2], columns = pixels.shape[3];
  const std::size_t down = rows / height_, across = columns / width_, patch = channels_ * height_ * width_;
  const TensorView all = cast(pixels, projection_.dtype());
  Tensor patches(projection_.dtype(), {pictures, down * across, patch});
  visit_compute_dtype(projection_.dtype(), [&](auto element) {
    using T = decltype(element);
    const T* pixel = all.contiguous_data<T>();
    T* rows_of_patches = patches.data_as<T>();
    execution.parallel(pictures * down, [&](std::size_t task, std::size_t) {
      const std::size_t n = task / down, y = task % down;
      T* to = rows_of_patches + task * across * patch;
      for (std::size_t x = 0; x < across; ++x)
        for (std::size_t c = 0; c < channels_; ++c)
          for (std::size_t i = 0; i < height_; ++i)
            to = std::copy_n(pixel + ((n * channels_ + c) * rows + y * height_ + i) * columns + x * width_, width_, to);
    });
  });
  return patches.view(pixels.name);
}

TensorView PatchEmbedding::operator()(const TensorView& pixels, const Execution& execution) const {
  return projection_(unfolded(pixels, execution), execution);
}

LinearGradients PatchEmbedding::vjp(const TensorView& pixels, const TensorView& dy, const Execution& execution) const {
  return projection_.vjp(unfolded(pixels, execution), dy, execution);
}

}  // namespace attn
