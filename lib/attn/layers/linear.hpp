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

/// y = x W^T + b.
///
/// x (..., in), W (out, in), b (out), y (..., out). Each element of y is summed in an order that depends on W alone, so
/// a row gives the same bits alone and in a batch, on one thread and on many. Copies of a Linear share what is
/// prepared; preparing waits for the first use, so a model that is only listed costs nothing.
class Linear {
 public:
  /// weight and bias are used in place as long as their type is `compute` (f32 or f64; bf16: f32, and products with
  /// weights in bf16 may round x to bf16, where the processor is faster so).
  /// Throws Error(data) naming the tensor whose shape does not fit.
  Linear(const TensorView& weight, const std::optional<TensorView>& bias, DType compute,
         WeightLayout layout = WeightLayout::out_in);

  /// `weight` and, where there is one, `bias` below `weights`. Extents may be any_extent.
  static Linear load(const Weights& weights, std::size_t out, std::size_t in, DType compute,
                     WeightLayout layout = WeightLayout::out_in);

  std::size_t in_features() const noexcept;
  std::size_t out_features() const noexcept;
  bool has_bias() const noexcept;
  DType dtype() const noexcept;
  const TensorView& weight() const noexcept;  ///< (out, in), a view of the stored one

  /// Rows first ... first + count of W and b: a part of a packed projection.
  Linear outputs(std::size_t first, std::size_t count) const;

  /// act(x W^T + b), in the type of the layer. Throws Error(data) for x whose rows are not what the map takes.
  TensorView operator()(const TensorView& x, const Execution& execution = {},
                        Activation activation = Activation::none) const;

  /// map(x) of each of the maps, of the same bits: what products of many rows need of x is prepared once for all, and
  /// threads meet once.
  static std::vector<TensorView> together(const std::vector<const Linear*>& maps, const TensorView& x,
                                          const Execution& execution, Activation activation = Activation::none);

 private:
  void expect_fitting(const TensorView& x) const;
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace attn
