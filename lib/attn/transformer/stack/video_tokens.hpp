#pragma once
// The tokens of a video in other orders. A row holds the token of its class, then patch by patch the frames of each:
// (B, 1 + patches * frames, width).

#include <attn/core/tensor.hpp>

namespace attn {

/// Each place on its own, without the token of the class: (B * patches, frames, width).
TensorView places_apart(const TensorView& x, std::size_t frames);
/// Back again, into `batch` rows, with zeros for the token of the class.
TensorView places_together(const TensorView& x, std::size_t batch);

/// Each frame on its own, the token of the class before each: (B * frames, 1 + patches, width).
TensorView frames_apart(const TensorView& x, std::size_t frames);
/// Back again; the token of the class is the mean of those of its frames.
TensorView frames_together(const TensorView& x, std::size_t frames);

}  // namespace attn
