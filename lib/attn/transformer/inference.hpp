#pragma once
// One run of a model on tensors of ids: its intermediate results and generated tokens.

#include <attn/core/execution.hpp>
#include <attn/transformer/description.hpp>
#include <attn/transformer/generation.hpp>
#include <attn/transformer/model.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

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

/// Layers whose inputs are vectors: the encoder's output for `source`, and the decoder's for `target`, which looks at
/// it through a padding mask (B, S) and a mask of its own. As nn.Transformer of PyTorch, the padding of the source does
/// not hide its rows from the decoder.
struct LayerResult {
  TensorView encoder;
  std::optional<TensorView> decoder;
};
LayerResult run_layers(const Model& model, const TokenBatch& source, const std::optional<TokenBatch>& target,
                       const std::optional<TensorView>& memory_padding_mask,
                       const std::optional<TensorView>& memory_mask, bool attention_weights,
                       const Execution& execution = {});

// Captures hidden states and attention maps of chosen layers through the trace hook.

/// What to capture. Layers and heads count from 0, negative ones from the end; empty: all.
struct CaptureParameters {
  std::vector<std::string> groups;  ///< names from capture_groups()
  std::vector<std::int64_t> layers, heads;
  bool targets = false;  ///< there is a stream of targets: its tensors follow those of the tokens, layer by layer
};

/// The groups of a model, named as in Hugging Face's transformers:
///
///     encoder_hidden_states/0      what the first layer takes; i: the output of layer i - 1; the last one after the
///                                  final norm                                                  (B, L, width)
///     encoder_attentions/i         the weights of layer i's self-attention                     (B, H, L, L)
///     decoder_hidden_states, decoder_attentions, cross_attentions (B, H, L, S): the same of the decoder
///     hidden_states, attentions: of a model that has one stack only; with a stream of targets hidden_states 2 i and
///     2 i + 1, attentions/i/0 and attentions/i/1 are those of the tokens and of the targets
std::vector<std::string> capture_groups(const ModelDescription& model);

/// What is captured at one place in the architecture.
struct Captured {
  enum class Kind : std::uint8_t { states, self_attention, cross_attention };
  std::string dataset;  ///< GROUP/LAYER
  bool in_encoder = false;
  Kind kind = Kind::states;
  std::size_t heads = 0;                 ///< of a layer
  std::vector<std::size_t> chosen = {};  ///< selected heads; empty: all
};

class Capture {
 public:
  /// Throws Error(usage) that names the option for a layer or head that the model lacks.
  Capture(const ModelDescription& model, const CaptureParameters& parameters);

  bool is_empty() const noexcept { return wanted_.empty(); }

  /// Is any group of attention weights wanted?
  bool needs_attention_weights() const noexcept { return needs_attention_weights_; }

  /// The tensors to capture, in alphabetical order of the datasets.
  std::vector<Captured> captured() const;

  /// Captures the wanted tensors and passes all tensors on to `next`.
  TraceHook hook(TraceHook next = {});

  /// Captured tensors, as GROUP/LAYER, in alphabetical order. Attention maps contain only the chosen heads.
  const std::map<std::string, TensorView>& tensors() const noexcept { return tensors_; }

 private:
  std::map<std::string, Captured> wanted_;  ///< by place in the architecture
  bool needs_attention_weights_ = false;
  std::map<std::string, TensorView> tensors_;
};

}  // namespace attn
