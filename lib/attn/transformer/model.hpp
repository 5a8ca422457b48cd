#pragma once
// A whole model: ids in, hidden states and logits out.

#include <attn/transformer/answer_search.hpp>
#include <attn/transformer/block.hpp>
#include <attn/transformer/generation.hpp>
#include <attn/transformer/input.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace attn {

/// What the decoder looks at: the encoder's output (B, S, width) and which of its rows are real.
struct Memory {
  TensorView states;
  std::optional<TensorView> padding_mask;  ///< (B, S)
};

/// Vectors to logits.
class Head {
 public:
  Head(const Weights& weights, const HeadDescription& description, std::size_t width, DType compute);

  /// x (..., width) to (..., outputs), or to what AnswerSearch makes of the tokens of `batch`. Shows head/dense and
  /// head/norm where it has them.
  TensorView operator()(const TensorView& x, const Execution& execution = {}, const TokenBatch& batch = {}) const;

 private:
  HeadDescription description_;
  std::optional<Linear> dense_, projection_;
  std::optional<Norm> norm_;
  std::optional<AnswerSearch> search_;
};

/// A model with its weights, ready to compute. Weights are views of their source until a layer first uses them.
///
/// Everything shown to the trace hook stands under its place: encoder/embedding, encoder/0/self_attn/q ...,
/// encoder/output, decoder/..., head/dense, head/norm, logits.
class Model {
 public:
  /// Checks the weights against the description before anything is computed. Computes in f32 or f64 (bf16: f32, and
  /// bf16 products where Linear may have them); the views of the
  /// weights keep their memory, the source itself is not needed afterwards.
  Model(const ModelDescription& description, Source& weights, DType compute);

  const ModelDescription& description() const noexcept { return description_; }
  DType dtype() const noexcept { return compute_; }

  /// The encoder's output (B, S, width).
  TensorView encode(const TokenBatch& source, const Execution& execution = {}, bool attention_weights = false) const;

  /// hidden (..., width) to what the head makes of it, logits (..., vocabulary), `batch` being what the model read;
  /// shows it by its name.
  TensorView logits(const TensorView& hidden, const Execution& execution = {}, const TokenBatch& batch = {}) const;

 private:
  friend class StackRun;
  ModelDescription description_;
  DType compute_;
  std::unique_ptr<Input> source_, target_;
  std::optional<Stack> encoder_, decoder_;
  std::optional<Head> head_;
};

/// One batch on its way through encoder or decoder, stage by stage. A decoder keeps the keys and values of the tokens
/// it has seen: one run with all tokens and many runs with one token each give the same bits.
///
/// What is shown to the trace hook stands under the stack's name: encoder/ids, encoder/embedding, encoder/input,
/// encoder/0/self_attn/q ..., encoder/output.
class StackRun {
 public:
  static StackRun encoder(const Model& model, const Execution& execution = {});
  /// memory: what an encoder made, none where there is no encoder. capacity: how many positions the caches take before
  /// they have to grow.
  static StackRun decoder(const Model& model, const std::optional<Memory>& memory, std::size_t capacity,
                          const Execution& execution = {});

  /// For a run that does not begin with embed(): the same batch, whose embedding is known. Throws Error(usage) for
  /// targets, whose own stream has gone on since.
  void resume(const TokenBatch& batch);
  void want_attention_weights(bool wanted) { attention_weights_ = wanted; }
  void want_memories(bool wanted) { wants_memories_ = wanted; }

  /// What the next segment's run gets as memories: one a layer, (M, B, width). Of a run with two streams.
  const std::vector<TensorView>& memories() const noexcept { return states_; }

  // The stages, in order; batch.ids (B, L), x (B, L, width). A padding mask of the batch hides its tokens.
  TensorView embed(const TokenBatch& batch);
  TensorView block(std::size_t i, const TensorView& x);
  TensorView final_norm(const TensorView& x);

  /// All of them, for the next L tokens of each row.
  TensorView operator()(const TokenBatch& batch);

  std::size_t blocks() const noexcept { return stack_.blocks.size(); }
  std::size_t length() const noexcept { return length_; }  ///< tokens that the decoder has seen

  /// From now on row i continues what was row rows[i]; as KeyValueCache::reorder() may have it.
  void select(const std::vector<std::size_t>& rows);

 private:
  StackRun(const Model& model, const Stack& stack, const Input& input, const StackDescription& description,
           const Execution& execution);

  const Model& model_;
  const Stack& stack_;
  const Input& input_;
  const StackDescription& description_;
  Execution execution_;
  bool attention_weights_ = false;
  MultiHeadMasks self_masks_, cross_masks_;
  std::optional<TensorView> bias_;     ///< by distance, for the tokens at hand
  std::vector<KeyValueCache> caches_;  ///< one a layer; none: nothing is kept
  std::vector<KeyValue> memories_;     ///< one a layer, where there is an encoder
  std::size_t length_ = 0;

  // Of a model with two streams.
  struct Targets {
    TensorView states, mapping;  ///< (B, P, width), (B, P, L)
    MultiHeadMasks masks;
  };
  void begin_streams(const TokenBatch& batch);
  bool wants_memories_ = false;
  std::size_t past_ = 0;  ///< states of memory before the tokens
  std::vector<TensorView> states_, remembered_;
  std::optional<Targets> targets_;
};

/// The decoder as generation needs it: that of its kind.
std::unique_ptr<Continuation> make_continuation(const Model& model, const std::optional<Memory>& memory,
                                                std::size_t capacity, const Execution& execution = {});

}  // namespace attn
