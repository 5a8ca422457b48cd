#pragma once
// One run of a model on tensors of ids: what went through it, and what it generated.

#include <attn/transformer/model.hpp>

#include <optional>

namespace attn {

/// What is wanted beside the result.
struct InferenceRequest {
  bool decoder = false;  ///< hidden states of the decoder
  bool logits = false;
};

struct InferenceResult {
  TensorView encoder;                 ///< (B, S, width): the encoder's output
  std::optional<TensorView> ids;      ///< (B, T): start token, generated tokens, the padding token behind an end token
  std::optional<TensorView> decoder;  ///< (B, T, width): the decoder's output
  std::optional<TensorView> logits;   ///< (B, T, vocabulary)
};

/// Encodes the source, then either decodes `target` (B, T), each token seeing those before it, or generates. After
/// generation, hidden states and logits are those of all generated tokens but the last, whose own nobody has looked at.
InferenceResult infer(const Model& model, const TokenBatch& source, const std::optional<TensorView>& target,
                      const GenerationParameters& generation, const InferenceRequest& request,
                      const Execution& execution = {});

/// As many new tokens as were asked for and as the model has positions for behind a prompt of this length.
std::size_t new_tokens(const ModelDescription& model, const GenerationParameters& generation, std::size_t prompt);

}  // namespace attn
