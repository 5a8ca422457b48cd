#pragma once
// Embedding: ids to vectors, and vectors back to logits over the same table.

#include <attn/layers/linear.hpp>

namespace ATTN_API attn {

/// Rows of a table, times a scale.
///
///     y[i] = scale table[id_i],   logits = x table^T (+ bias)
///
/// table (vocabulary, width); scale is sqrt(d_model) in some models (Vaswani et al. 2017, section 3.4).
class Embedding {
 public:
  Embedding(const TensorView& table, DType compute, double scale = 1);

  std::size_t vocabulary() const noexcept { return table_.shape[0]; }
  std::size_t width() const noexcept { return table_.shape[1]; }
  const TensorView& table() const noexcept { return table_; }

  /// ids (...) to vectors (..., width). Throws Error(data) naming an id outside the table.
  TensorView operator()(const TensorView& ids, const Execution& execution = {}) const;

  /// The gradient by the table for dy (..., width), that by the vectors of those ids, in the computing type: row r is
  /// the scale times the sum of the dy_i with id_i = r. Throws Error(data) if ids or dy do not fit.
  TensorView vjp(const TensorView& ids, const TensorView& dy, const Execution& execution = {}) const;

  /// The tied output: x (..., width) to logits (..., vocabulary), without the scale.
  Linear output(const std::optional<TensorView>& bias = std::nullopt) const { return {table_, bias, compute_}; }

 private:
  std::vector<std::int64_t> rows_of(const TensorView& ids) const;

  TensorView table_;
  DType compute_;
  double scale_;
};

// Patch embedding: a picture as a sequence of vectors.

/// A linear map of the patches of pictures: a convolution whose stride is its kernel size.
///
///     y[n, i, :] = W x_i + b,   x_i = the pixels of patch i, channel by channel
///
/// Patches are counted line by line from the top left; incomplete patches at the right and at the bottom are ignored.
/// Source: Dosovitskiy et al. 2021, equation 1.
class PatchEmbedding {
 public:
  /// weight (width, channels, patch height, patch width) as in a convolution, bias (width). Throws Error(data) naming a
  /// tensor of another rank.
  PatchEmbedding(const TensorView& weight, const std::optional<TensorView>& bias, DType compute);

  /// pixels (N, channels, H, W) to (N, patches, width). Throws Error(data) naming pixels of another shape.
  TensorView operator()(const TensorView& pixels, const Execution& execution = {}) const;

  /// The gradients by weight, as the map (width, channels * patch height * patch width), and bias for dy (N, patches,
  /// width), that by the vectors; `x` is the gradient by the unfolded patches.
  LinearGradients vjp(const TensorView& pixels, const TensorView& dy, const Execution& execution = {}) const;

  const Linear& projection() const noexcept { return projection_; }

 private:
  TensorView unfolded(const TensorView& pixels, const Execution& execution) const;

  std::size_t channels_, height_, width_;
  Linear projection_;
};

}  // namespace attn
