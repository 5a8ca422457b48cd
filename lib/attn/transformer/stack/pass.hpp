#pragma once
// A batch of tokens through the layers of an encoder or a decoder: the embedding, then blocks.

#include <attn/transformer/model.hpp>
#include <attn/transformer/parameter_gradients.hpp>
#include <attn/transformer/stack/block.hpp>
#include <attn/transformer/stack/head.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace attn {

/// What makes vectors of a batch, one kind for each kind of InputDescription.
class Input {
 public:
  virtual ~Input() = default;

  /// What a trace calls the batch: ids or pixels.
  virtual const char* name() const noexcept = 0;

  /// How many vectors a row of the batch becomes. Throws Error(data) naming a batch of another shape.
  virtual std::size_t length(const TokenBatch& batch) const = 0;

  /// The vectors (B, L, width) of the batch, the first of a row at position `first`. Shows `embedding`.
  virtual TensorView operator()(const TokenBatch& batch, std::size_t first, const Execution& execution = {}) const = 0;

  /// Adds the gradients by the parameters for dy, that by the vectors of a batch at position 0.
  virtual void vjp(const TokenBatch& batch, const TensorView& dy, ParameterGradients& parameters,
                   const Execution& execution = {}) const = 0;
};

/// width: the model's; padding: the id of the padding token, where there is one.
std::unique_ptr<Input> make_input(const Weights& weights, const InputDescription& description, std::size_t width,
                                  std::optional<std::int64_t> padding, DType compute);

/// A pass of one batch through encoder or decoder, stage by stage. A decoder keeps the keys and values of the tokens it
/// has seen: one run with all tokens and many runs with one token each give the same bits.
///
/// Tensors for the trace hook are named by the stack: encoder/ids, encoder/embedding, encoder/input,
/// encoder/0/self_attn/q ..., encoder/output.
class StackRun {
 public:
  static StackRun encoder(const Model& model, const Execution& execution = {});
  /// memory: the output of an encoder, or none. capacity: number of positions of the caches before they grow; none: all
  /// tokens come at once, without caches.
  static StackRun decoder(const Model& model, const std::optional<Memory>& memory, std::optional<std::size_t> capacity,
                          const Execution& execution = {});

  /// From now on hidden states are dropped, and what vjp() needs is kept of the layers from the given one on. Throws
  /// Error(usage) for a model with two streams.
  void keep_from(std::size_t layer, const Dropout& dropout);

  /// For a run that does not begin with embed(): the same batch, with known embedding. Throws Error(usage) for targets,
  /// whose stream has advanced.
  void resume(const TokenBatch& batch);
  void want_attention_weights(bool wanted) { attention_weights_ = wanted; }
  void want_memories(bool wanted) { wants_memories_ = wanted; }

  /// The memories for the next segment, one for each layer, (M, B, width), of a run with two streams.
  const std::vector<TensorView>& memories() const noexcept { return states_; }

  // The stages, in order; batch.ids (B, L), x (B, L, width). A padding mask of the batch hides its tokens.
  TensorView embed(const TokenBatch& batch);
  TensorView block(std::size_t i, const TensorView& x);
  TensorView final_norm(const TensorView& x);

  /// All stages, for the next L tokens of each row.
  TensorView operator()(const TokenBatch& batch);

  /// The gradient by the memory, if there is one, for dy, that by the output for this batch; adds those by the
  /// parameters of the layers that are kept and, if visits_input, of the input. Once: what was kept is given back.
  std::optional<TensorView> vjp(const TokenBatch& batch, const TensorView& dy, bool visits_input,
                                ParameterGradients& parameters);

  std::size_t blocks() const noexcept { return stack_.blocks.size(); }
  std::size_t length() const noexcept { return length_; }  ///< tokens that the decoder has seen

  /// From now on row i continues the former row rows[i]; see KeyValueCache::reorder().
  void select(const std::vector<std::size_t>& rows);

 private:
  StackRun(const Model& model, const Stack& stack, const Input& input, const StackDescription& description,
           const Execution& execution);
  BlockContext context_of(std::size_t i, std::size_t tokens);

  const Model& model_;
  const Stack& stack_;
  const Input& input_;
  const StackDescription& description_;
  Execution execution_;
  bool attention_weights_ = false;
  MultiHeadMasks self_masks_, cross_masks_;
  std::optional<TensorView> bias_;     ///< by distance, for the current tokens
  std::vector<KeyValueCache> caches_;  ///< one for each layer; empty: nothing is kept
  std::vector<KeyValue> memories_;     ///< one for each layer, if there is an encoder
  std::size_t length_ = 0;

  // For gradients.
  std::optional<std::size_t> kept_from_;
  Dropout dropout_;
  std::optional<TensorView> memory_states_;
  std::vector<std::vector<KeptOfSublayer>> kept_;  ///< of the layers
  TensorView before_norm_;

  // For a model with two streams.
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

/// The layers that a model consists of, as far as it has them.
struct Model::Parts {
  std::unique_ptr<Input> source, target;
  std::optional<Stack> encoder, decoder;
  std::optional<Head> head;
};

}  // namespace attn
