#pragma once
// A whole model: ids in, hidden states and logits out.

#include <attn/layers/embedding.hpp>
#include <attn/transformer/block.hpp>
#include <attn/transformer/generation.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace attn {

/// Sequences of one batch: ids (B, L), any integers, and which of them are real.
struct TokenBatch {
  TensorView ids;
  std::optional<TensorView> padding_mask;  ///< (B, L), not 0 = real; none: all are
};

/// Sequences of different lengths as one batch: the shorter ones are filled up on the right.
TokenBatch padded_batch(const std::vector<std::vector<std::int64_t>>& sequences, std::int64_t padding);

/// The mask of ids that are not the padding token; none where there is no padding token among them.
std::optional<TensorView> padding_mask_of(const TensorView& ids, std::optional<std::int64_t> padding);

/// A model with its weights, ready to compute. Weights are views of their source until a layer first uses them.
///
/// Everything shown to the trace hook stands under its place: encoder/embedding, encoder/0/self_attn/q ...,
/// encoder/output, decoder/..., logits.
class Model {
 public:
  /// Checks the weights against the description before anything is computed. Computes in f32 or f64; the views of the
  /// weights keep their memory, the source itself is not needed afterwards.
  Model(const ModelDescription& description, Source& weights, DType compute);

  const ModelDescription& description() const noexcept { return description_; }
  DType dtype() const noexcept { return compute_; }

  /// The encoder's output (B, S, width).
  TensorView encode(const TokenBatch& source, const Execution& execution = {}, bool attention_weights = false) const;

  /// hidden (..., width) to logits (..., vocabulary).
  TensorView logits(const TensorView& hidden, const Execution& execution = {}) const;

 private:
  friend class Decoding;
  TensorView embed(const std::optional<Embedding>& table, const InputDescription& input, const TensorView& ids,
                   std::size_t first_position, const Execution& execution) const;

  ModelDescription description_;
  DType compute_;
  std::optional<Embedding> source_, target_;
  std::optional<Stack> encoder_, decoder_;
  std::optional<Linear> head_;
};

/// What the decoder looks at: the encoder's output (B, S, width) and which of its rows are real.
struct Memory {
  TensorView states;
  std::optional<TensorView> padding_mask;  ///< (B, S)
};

/// A batch of target sequences that grow: the decoder with a key-value cache for each layer. One call with all tokens
/// and many calls with one token each give the same bits.
class Decoding : public Continuation {
 public:
  /// capacity: how many positions the caches take before they have to grow.
  Decoding(const Model& model, const Memory& memory, std::size_t capacity, const Execution& execution = {});

  /// Hidden states (B, L, width) of the next L tokens of each row, ids (B, L).
  TensorView hidden(const TensorView& ids, bool attention_weights = false);

  TensorView advance(const std::vector<std::vector<std::int64_t>>& tokens) override;
  void select(const std::vector<std::size_t>& rows) override;

 private:
  const Model& model_;
  Execution execution_;
  std::vector<KeyValueCache> caches_;  ///< one a layer
  std::vector<KeyValue> memories_;     ///< one a layer
  MultiHeadMasks cross_masks_;
  std::size_t length_ = 0;
};

}  // namespace attn
