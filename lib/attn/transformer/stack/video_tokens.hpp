#pragma once
// The tokens of a video in other orders. A row contains the class token, then the frames of each patch: (B, 1 + patches
// * frames, width).

#include <attn/core/tensor.hpp>

namespace attn {

/// Each patch as a sequence, without the class token: (B * patches, frames, width).
TensorView places_apart(const TensorView& x, std::size_t frames);
/// The inverse, into `batch` rows, with zeros for the class token.
TensorView places_together(const TensorView& x, std::size_t batch);

/// Each frame as a sequence after the class token: (B * frames, 1 + patches, width).
TensorView frames_apart(const TensorView& x, std::size_t frames);
/// The inverse; the class token is the mean over its frames.
TensorView frames_together(const TensorView& x, std::size_t frames);

}  // namespace attn
