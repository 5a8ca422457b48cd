#pragma once
// Patch embedding: a picture as a sequence of vectors.

#include <attn/layers/linear.hpp>

namespace ATTN_API attn {

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
