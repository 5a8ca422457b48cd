#pragma once
// A whole model: ids in, hidden states and logits out.

#include <attn/transformer/batch.hpp>
#include <attn/transformer/description.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace ATTN_API attn {

/// What the decoder looks at: the encoder's output (B, S, width) and which of its rows are real.
struct Memory {
  TensorView states;
  std::optional<TensorView> padding_mask;  ///< (B, S)
};

/// Some of its rows, in this order; none of none.
std::optional<Memory> rows_of(const std::optional<Memory>& memory, const std::vector<std::size_t>& rows);

/// What each row of `decoded` looks at: so many of them after each other belong to one text as there are more of them
/// than texts. Throws Error(data) where that is no whole number.
std::optional<Memory> memory_for(const TensorView& decoded, const std::optional<Memory>& memory);

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
  ~Model();
  Model(Model&&) noexcept;
  Model& operator=(Model&&) noexcept;

  const ModelDescription& description() const noexcept { return description_; }
  DType dtype() const noexcept { return compute_; }

  /// The encoder's output (B, S, width).
  TensorView encode(const TokenBatch& source, const Execution& execution = {}, bool attention_weights = false) const;

  /// hidden (..., width) to what the head makes of it, logits (..., vocabulary), `batch` being what the model read;
  /// shows it by its name.
  TensorView logits(const TensorView& hidden, const Execution& execution = {}, const TokenBatch& batch = {}) const;

 private:
  friend class StackRun;
  struct Parts;
  ModelDescription description_;
  DType compute_;
  std::unique_ptr<const Parts> parts_;
};

}  // namespace attn
