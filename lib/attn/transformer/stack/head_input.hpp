#pragma once
// The input of a head: one vector for all tokens, or one for each.

#include <attn/transformer/batch.hpp>
#include <attn/transformer/model.hpp>

namespace attn {

/// The vectors (B, width) or (B, L, width) of the states (B, L, width) that the head reads: of every token, of the
/// first, of the last or of the last end token of source.ids, or their mean over source.padding_mask. Throws
/// Error(data) that names a row without an end token.
TensorView seen_by_head(const Model& model, const TensorView& states, const TokenBatch& source);

/// The gradient by the states (B, L, width) for dy, that by seen_by_head(): 0 for tokens that the head does not read.
TensorView seen_by_head_vjp(const Model& model, const TensorView& states, const TokenBatch& source,
                            const TensorView& dy);

}  // namespace attn
