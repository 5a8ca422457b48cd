#pragma once
// How a batch becomes vectors: the first step of a stack.

#include <attn/transformer/model.hpp>
#include <attn/transformer/parameter_gradients.hpp>

#include <memory>
#include <optional>

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

}  // namespace attn
