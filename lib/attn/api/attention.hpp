#pragma once
// Attention on xtensors: pooling, its weights, several heads, the softmax.
// Arguments, results and errors as api/array.hpp says.

#include <attn/api/array.hpp>
#include <attn/api/layers.hpp>
#include <attn/attention/attend.hpp>
#include <attn/core/export.hpp>
#include <attn/layers/multi_head_attention.hpp>
#include <attn/layers/softmax.hpp>

#include <optional>

namespace ATTN_API attn {

///     attend(q, K, V) = sum_j alpha_j v_j,   alpha = softmax(q K^T / sqrt(d)), or as the parameters say
///
/// query       (L, d), (B, L, d) or (B, H, L, d), or as parameters.layout and parameters.heads say
/// key, value  (S, d) and (S, d_v), with the leading axes of the query; H_kv heads that divide H. A batch of 1 serves
///             all; if queries (L, d) serve keys (B, S, d), the rank of the result is given: attend<3>(q, k, v)
/// further     masks, biases, sinks, a past, tensors of a learned score: further.mask = view_of(mask). Its query, key
///             and value are not read
/// returns     the query's shape with d_v as last axis; a query without a key gives what parameters.empty says
/// throws      Error(data) for shapes that do not fit, Error(usage) for parameters that exclude each other
/// source      Vaswani et al. 2017, section 3.2.1; with Score::kernel Nadaraya 1964 and Watson 1964
template <std::size_t N = 0, class Q>
result_t<Q, N> attend(const Q& query, const Array<element_t<Q>>& key, const Array<element_t<Q>>& value,
                      const AttendParameters& parameters = {}, const AttendInputs& further = {},
                      const Execution& execution = {});

///     alpha = softmax(q K^T / sqrt(d)), or as the parameters say: the weights that attend() pools with
///
/// query, key, further  as in attend()
/// returns  (L, S), (B, L, S) or (B, H, L, S): the query's leading axes and S. Packed heads (parameters.heads) have an
///          axis here, so the rank is a template argument: attention_weights<4>(q, k, parameters)
template <std::size_t N = 0, class Q>
result_t<Q, N> attention_weights(const Q& query, const Array<element_t<Q>>& key,
                                 const AttendParameters& parameters = {}, const AttendInputs& further = {},
                                 const Execution& execution = {});

///     p_j = exp(s_j / t - m) / sum_i exp(s_i / t - m),   m the maximum of s / t
///
/// scores   any shape; parameters.axis is the last one unless it says otherwise
/// masks    masks.mask = view_of(mask): not 0 = takes part, or floats that are added; masks.valid_lens
/// returns  the shape of the scores; a row with nothing left is zeros (parameters.log: -inf)
/// throws   Error(usage) for an axis that there is not and for t <= 0, Error(data) for masks that do not fit
/// source   Bridle 1990
template <std::size_t N = 0, class S>
result_t<S, N> softmax(const S& scores, const SoftmaxParameters& parameters = {}, const SoftmaxMasks& masks = {},
                       const Execution& execution = {});

/// The matrices of multi-head attention as PyTorch stores them, heads one below the other: {w_q, w_k, w_v, w_o}.
template <class T>
struct MultiHeadMatrices {
  Array<T> query;                       ///< W^Q (H d, d_q)
  Array<T> key;                         ///< W^K (H_kv d, d_k)
  Array<T> value;                       ///< W^V (H_kv d_v, d_k)
  std::optional<Array<T>> output = {};  ///< W^O (p, H d_v); none: heads stay side by side
  std::optional<Array<T>> query_bias = {}, key_bias = {}, value_bias = {}, output_bias = {};
};

///     head_i = attend(Q W_i^Q^T, K W_i^K^T, V W_i^V^T),   output = Concat(head_1 .. head_H) W^O^T
///
/// query       (L, d_q) or (B, L, d_q)
/// key, value  (S, d_k) or (B, S, d_k); self-attention: the query again
/// parameters  {H}, or more: key-value heads, pooling, rotary positions
/// masks       masks.mask = view_of(mask), padding, valid lengths, biases
/// returns     (L, p) or (B, L, p)
/// throws      Error(usage) for heads that do not divide, Error(data) for shapes that do not fit
/// source      Vaswani et al. 2017, section 3.2.2
///
/// The matrices are prepared in each call; MultiHeadAttention prepares them once.
template <std::size_t N = 0, class Q>
result_t<Q, N> multi_head_attention(const Q& query, const Array<element_t<Q>>& key, const Array<element_t<Q>>& value,
                                    const MultiHeadMatrices<element_t<Q>>& matrices,
                                    const MultiHeadParameters& parameters = {}, const MultiHeadMasks& masks = {},
                                    const Execution& execution = {});

// ---- templates -----------------------------------------------------------------------------------------------------

namespace detail {

TensorView weights_of(AttendInputs inputs, const AttendParameters& parameters, const Execution& execution);

}  // namespace detail

template <std::size_t N, class Q>
result_t<Q, N> attend(const Q& query, const Array<element_t<Q>>& key, const Array<element_t<Q>>& value,
                      const AttendParameters& parameters, const AttendInputs& further, const Execution& execution) {
  AttendInputs inputs = further;
  inputs.query = view_of(query, "query");
  inputs.key = key.named("key");
  inputs.value = value.named("value");
  return to_xtensor<element_t<Q>, result_t<Q, N>::rank>(attend(inputs, parameters, {}, execution).output);
}

template <std::size_t N, class Q>
result_t<Q, N> attention_weights(const Q& query, const Array<element_t<Q>>& key, const AttendParameters& parameters,
                                 const AttendInputs& further, const Execution& execution) {
  AttendInputs inputs = further;
  inputs.query = view_of(query, "query");
  inputs.key = key.named("key");
  return to_xtensor<element_t<Q>, result_t<Q, N>::rank>(detail::weights_of(std::move(inputs), parameters, execution));
}

template <std::size_t N, class S>
result_t<S, N> softmax(const S& scores, const SoftmaxParameters& parameters, const SoftmaxMasks& masks,
                       const Execution& execution) {
  const TensorView p = masked_softmax(view_of(scores, "scores"), masks, parameters, execution);
  return to_xtensor<element_t<S>, result_t<S, N>::rank>(p);
}

template <std::size_t N, class Q>
result_t<Q, N> multi_head_attention(const Q& query, const Array<element_t<Q>>& key, const Array<element_t<Q>>& value,
                                    const MultiHeadMatrices<element_t<Q>>& matrices,
                                    const MultiHeadParameters& parameters, const MultiHeadMasks& masks,
                                    const Execution& execution) {
  MultiHeadWeights weights;
  weights.projection = ProjectionMaps{detail::linear_map(matrices.query, matrices.query_bias, "W^Q"),
                                      detail::linear_map(matrices.key, matrices.key_bias, "W^K"),
                                      detail::linear_map(matrices.value, matrices.value_bias, "W^V")};
  if (matrices.output) weights.output = detail::linear_map(*matrices.output, matrices.output_bias, "W^O");
  const MultiHeadAttention attention(parameters, std::move(weights));
  const KeyValue memory = attention.project_memory(key.named("key"), value.named("value"), execution);
  return to_xtensor<element_t<Q>, result_t<Q, N>::rank>(
      attention(view_of(query, "query"), memory, masks, {}, execution).output);
}

}  // namespace attn
