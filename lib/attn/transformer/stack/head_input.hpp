#pragma once
// What a head looks at: one vector for all tokens, or each.

#include <attn/transformer/batch.hpp>
#include <attn/transformer/model.hpp>

namespace attn {

/// The vectors (B, width) or (B, L, width) of the states (B, L, width) that the head looks at: those of every token, of
/// the first, of the last or of the last end token of source.ids, or their mean over source.padding_mask. Throws
/// Error(data) naming the row that has no end token.
TensorView seen_by_head(const Model& model, const TensorView& states, const TokenBatch& source);

}  // namespace attn
