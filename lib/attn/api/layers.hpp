#pragma once
// The other layers of a transformer on xtensors: linear maps, norms, feed-forward networks, embeddings, positions.
// Arguments, results and errors as api/array.hpp says.

#include <attn/api/array.hpp>
#include <attn/core/export.hpp>
#include <attn/layers/embedding.hpp>
#include <attn/layers/feed_forward.hpp>
#include <attn/layers/norm.hpp>
#include <attn/layers/positions.hpp>

#include <optional>

namespace ATTN_API attn {

///     linear(x) = x W^T + b
///
/// x       (..., in)
/// weight  W (out, in), or (in, out) with WeightLayout::in_out
/// bias    b (out)
/// returns (..., out)
///
/// The weight is prepared in each call; Linear prepares it once.
template <std::size_t N = 0, class X>
result_t<X, N> linear(const X& x, const Array<element_t<X>>& weight,
                      const std::optional<Array<element_t<X>>>& bias = {}, WeightLayout layout = WeightLayout::out_in,
                      const Execution& execution = {});

///     layer_norm(x) = (x - mean) / sqrt(var + epsilon) * gain + bias      of each row, over the axes of the gain
///
/// x           (..., n)
/// gain, bias  (n), or as many of the last axes; none: 1 and 0, over the last axis. A bias needs a gain
/// source      Ba, Kiros and Hinton 2016
template <std::size_t N = 0, class X>
result_t<X, N> layer_norm(const X& x, const std::optional<Array<element_t<X>>>& gain = {},
                          const std::optional<Array<element_t<X>>>& bias = {}, double epsilon = 1e-5,
                          const Execution& execution = {});

///     rms_norm(x) = x / sqrt(mean of x^2 + epsilon) * gain
///
/// x, gain  as in layer_norm()
/// source   Zhang and Sennrich 2019
template <std::size_t N = 0, class X>
result_t<X, N> rms_norm(const X& x, const std::optional<Array<element_t<X>>>& gain = {}, double epsilon = 1e-5,
                        const Execution& execution = {});

/// The matrices of a feed-forward network: {w_1, b_1, w_2, b_2}.
template <class T>
struct FeedForwardMatrices {
  Array<T> first;                            ///< W_1 (d_ff, d_model)
  std::optional<Array<T>> first_bias;        ///< b_1 (d_ff)
  Array<T> second;                           ///< W_2 (d_model, d_ff)
  std::optional<Array<T>> second_bias = {};  ///< b_2 (d_model)
  std::optional<Array<T>> gate = {};         ///< W_g (d_ff, d_model)
  std::optional<Array<T>> gate_bias = {};    ///< b_g (d_ff)
};

///     feed_forward(x) = act(x W_1^T + b_1) W_2^T + b_2                           Vaswani et al. 2017, equation 2
///     with a gate:      (act(x W_g^T + b_g) * (x W_1^T + b_1)) W_2^T + b_2       Shazeer 2020
///
/// x        (..., d_model)
/// returns  (..., d_model)
template <std::size_t N = 0, class X>
result_t<X, N> feed_forward(const X& x, const FeedForwardMatrices<element_t<X>>& matrices,
                            Activation activation = Activation::relu, const Execution& execution = {});

///     embed(ids)[i] = scale table[ids[i]]
///
/// ids      (...), integers
/// table    (vocabulary, width)
/// returns  (..., width), the elements of the table, the rank of the ids and one more
/// throws   Error(data) naming an id that the table does not have
template <std::size_t N = 0, class Ids, class Table>
auto embed(const Ids& ids, const Table& table, double scale = 1, const Execution& execution = {});

/// x with its positions: x + PE for sinusoidal (the default) and learned ones, each pair of coordinates turned for
/// rotary ones. The formulas are in layers/positional_encoding.hpp and layers/rotary.hpp.
///
/// x        (..., L, d); for rotary the heads (B, H, L, d), or as `axes` has them
/// inputs   inputs.table = view_of(table), positions, cosines and sines
/// throws   Error(usage) for the kinds that are biases on scores: position_table() gives these
/// sources  Vaswani et al. 2017, section 3.5; Su et al. 2021
template <std::size_t N = 0, class X>
result_t<X, N> apply_positions(const X& x, const PositionalEncoding& encoding = {}, const PositionInputs& inputs = {},
                               const HeadAxes& axes = {}, const Execution& execution = {}) {
  const TensorView y = apply_positions(view_of(x, "x"), encoding, inputs, axes, execution);
  return to_xtensor<element_t<X>, result_t<X, N>::rank>(y);
}

/// The table of an encoding, as position_table() of layers/positions.hpp has it: (L, d) for sinusoidal and learned ones
/// and distances, (H, L, S) for the biases alibi and t5, (2, L, r / 2) for rotary ones. position_table<double, 2>(...)
template <class T, std::size_t N>
xt::xtensor<T, N> position_table(const PositionalEncoding& encoding, const PositionSizes& sizes,
                                 const PositionInputs& inputs = {}, const Execution& execution = {}) {
  return to_xtensor<T, N>(position_table(encoding, sizes, inputs, execution));
}

// ---- templates -----------------------------------------------------------------------------------------------------

namespace detail {

TensorView norm(const TensorView& x, const NormParameters& parameters, const std::optional<TensorView>& gain,
                const std::optional<TensorView>& bias, const Execution& execution);

template <class T>
Linear linear_map(const Array<T>& weight, const std::optional<Array<T>>& bias, const std::string& name,
                  WeightLayout layout = WeightLayout::out_in) {
  return {weight.named(name), named(bias, name + " bias"), dtype_of_v<T>, layout};
}

}  // namespace detail

template <std::size_t N, class X>
result_t<X, N> linear(const X& x, const Array<element_t<X>>& weight, const std::optional<Array<element_t<X>>>& bias,
                      WeightLayout layout, const Execution& execution) {
  const Linear map = detail::linear_map(weight, bias, "weight", layout);
  return to_xtensor<element_t<X>, result_t<X, N>::rank>(map(view_of(x, "x"), execution));
}

template <std::size_t N, class X>
result_t<X, N> layer_norm(const X& x, const std::optional<Array<element_t<X>>>& gain,
                          const std::optional<Array<element_t<X>>>& bias, double epsilon, const Execution& execution) {
  return to_xtensor<element_t<X>, result_t<X, N>::rank>(detail::norm(view_of(x, "x"), {NormKind::layer, epsilon, true},
                                                                     detail::named(gain, "gain"),
                                                                     detail::named(bias, "bias"), execution));
}

template <std::size_t N, class X>
result_t<X, N> rms_norm(const X& x, const std::optional<Array<element_t<X>>>& gain, double epsilon,
                        const Execution& execution) {
  return to_xtensor<element_t<X>, result_t<X, N>::rank>(
      detail::norm(view_of(x, "x"), {NormKind::rms, epsilon, false}, detail::named(gain, "gain"), {}, execution));
}

template <std::size_t N, class X>
result_t<X, N> feed_forward(const X& x, const FeedForwardMatrices<element_t<X>>& matrices, Activation activation,
                            const Execution& execution) {
  std::optional<Linear> gate;
  if (matrices.gate) gate = detail::linear_map(*matrices.gate, matrices.gate_bias, "W_g");
  const FeedForward network(activation, detail::linear_map(matrices.first, matrices.first_bias, "W_1"),
                            detail::linear_map(matrices.second, matrices.second_bias, "W_2"), gate);
  return to_xtensor<element_t<X>, result_t<X, N>::rank>(network(view_of(x, "x"), execution));
}

template <std::size_t N, class Ids, class Table>
auto embed(const Ids& ids, const Table& table, double scale, const Execution& execution) {
  using T = element_t<Table>;
  constexpr std::size_t rank = N != 0 ? N : result_t<Ids>::rank + 1;
  const Embedding embedding(view_of(table, "table"), dtype_of_v<T>, scale);
  return to_xtensor<T, rank>(embedding(view_of(ids, "ids"), execution));
}

}  // namespace attn
