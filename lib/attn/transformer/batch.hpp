#pragma once
// What goes into a stack: batches of ids or of pictures.

#include <attn/transformer/description.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace ATTN_API attn {

/// Sequences of one batch: ids (B, L), any integers, and which of them are real. A model that sees takes pixel values
/// in their place: pictures (B, channels, height, width) or videos (B, frames, channels, height, width).
struct TokenBatch {
  TensorView ids;
  std::optional<TensorView> padding_mask = std::nullopt;  ///< (B, L), not 0 = real; none: all are
  std::optional<TensorView> types = std::nullopt;         ///< (B, L): token types; none: 0

  // Of a model with two streams (XLNet).
  std::optional<TensorView> permutation_mask = std::nullopt;  ///< (B, L, L): not 0 where a token does not see another
  std::optional<TensorView> target_mapping = std::nullopt;    ///< (B, P, L): where each target stands; none: no targets
  std::vector<TensorView> memories = {};  ///< one a layer, (M, B, width): states before these tokens

  std::optional<TensorView> answer_mask = std::nullopt;  ///< (B, L): not 0 where a searched answer may lie
};

/// Throws Error(usage) for token types that the model does not know, Error(data) for those of another shape.
void expect_types(const TokenBatch& batch, const InputDescription& input);

/// Throws Error(data) when a text, or what the subject names, has more tokens than the model has positions.
void check_length(std::size_t tokens, const ModelDescription& model, const std::string& subject = "text",
                  const std::string& fix = "");

/// Sequences of different lengths as one batch: the shorter ones are filled up on the right.
TokenBatch padded_batch(const std::vector<std::vector<std::int64_t>>& sequences, std::int64_t padding);

/// The mask of ids that are not the padding token; none where there is no padding token among them.
std::optional<TensorView> padding_mask_of(const TensorView& ids, std::optional<std::int64_t> padding);

}  // namespace attn
