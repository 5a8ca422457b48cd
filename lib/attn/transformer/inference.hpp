#pragma once
// One run of a model on tensors of ids: what went through it, and what it generated.

#include <attn/transformer/model.hpp>

#include <optional>

namespace attn {

/// The sequences generated for each row of the memory, num_return of them, the best first. Rows share one batch, with
/// beams each has its own. Row b draws random numbers from stream streams[b]. The hook counts rows as the memory does
/// (row b's sequences are b * num_return ... when sampling).
std::vector<std::vector<Generated>> generate(const Model& model, const Memory& memory,
                                             const GenerationParameters& parameters,
                                             const std::vector<std::uint64_t>& streams, const Execution& execution = {},
                                             const TokenHook& hook = {});

/// What is wanted beside the result.
struct InferenceRequest {
  bool decoder = false;            ///< hidden states of the decoder for what was generated
  bool logits = false;             ///< and its logits
  bool attention_weights = false;  ///< for the trace hook
};

struct InferenceResult {
  TensorView encoder;                             ///< (B, S, width): the encoder's output
  std::vector<std::vector<Generated>> generated;  ///< for each row, num_return sequences
  std::optional<TensorView> ids;      ///< (B * num_return, T): start, generated tokens, padding behind an end token
  std::optional<TensorView> scores;   ///< (B * num_return)
  std::optional<TensorView> decoder;  ///< (B * num_return, T - 1, width), of `target` (B, T, width)
  std::optional<TensorView> logits;   ///< the same with the vocabulary as last axis
};

/// Encodes the source, then either decodes `target` (B, T), each token seeing those before it, or generates.
///
/// Generation itself is not traced. Hidden states, logits and traces are those of one pass over the start token and all
/// generated tokens but the last, whose own nobody has looked at: the bits are those of the steps.
InferenceResult infer(const Model& model, const TokenBatch& source, const std::optional<TensorView>& target,
                      const GenerationParameters& generation, const InferenceRequest& request,
                      const Execution& execution = {});

}  // namespace attn
