#pragma once
// From a picture to what a vision model takes: resized, cut, scaled, normalised, as its preprocessor_config.json says.

#include <attn/core/execution.hpp>
#include <attn/core/tensor.hpp>
#include <attn/json/node.hpp>

#include <array>
#include <optional>

namespace ATTN_API attn {

/// How the pixels of a resized picture are weighted means of those that lie around them; s is the distance in pixels of
/// the coarser of the two grids, so that a picture that shrinks is smoothed as much as it must be.
enum class Filter : std::uint8_t {
  nearest,   ///< the pixel that lies there
  box,       ///< 1 for -1/2 < s <= 1/2
  bilinear,  ///< 1 - |s| for |s| < 1
  hamming,   ///< sin(pi s) / (pi s) (0.54 + 0.46 cos(pi s)) for |s| < 1
  bicubic,   ///< Keys 1981 with a = -1/2, for |s| < 2
  lanczos    ///< sin(pi s) / (pi s) sin(pi s / 3) / (pi s / 3) for |s| < 3
};

/// pixels (H, W, C), u8, resized to (height, width, C).
///
/// Along the rows, then along the columns (the other way round where the height loses more than twice what the width
/// does), each rounded to 8 bits, with weights of 22 bits: what the Pillow library computes, bit for bit, on which the
/// preprocessing of published vision models is built.
/// Throws Error(data) naming the picture when it is not of that kind or one of the sizes is 0.
Tensor resize(const TensorView& pixels, std::size_t height, std::size_t width, Filter filter,
              const Execution& execution = {});

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

/// The steps that a preprocessor_config.json names; what it leaves out is as its `image_processor_type` has it, or as
/// the model's `model_type` where it names none: ViT's and DeiT's resize to a square, CLIP's, VideoMAE's and
/// TimeSformer's resize the shorter side and cut the middle. Throws Error(data) naming a field that is out of range,
/// and one that would change the pixels and is not known.
ImagePreprocessing read_preprocessing(const JsonNode& config, const std::string& model_type);

}  // namespace attn
