#pragma once
// One run of a model on tensors of ids: its intermediate results and generated tokens.

#include <attn/transformer/generation.hpp>
#include <attn/transformer/model.hpp>

#include <optional>

namespace ATTN_API attn {

/// Requests in addition to the result.
struct InferenceRequest {
  bool decoder = false;            ///< hidden states of the decoder for generated tokens
  bool logits = false;             ///< and its logits
  bool attention_weights = false;  ///< for the trace hook
  bool memories = false;           ///< memories, of a model that has them
};

struct InferenceResult {
  std::optional<TensorView> encoder;              ///< (B, S, width): the encoder's output
  std::vector<std::vector<Generated>> generated;  ///< for each row, num_return sequences
  std::optional<TensorView> ids;      ///< (B * num_return, T): prompt, generated tokens, padding after an end token
  std::optional<TensorView> scores;   ///< (B * num_return)
  std::optional<TokenBatch> fed;      ///< (B * num_return, D): the input tokens of a pass of the decoder, see infer()
  std::optional<TensorView> decoder;  ///< (B * num_return, D, width): the output of that pass
  std::vector<TensorView> memories;   ///< one for each layer, (M, B, width), for the next tokens
  std::optional<TensorView> head;     ///< output of the head for the decoder's or the encoder's output
};

/// The states that a text or a picture is pooled from: those of the encoder, else of the decoder, or as one state what
/// a head makes that gives vectors.
TensorView states_to_pool(const ModelDescription& description, const InferenceResult& result);

/// Throws Error(data) if ids, masks and targets of a batch do not match.
void expect_batches(const ModelDescription& description, const TokenBatch& source,
                    const std::optional<TensorView>& target);

/// Runs the model on a batch.
///
/// An encoder alone: `source` passes through it and the head. An encoder-decoder: `source` is encoded, then either
/// `target` (B, T) is decoded causally, or a target is generated. A decoder alone: either `target` is decoded, with
/// `source.padding_mask` hiding tokens, or `source` is the prompt to continue. Nothing is generated for a row without a
/// real token. `hook` is called for generated tokens as in generate().
///
/// Generation itself is not traced. Hidden states, logits and traces are those of one pass over the prompt and all
/// generated tokens except the last, whose output is never used; the bits are those of the steps. All padding is after
/// these tokens, including the padding before a prompt, as `ids` shows it.
InferenceResult infer(const Model& model, const TokenBatch& source, const std::optional<TensorView>& target,
                      const GenerationParameters& generation, const InferenceRequest& request,
                      const Execution& execution = {}, const TokenHook& hook = {});

}  // namespace attn
