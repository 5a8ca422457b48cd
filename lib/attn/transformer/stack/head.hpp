#pragma once
// The last step of a model: from hidden states to logits.

#include <attn/layers/linear.hpp>
#include <attn/layers/norm.hpp>
#include <attn/transformer/parameter_gradients.hpp>
#include <attn/transformer/stack/answer_search.hpp>

#include <optional>

namespace attn {

/// Vectors to logits.
class Head {
 public:
  Head(const Weights& weights, const HeadDescription& description, std::size_t width, DType compute);

  /// x (..., width) to (..., outputs), or to what AnswerSearch makes of the tokens of `batch`. Shows head/dense and
  /// head/norm where it has them.
  TensorView operator()(const TensorView& x, const Execution& execution = {}, const TokenBatch& batch = {}) const;

  /// The gradient by x for dy, that by the logits; adds those by the parameters.
  TensorView vjp(const TensorView& x, const TensorView& dy, ParameterGradients& parameters,
                 const Execution& execution = {}) const;

 private:
  HeadDescription description_;
  std::optional<Linear> dense_, projection_;
  std::optional<Norm> norm_;
  std::optional<AnswerSearch> search_;
};

}  // namespace attn
