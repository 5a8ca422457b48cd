#pragma once
// The position-wise feed-forward network, plain and gated.

#include <attn/layers/linear.hpp>

namespace ATTN_API attn {

/// Gradients of a loss by the input and the parameters of a feed-forward network.
struct FeedForwardGradients {
  TensorView x;
  LinearGradients first, second;
  std::optional<LinearGradients> gate;
};

/// Wiring of a feed-forward network: the activation and the names of the weights.
struct FeedForwardParameters {
  Activation activation = Activation::relu;
  WeightLayout layout = WeightLayout::out_in;
  std::string first = "linear1";   ///< d_model to d_ff
  std::string second = "linear2";  ///< d_ff to d_model
  std::string gate;                ///< d_model to d_ff; empty: not gated; as `first`: one map of both, the gate first
};

/// The layout of the weights: that of the names, or the one that fits vectors of `width`: see layout_by_shapes().
WeightLayout stored_layout(const Weights& weights, const FeedForwardParameters& parameters, std::size_t width);

///     FFN(x) = act(x W_1 + b_1) W_2 + b_2                     Vaswani et al. 2017, equation 2
///     gated:  (act(x W_g + b_g) * (x W_1 + b_1)) W_2 + b_2    Shazeer 2020
///
/// x (..., d_model) to (..., d_model) (or the outputs of W_2). Traces `hidden`, the input of W_2, and `output`; a gated
/// network also traces its factors `up` and `gate` first.
class FeedForward {
 public:
  FeedForward(Activation activation, Linear first, Linear second, std::optional<Linear> gate = std::nullopt);
  static FeedForward load(const Weights& weights, std::size_t d_model, const FeedForwardParameters& parameters,
                          DType compute);
  /// The same without given names: tries the names of PyTorch, BART, DistilBERT, BERT, GPT-2, T5, XLNet, ViT and Llama
  /// in turn. A given layout applies to all maps; without one, shapes tell GPT-2's from nanoGPT's, for vectors of
  /// `width`.
  static FeedForward load(const Weights& weights, Activation activation, DType compute,
                          std::optional<WeightLayout> layout = std::nullopt, std::size_t width = any_extent);

  /// inner: becomes what the gradients of a network that is not gated need to know, x W_1 + b_1, or its ReLU.
  TensorView operator()(const TensorView& x, const Execution& execution = {},
                        std::optional<TensorView>* inner = nullptr) const;

  /// The gradients for dy, that by FFN(x), in the computing type. inner: if it is known. Throws Error(data) if x or dy
  /// does not fit.
  FeedForwardGradients vjp(const TensorView& x, const TensorView& dy, const Execution& execution = {},
                           const std::optional<TensorView>& inner = std::nullopt) const;

  Activation activation() const noexcept { return activation_; }
  const Linear& first() const noexcept { return first_; }
  const Linear& second() const noexcept { return second_; }
  const std::optional<Linear>& gate() const noexcept { return gate_; }

 private:
  TensorView inner_of(const TensorView& x, const Execution& execution) const;
  TensorView hidden_of(const TensorView& inner, const Execution& execution) const;

  Activation activation_;
  Linear first_, second_;
  std::optional<Linear> gate_;
};

}  // namespace attn
