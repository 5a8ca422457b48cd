#pragma once
// From a picture to what a vision model takes: resized, cut, scaled, normalised.

#include <attn/image/resample.hpp>

#include <array>
#include <optional>

namespace ATTN_API attn {

/// The steps in their order; each is left out where it is not set. As a preprocessor_config.json says.
struct ImagePreprocessing {
  /// Height and width, or the length that the shorter side gets, the longer one in proportion.
  struct Size {
    std::size_t height = 0, width = 0, shortest_edge = 0;
  };
  std::optional<Size> size;
  Filter filter = Filter::bilinear;
  std::optional<std::array<std::size_t, 2>> crop;  ///< height and width of the middle; black where the picture ends
  double rescale = 1;                              ///< pixels are multiplied by it: 1 / 255
  std::array<double, 3> mean{0, 0, 0}, deviation{1, 1, 1};  ///< of each channel, taken off and divided by
};

///     y[c, i, j] = (rescale p[i, j, c] - mean[c]) / deviation[c]
///
/// pixels (H, W, 3), u8, to (3, height, width), f32. Throws Error(data) naming a picture of another kind.
Tensor preprocess(const TensorView& pixels, const ImagePreprocessing& steps, const Execution& execution = {});

}  // namespace attn
