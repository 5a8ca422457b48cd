#include <attn/transformer/stack/head.hpp>

namespace attn {

Head::Head(const Weights& weights, const HeadDescription& d, std::size_t width, DType compute) : description_(d) {
  const std::size_t dense = d.dense_outputs == 0 ? width : d.dense_outputs;
  if (!d.dense.empty()) dense_ = Linear::load(weights.scoped(d.dense), dense, width, compute);
  if (!d.norm.empty()) norm_ = Norm::load(weights.scoped(d.norm), dense, d.norm_parameters, compute);
  if (d.projection.empty()) return;
  std::optional<TensorView> bias;
  if (!d.projection_bias.empty()) bias = reshaped(weights.get(d.projection_bias), {d.outputs});
  projection_.emplace(weights.get(d.projection), bias, compute);
  if (d.search) search_.emplace(weights, *d.search, width, compute);
}

TensorView Head::operator()(const TensorView& x, const Execution& execution, const TokenBatch& batch) const {
  TensorView y = dense_ ? (*dense_)(x, execution, description_.activation) : x;
  if (!dense_ && description_.activation != Activation::none)
    y = mapped(y, [&](auto e) { return static_cast<decltype(e)>(activate(description_.activation, e)); });
  const bool ends_here = !projection_ && !norm_;  // then this is the result, which has a name of its own
  if (dense_ && !ends_here) execution.show("head/dense", y);
  if (norm_) y = (*norm_)(y, execution);
  if (norm_) execution.show("head/norm", y);
  if (description_.scale != 1) y = scaled(y, description_.scale);
  if (projection_) y = (*projection_)(y, execution);
  return search_ ? (*search_)(y, x, batch, execution) : y;
}

TensorView Head::vjp(const TensorView& x, const TensorView& dy, ParameterGradients& parameters,
                     const Execution& execution) const {
  if (search_ || (!dense_ && description_.activation != Activation::none))
    throw Error(ErrorKind::usage, "gradients", "of this head are not computed");
  const auto at_scale = [&](const TensorView& z) { return description_.scale == 1 ? z : scaled(z, description_.scale); };
  const TensorView dense = dense_ ? (*dense_)(x, execution, description_.activation) : x;
  TensorView d = dy;
  if (projection_) {
    const LinearGradients of_map = projection_->vjp(at_scale(norm_ ? (*norm_)(dense, execution) : dense), d, execution);
    parameters.add(*projection_, of_map);
    d = of_map.x;
  }
  d = at_scale(d);
  if (norm_) {
    const NormGradients of_norm = norm_->vjp(dense, d, execution);
    parameters.add(*norm_, of_norm);
    d = of_norm.x;
  }
  if (!dense_) return d;
  const LinearGradients of_dense = dense_->vjp(x, d, execution, description_.activation);
  parameters.add(*dense_, of_dense);
  return of_dense.x;
}

}  // namespace attn
