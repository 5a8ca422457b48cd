#pragma once
// Pictures of another size.

#include <attn/core/execution.hpp>
#include <attn/core/tensor.hpp>

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

}  // namespace attn
