#pragma once
// Patch embedding: a picture as a sequence of vectors.

#include <attn/layers/linear.hpp>

namespace ATTN_API attn {

/// The patches of pictures through one linear map, a convolution whose step is its extent.
///
///     y[n, i, :] = W x_i + b,   x_i = the pixels of patch i, channel by channel
///
/// Patches count line by line from the top left; what is left over at the right and below takes no part.
/// Source: Dosovitskiy et al. 2021, equation 1.
class PatchEmbedding {
 public:
  /// weight (width, channels, patch height, patch width) as a convolution stores it, bias (width). Throws Error(data)
  /// naming the tensor that has another rank.
  PatchEmbedding(const TensorView& weight, const std::optional<TensorView>& bias, DType compute);

  /// pixels (N, channels, H, W) to (N, patches, width). Throws Error(data) naming pixels of another kind.
  TensorView operator()(const TensorView& pixels, const Execution& execution = {}) const;

 private:
  std::size_t channels_, height_, width_;
  Linear projection_;
};

}  // namespace attn
