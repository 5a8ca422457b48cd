#pragma once
// What the axes of a mask mean.

#include <attn/attention/shapes.hpp>

namespace ATTN_API attn {

/// The meaning of a mask or bias of a shape for scores (B, H, L, S): 4 axes, each 1 or as in the scores. Throws
/// Error(data) for a shape that does not fit, and for a shape that fits in two ways.
Shape mask_meaning(const TensorView& mask, const AttentionSizes& sizes, bool has_lengths);

}  // namespace attn
