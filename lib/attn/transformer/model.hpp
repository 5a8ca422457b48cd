#pragma once
// A whole model: ids in, hidden states and logits out.

#include <attn/transformer/batch.hpp>
#include <attn/transformer/description.hpp>
#include <attn/transformer/parameter_gradients.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace ATTN_API attn {

/// What the decoder attends to: the encoder's output (B, S, width) and the mask of its real rows.
struct Memory {
  TensorView states;
  std::optional<TensorView> padding_mask;  ///< (B, S)
};

/// Some rows of the memory, in this order; none if there is none.
std::optional<Memory> rows_of(const std::optional<Memory>& memory, const std::vector<std::size_t>& rows);

/// The memory of each row of `decoded`, whose number is a multiple of the number of texts, with consecutive rows for
/// one text. Throws Error(data) if it is not a multiple.
std::optional<Memory> memory_for(const TensorView& decoded, const std::optional<Memory>& memory);

/// A model with its weights, ready to compute. Weights are views of their source until a layer first uses them.
///
/// Everything shown to the trace hook is named by its place: encoder/embedding, encoder/0/self_attn/q ...,
/// encoder/output, decoder/..., head/dense, head/norm, logits.
class Model {
 public:
  /// Checks the weights against the description before anything is computed. Computes in f32 or f64 (bf16: f32, with
  /// bf16 products if Linear supports them). The views of the weights keep their memory; the source is not needed
  /// afterwards.
  Model(const ModelDescription& description, Source& weights, DType compute);
  ~Model();
  Model(Model&&) noexcept;
  Model& operator=(Model&&) noexcept;

  const ModelDescription& description() const noexcept { return description_; }
  DType dtype() const noexcept { return compute_; }

  /// The encoder's output (B, S, width).
  TensorView encode(const TokenBatch& source, const Execution& execution = {}, bool attention_weights = false) const;

  /// hidden (..., width) to the output of the head, such as logits (..., vocabulary); `batch` is the input of the
  /// model. Shows the output by its name.
  TensorView logits(const TensorView& hidden, const Execution& execution = {}, const TokenBatch& batch = {}) const;

  /// The gradient by hidden for dy, that by the output of the head; adds those by its parameters. Throws Error(usage)
  /// for heads without gradients.
  TensorView logits_vjp(const TensorView& hidden, const TensorView& dy, ParameterGradients& parameters,
                        const Execution& execution = {}) const;

 private:
  friend class StackRun;
  struct Parts;
  ModelDescription description_;
  DType compute_;
  std::unique_ptr<const Parts> parts_;
};

}  // namespace attn
