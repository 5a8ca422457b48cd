#pragma once
// The linear map, its weight prepared once and owned by the layer.

#include <attn/core/activation.hpp>
#include <attn/core/execution.hpp>
#include <attn/core/tensor.hpp>
#include <attn/layers/weights.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace ATTN_API attn {

/// Gradients of a loss by the input and the parameters of a linear map.
struct LinearGradients {
  TensorView x;                    ///< (..., in)
  TensorView weight;               ///< in the layout in which W was given
  std::optional<TensorView> bias;  ///< (out); none if the map has no bias
};

/// Do a weight and its bias below `map` fit in that layout? Extents may be any_extent.
bool fits(const Weights& map, WeightLayout layout, std::size_t out, std::size_t in);

/// Where names are used for weights of both layouts, such as those of GPT-2 by nanoGPT: in_out, unless the tensors fit
/// as out_in alone.
template <class Fits>
WeightLayout layout_by_shapes(WeightLayout usual, const Fits& fit) {
  const bool is_turned = usual == WeightLayout::in_out && !fit(WeightLayout::in_out) && fit(WeightLayout::out_in);
  return is_turned ? WeightLayout::out_in : usual;
}

/// y = x W^T + b.
///
/// x (..., in), W (out, in), b (out), y (..., out). Each element of y is summed in an order that depends on W alone, so
/// a row gives the same bits alone and in a batch, for any number of threads. Copies of a Linear share the prepared
/// weight, which is prepared at the first use, so a model that is only listed costs nothing.
class Linear {
 public:
  /// weight and bias are used in place if their type is `compute` (f32 or f64; bf16 means f32, but products with
  /// weights in bf16 may round x to bf16 if that is faster on the processor). Throws Error(data) naming the tensor
  /// whose shape does not fit.
  Linear(const TensorView& weight, const std::optional<TensorView>& bias, DType compute,
         WeightLayout layout = WeightLayout::out_in);

  /// `weight` and, if there is one, `bias` below `weights`. Extents may be any_extent.
  static Linear load(const Weights& weights, std::size_t out, std::size_t in, DType compute,
                     WeightLayout layout = WeightLayout::out_in);

  std::size_t in_features() const noexcept;
  std::size_t out_features() const noexcept;
  bool has_bias() const noexcept;
  DType dtype() const noexcept;
  const TensorView& weight() const noexcept;  ///< (out, in), a view of the stored one
  const std::optional<TensorView>& bias() const noexcept;
  WeightLayout layout() const noexcept;  ///< of the given weight

  /// Rows first ... first + count of W and b: a part of a packed projection. `bias` (count) stands for that part of b.
  Linear outputs(std::size_t first, std::size_t count, std::optional<TensorView> bias = std::nullopt) const;

  /// act(x W^T + b), in the type of the layer. Throws Error(data) if the width of x is not `in`.
  TensorView operator()(const TensorView& x, const Execution& execution = {},
                        Activation activation = Activation::none) const;

  /// The gradients for dy, that by act(x W^T + b) (..., out), in the type of the layer:
  ///
  ///     dz = dy * act'(x W^T + b),   dx = dz W,   dW = dz^T x,   db = the sum of the rows of dz
  ///
  /// z: x W^T + b, if it is known, or for ReLU the result, of the same sign. Throws Error(data) if x or dy does not
  /// fit.
  LinearGradients vjp(const TensorView& x, const TensorView& dy, const Execution& execution = {},
                      Activation activation = Activation::none,
                      const std::optional<TensorView>& z = std::nullopt) const;

  /// map(x) of each of the maps, with the same bits: x is prepared only once for products of many rows, and threads
  /// synchronise once.
  static std::vector<TensorView> together(const std::vector<const Linear*>& maps, const TensorView& x,
                                          const Execution& execution, Activation activation = Activation::none);

 private:
  void expect_fitting(const TensorView& x) const;
  struct State;
  std::shared_ptr<State> state_;
};

/// act(z), element by element, with the bits that Linear gives it.
TensorView activated(const TensorView& z, Activation activation, const Execution& execution = {});

}  // namespace attn
