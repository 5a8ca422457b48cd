#pragma once
// XLNet's two streams: the content of the tokens, and targets, which see their position but not their token.

#include <attn/core/tensor.hpp>
#include <attn/transformer/batch.hpp>
#include <attn/transformer/description.hpp>

#include <optional>

namespace attn {

/// Masks (B, 1, L, M + L); the M states of memory come first and are visible to all. None: everything is visible.
struct StreamMasks {
  std::optional<TensorView> content;  ///< not 0: visible; a token always sees itself
  /// Added to the scores: 0 for visible, -inf for hidden. A target that sees nothing, such as the first of a
  /// permutation, attends to all tokens of its text equally: XLNet subtracts 1e30 from hidden scores, which leaves them
  /// equal.
  std::optional<TensorView> targets;
};

/// Masks from the padding and permutation masks of the batch, and the causal order if the model has one. Throws
/// Error(data) that names a mask of a wrong shape.
StreamMasks stream_masks(const TokenBatch& batch, const TwoStreamDescription& streams, std::size_t memory);

/// Segments (B, M + L): 0 for the memory, then the batch's token types.
TensorView segments_of(const TensorView& types, std::size_t memory);

/// y (B, P, width) at the positions of the targets: out(b, l) = sum_p mapping(b, p, l) y(b, p), (B, L, width).
TensorView placed(const TensorView& y, const TensorView& mapping);
/// The inverse: out(b, p) = sum_l mapping(b, p, l) x(b, l), (B, P, width).
TensorView gathered(const TensorView& x, const TensorView& mapping);

/// The memory for the next segment from x (B, L, width) after `before` (M, B, width): (M', B, width).
TensorView remembered(const TensorView& x, const std::optional<TensorView>& before,
                      const TwoStreamDescription& streams);

}  // namespace attn
