#pragma once
// A whole model: batches of ids or of pictures in, hidden states and logits out.

#include <attn/transformer/description.hpp>
#include <attn/transformer/parameter_gradients.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace ATTN_API attn {

/// Sequences of one batch: ids (B, L), any integers, and the mask of the real ones. Vision models take pixel values
/// instead: pictures (B, channels, height, width) or videos (B, frames, channels, height, width).
struct TokenBatch {
  TensorView ids;
  std::optional<TensorView> padding_mask = std::nullopt;  ///< (B, L), not 0 = real; none: all are real
  std::optional<TensorView> types = std::nullopt;         ///< (B, L): token types; none: 0

  // For a model with two streams (XLNet).
  std::optional<TensorView> permutation_mask = std::nullopt;  ///< (B, L, L): not 0 if a token does not see another
  std::optional<TensorView> target_mapping = std::nullopt;    ///< (B, P, L): position of each target; none: no targets
  std::vector<TensorView> memories = {};  ///< one for each layer, (M, B, width): states before these tokens

  std::optional<TensorView> answer_mask = std::nullopt;  ///< (B, L): not 0 for tokens that an answer may contain
  std::optional<TensorView> mask = std::nullopt;         ///< which tokens see which, beside the padding, as in attend()
};

/// Throws Error(usage) for token types if the model has none, Error(data) for a wrong shape.
void expect_types(const TokenBatch& batch, const InputDescription& input);

/// Throws Error(data) if a text, or what the subject names, has more tokens than the model has positions.
void check_length(std::size_t tokens, const ModelDescription& model, const std::string& subject = "text",
                  const std::string& fix = "");

/// Sequences of different lengths as one batch: shorter ones are padded on the right.
TokenBatch padded_batch(const std::vector<std::vector<std::int64_t>>& sequences, std::int64_t padding);

/// The mask of ids that are not the padding token; none if there is no padding token.
std::optional<TensorView> padding_mask_of(const TensorView& ids, std::optional<std::int64_t> padding);

/// What the decoder attends to: the encoder's output (B, S, width) and the mask of its real rows.
struct Memory {
  TensorView states;
  std::optional<TensorView> padding_mask;         ///< (B, S)
  std::optional<TensorView> mask = std::nullopt;  ///< which of its rows a token sees, as in attend()
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
