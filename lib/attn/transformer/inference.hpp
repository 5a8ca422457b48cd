#pragma once
// One run of a model on tensors of ids: what went through it, and what it generated.

#include <attn/transformer/generation.hpp>
#include <attn/transformer/model.hpp>

#include <optional>

namespace ATTN_API attn {

/// What is wanted beside the result.
struct InferenceRequest {
  bool decoder = false;            ///< hidden states of the decoder for what was generated
  bool logits = false;             ///< and its logits
  bool attention_weights = false;  ///< for the trace hook
  bool memories = false;           ///< of a model that has them
};

struct InferenceResult {
  std::optional<TensorView> encoder;              ///< (B, S, width): the encoder's output
  std::vector<std::vector<Generated>> generated;  ///< for each row, num_return sequences
  std::optional<TensorView> ids;      ///< (B * num_return, T): prompt, generated tokens, padding behind an end token
  std::optional<TensorView> scores;   ///< (B * num_return)
  std::optional<TokenBatch> fed;      ///< (B * num_return, D): the tokens that a pass of the decoder takes, see infer()
  std::optional<TensorView> decoder;  ///< (B * num_return, D, width): what it makes of them
  std::vector<TensorView> memories;   ///< one a layer, (M, B, width), for the tokens that follow
  std::optional<TensorView> head;     ///< what the head makes of these, or of the encoder's output
};

/// Throws Error(data) where ids, masks and targets of a batch do not fit each other.
void expect_batches(const ModelDescription& description, const TokenBatch& source,
                    const std::optional<TensorView>& target);

/// Runs the model on a batch.
///
/// An encoder alone: `source` goes through it and through the head. An encoder-decoder: `source` is encoded, then
/// either `target` (B, T) is decoded, each token seeing those before it, or a target is generated. A decoder alone:
/// either `target` is decoded, `source.padding_mask` hiding tokens, or `source` is the prompt that is continued. From a
/// row without a real token nothing is generated. `hook` is told of generated tokens as generate() says.
///
/// Generation itself is not traced. Hidden states, logits and traces are those of one pass over the prompt and all
/// generated tokens but the last, whose own nobody has looked at: the bits are those of the steps. All padding stands
/// behind these tokens, also that which the prompt has in front, as `ids` show it.
InferenceResult infer(const Model& model, const TokenBatch& source, const std::optional<TensorView>& target,
                      const GenerationParameters& generation, const InferenceRequest& request,
                      const Execution& execution = {}, const TokenHook& hook = {});

}  // namespace attn
