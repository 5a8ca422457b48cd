#pragma once
// Vector-Jacobian products on xtensors: vjp(f, x, dy) is the gradient of a loss by what f(x) is computed from, for dy,
// that by f(x). What f is, its first argument says: a layer or the parameters of a function. The formulas are beside
// the layers, in layers/linear.hpp and so on.
// Arguments, results and errors as api/array.hpp says; dy has the shape of f(x).

#include <attn/api/array.hpp>
#include <attn/attention/vjp.hpp>
#include <attn/core/export.hpp>
#include <attn/layers/embedding.hpp>
#include <attn/layers/feed_forward.hpp>
#include <attn/layers/loss.hpp>
#include <attn/layers/norm.hpp>
#include <attn/layers/positions.hpp>
#include <attn/layers/softmax.hpp>

#include <optional>

namespace ATTN_API attn {

/// The gradients of a linear map; `bias` has no elements if the map has no bias.
template <class T, std::size_t N>
struct LinearVjp {
  xt::xtensor<T, N> x;
  xt::xtensor<T, 2> weight;
  xt::xtensor<T, 1> bias;
};

/// The gradients of a norm over the last axis; those by parameters that it does not have are without elements.
template <class T, std::size_t N>
struct NormVjp {
  xt::xtensor<T, N> x;
  xt::xtensor<T, 1> weight, bias;
};

/// The gradients of a feed-forward network, each map with the gradient by its own input.
template <class T, std::size_t N>
struct FeedForwardVjp {
  xt::xtensor<T, N> x;
  LinearVjp<T, N> first, second, gate;
};

/// f(x) = act(x W^T + b)
template <std::size_t N = 0, class X>
auto vjp(const Linear& map, const X& x, const Array<element_t<X>>& dy, Activation activation = Activation::none,
         const Execution& execution = {});

/// f(x) = norm(x)
template <std::size_t N = 0, class X>
auto vjp(const Norm& norm, const X& x, const Array<element_t<X>>& dy, const Execution& execution = {});

/// f(x) = FFN(x)
template <std::size_t N = 0, class X>
auto vjp(const FeedForward& network, const X& x, const Array<element_t<X>>& dy, const Execution& execution = {});

/// The gradients of attention; `others` has those by `further` and the bandwidth.
template <class T, std::size_t N>
struct AttendVjp {
  xt::xtensor<T, N> query, key, value;
  AttendGradients others;
};

/// f(query, key, value) = attend(query, key, value, parameters, further); key and value have the rank of the query
template <std::size_t N = 0, class Q>
auto vjp(const AttendParameters& parameters, const Q& query, const Array<element_t<Q>>& key,
         const Array<element_t<Q>>& value, const Array<element_t<Q>>& dy, const AttendInputs& further = {},
         const Execution& execution = {});

/// f(ids) = scale table[ids]; the gradient by the table, (vocabulary, width)
template <class Ids, class DY>
xt::xtensor<element_t<DY>, 2> vjp(const Embedding& embedding, const Ids& ids, const DY& dy,
                                  const Execution& execution = {});

/// f(scores) = softmax(scores, parameters, masks); the gradient by the scores
template <std::size_t N = 0, class S>
result_t<S, N> vjp(const SoftmaxParameters& parameters, const S& scores, const Array<element_t<S>>& dy,
                   const SoftmaxMasks& masks = {}, const Execution& execution = {});

/// f(x) = apply_positions(x, encoding, inputs, axes); the gradient by x
template <std::size_t N = 0, class X>
result_t<X, N> vjp(const PositionalEncoding& encoding, const X& x, const Array<element_t<X>>& dy,
                   const PositionInputs& inputs = {}, const HeadAxes& axes = {}, const Execution& execution = {});

/// A loss and its gradient by x.
template <class T, std::size_t N>
struct LossAndGradient {
  T value;
  xt::xtensor<T, N> gradient;
};

/// The loss of x, as layers/loss.hpp has it, reduced to one number.
///
/// x        (..., C) for cross-entropy, else any shape
/// target   labels (...), integers, for cross-entropy; else the shape of x
/// weights  (C), of the classes
template <std::size_t N = 0, class X, class Target>
auto loss(const X& x, const Target& target, const LossParameters& parameters = {},
          const std::optional<Array<element_t<X>>>& weights = {}, const Execution& execution = {});

// ---- templates -----------------------------------------------------------------------------------------------------

namespace detail {

template <class T, std::size_t N>
xt::xtensor<T, N> to_xtensor_or_none(const std::optional<TensorView>& x) {
  return x ? to_xtensor<T, N>(*x) : xt::xtensor<T, N>();
}

template <class T, std::size_t N>
LinearVjp<T, N> to_xtensors(const LinearGradients& d) {
  return {to_xtensor<T, N>(d.x), to_xtensor<T, 2>(d.weight), to_xtensor_or_none<T, 1>(d.bias)};
}

}  // namespace detail

template <std::size_t N, class X>
auto vjp(const Linear& map, const X& x, const Array<element_t<X>>& dy, Activation activation,
         const Execution& execution) {
  return detail::to_xtensors<element_t<X>, result_t<X, N>::rank>(
      map.vjp(view_of(x, "x"), dy.named("dy"), execution, activation));
}

template <std::size_t N, class X>
auto vjp(const Norm& norm, const X& x, const Array<element_t<X>>& dy, const Execution& execution) {
  using T = element_t<X>;
  const NormGradients d = norm.vjp(view_of(x, "x"), dy.named("dy"), execution);
  return NormVjp<T, result_t<X, N>::rank>{to_xtensor<T, result_t<X, N>::rank>(d.x),
                                          detail::to_xtensor_or_none<T, 1>(d.weight),
                                          detail::to_xtensor_or_none<T, 1>(d.bias)};
}

template <std::size_t N, class X>
auto vjp(const FeedForward& network, const X& x, const Array<element_t<X>>& dy, const Execution& execution) {
  using T = element_t<X>;
  constexpr std::size_t rank = result_t<X, N>::rank;
  const FeedForwardGradients d = network.vjp(view_of(x, "x"), dy.named("dy"), execution);
  return FeedForwardVjp<T, rank>{to_xtensor<T, rank>(d.x), detail::to_xtensors<T, rank>(d.first),
                                 detail::to_xtensors<T, rank>(d.second),
                                 d.gate ? detail::to_xtensors<T, rank>(*d.gate) : LinearVjp<T, rank>()};
}

template <std::size_t N, class Q>
auto vjp(const AttendParameters& parameters, const Q& query, const Array<element_t<Q>>& key,
         const Array<element_t<Q>>& value, const Array<element_t<Q>>& dy, const AttendInputs& further,
         const Execution& execution) {
  using T = element_t<Q>;
  constexpr std::size_t rank = result_t<Q, N>::rank;
  AttendInputs inputs = further;
  inputs.query = view_of(query, "query");
  inputs.key = key.named("key");
  inputs.value = value.named("value");
  AttendGradients d = attend_vjp(inputs, parameters, {dy.named("dy")}, execution);
  return AttendVjp<T, rank>{to_xtensor<T, rank>(d.inputs.query), to_xtensor<T, rank>(d.inputs.key),
                            to_xtensor<T, rank>(d.inputs.value), std::move(d)};
}

template <class Ids, class DY>
xt::xtensor<element_t<DY>, 2> vjp(const Embedding& embedding, const Ids& ids, const DY& dy,
                                  const Execution& execution) {
  return to_xtensor<element_t<DY>, 2>(embedding.vjp(view_of(ids, "ids"), view_of(dy, "dy"), execution));
}

template <std::size_t N, class S>
result_t<S, N> vjp(const SoftmaxParameters& parameters, const S& scores, const Array<element_t<S>>& dy,
                   const SoftmaxMasks& masks, const Execution& execution) {
  const SoftmaxGradients d =
      masked_softmax_vjp(view_of(scores, "scores"), masks, parameters, dy.named("dy"), execution);
  return to_xtensor<element_t<S>, result_t<S, N>::rank>(d.scores);
}

template <std::size_t N, class X>
result_t<X, N> vjp(const PositionalEncoding& encoding, const X&, const Array<element_t<X>>& dy,
                   const PositionInputs& inputs, const HeadAxes& axes, const Execution& execution) {
  const PositionGradients d = apply_positions_vjp(dy.named("dy"), encoding, inputs, axes, execution);
  return to_xtensor<element_t<X>, result_t<X, N>::rank>(*d.x);
}

template <std::size_t N, class X, class Target>
auto loss(const X& x, const Target& target, const LossParameters& parameters,
          const std::optional<Array<element_t<X>>>& weights, const Execution& execution) {
  using T = element_t<X>;
  if (parameters.reduction == Reduction::none) throw Error(ErrorKind::usage, "reduction", "none is no number");
  const LossResult found = attn::loss(view_of(x, "x"), view_of(target, "target"),
                                      detail::named(weights, "class weights"), parameters, execution);
  return LossAndGradient<T, result_t<X, N>::rank>{static_cast<T>(to_scalar(found.value)),
                                                  to_xtensor<T, result_t<X, N>::rank>(found.gradient)};
}

}  // namespace attn
