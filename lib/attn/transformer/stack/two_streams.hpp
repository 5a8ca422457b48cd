#pragma once
// XLNet's two streams: the content of the tokens, and targets that know where they stand but not what they are.

#include <attn/core/tensor.hpp>
#include <attn/transformer/batch.hpp>
#include <attn/transformer/description.hpp>

#include <optional>

namespace attn {

/// Who sees whom, (B, 1, L, M + L); M states of memory come first and are seen by all. None: all see all.
struct StreamMasks {
  std::optional<TensorView> content;  ///< not 0: sees; a token always sees itself
  /// Added to the scores: 0 sees, -inf does not. A target that sees nothing, as the first of a permutation, attends to
  /// all tokens of its text alike: XLNet subtracts 1e30 from the scores of what is hidden, which leaves them equal.
  std::optional<TensorView> targets;
};

/// From the batch's padding and permutation masks, and the model's order where it has one.
/// Throws Error(data) naming the mask of another shape.
StreamMasks stream_masks(const TokenBatch& batch, const TwoStreamDescription& streams, std::size_t memory);

/// Segments (B, M + L): 0 for the memory, then the batch's token types.
TensorView segments_of(const TensorView& types, std::size_t memory);

/// y (B, P, width) to the places of the targets: out(b, l) = sum_p mapping(b, p, l) y(b, p), (B, L, width).
TensorView placed(const TensorView& y, const TensorView& mapping);
/// And from their places: out(b, p) = sum_l mapping(b, p, l) x(b, l), (B, P, width).
TensorView gathered(const TensorView& x, const TensorView& mapping);

/// What the next segment remembers of x (B, L, width) behind `before` (M, B, width): (M', B, width).
TensorView remembered(const TensorView& x, const std::optional<TensorView>& before,
                      const TwoStreamDescription& streams);

}  // namespace attn
