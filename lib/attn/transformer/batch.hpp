#pragma once
// What goes into a stack: batches of ids or of pictures.

#include <attn/transformer/description.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace ATTN_API attn {

/// Sequences of one batch: ids (B, L), any integers, and the mask of the real ones. Vision models take pixel values
/// instead: pictures (B, channels, height, width) or videos (B, frames, channels, height, width).
struct TokenBatch {
  TensorView ids;
  std::optional<TensorView> padding_mask = std::nullopt;  ///< (B, L), not 0 = real; none: all are real
  std::optional<TensorView> types = std::nullopt;         ///< (B, L): token types; none: 0

  // For a model with two streams (XLNet).
  std::optional<TensorView> permutation_mask = std::nullopt;  ///< (B, L, L): not 0 if a token does not see another
  std::optional<TensorView> target_mapping = std::nullopt;    ///< (B, P, L): position of each target; none: no targets
  std::vector<TensorView> memories = {};  ///< one for each layer, (M, B, width): states before these tokens

  std::optional<TensorView> answer_mask = std::nullopt;  ///< (B, L): not 0 for tokens that an answer may contain
};

/// Throws Error(usage) for token types if the model has none, Error(data) for a wrong shape.
void expect_types(const TokenBatch& batch, const InputDescription& input);

/// Throws Error(data) if a text, or what the subject names, has more tokens than the model has positions.
void check_length(std::size_t tokens, const ModelDescription& model, const std::string& subject = "text",
                  const std::string& fix = "");

/// Sequences of different lengths as one batch: shorter ones are padded on the right.
TokenBatch padded_batch(const std::vector<std::vector<std::int64_t>>& sequences, std::int64_t padding);

/// The mask of ids that are not the padding token; none if there is no padding token.
std::optional<TensorView> padding_mask_of(const TensorView& ids, std::optional<std::int64_t> padding);

}  // namespace attn
