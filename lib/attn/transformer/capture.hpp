#pragma once
// Captures hidden states and attention maps of chosen layers through the trace hook.

#include <attn/core/execution.hpp>
#include <attn/transformer/description.hpp>

#include <map>
#include <string>
#include <vector>

namespace ATTN_API attn {

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
