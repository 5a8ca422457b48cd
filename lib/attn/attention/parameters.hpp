#pragma once
// What attention takes and gives, as values: scores, masks, normalisers, tensors in and out.

#include <attn/attention/shapes.hpp>
#include <attn/core/export.hpp>
#include <attn/core/smoothing_kernel.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/core/tensor.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace ATTN_API attn {

/// a(q, k) with the default scale.
enum class Score : std::uint8_t {
  scaled_dot,  ///< q.k / sqrt(d)                          Vaswani et al. 2017, eq. 1
  dot,         ///< q.k
  cosine,      ///< q.k / (|q| |k|)                        0 where either is the zero vector
  bilinear,    ///< q^T M k                                Luong et al. 2015, "general"
  additive,    ///< w_v . tanh(W_q q + W_k k)              Bahdanau et al. 2015
  gaussian,    ///< -sum_c ((q_c - k_c) / h_c)^2 / 2       Nadaraya 1964, Watson 1964
  kernel       ///< K(|(q - k) / h|), a weight, not a logit, as in core/smoothing_kernel.hpp
};

/// How the scores s of a query become weights alpha; m = max s. A score of -inf excludes the key: its weight is exactly
/// 0. A NaN score that is not excluded makes the row NaN. Source: Vaswani et al. 2017, section 3.2.1; sinks: Xiao et
/// al. 2024 and OpenAI's gpt-oss.
enum class Normalize : std::uint8_t {
  softmax,  ///< exp(s_j - m) / (sum_t exp(s_t - m) + exp(sink - m))
  sum,      ///< s_j / sum_t s_t; of the Gaussian score exp(s_j) / sum_t exp(s_t), which is its softmax
  none,     ///< s_j, a linear combination; exp(s_j) for the Gaussian score: the convex cone
  hard,     ///< 1 for the first best key, 0 for the rest: a database query
  uniform   ///< 1 / number of attended keys: average pooling
};

/// The result of a query that has no key left, after masks or within the width of a kernel.
enum class EmptyRows : std::uint8_t {
  zero,
  nan,
  nearest,  ///< the value of the nearest key that is not excluded; zero if all are
  error
};

/// The meaning of a mask's elements.
enum class MaskType : std::uint8_t {
  automatic,  ///< integers, none negative, and booleans: 0 excludes; other numbers: added to the score
  boolean,    ///< 0 excludes, for every dtype
  additive    ///< added to the score, for every dtype
};

/// Keys from `left` before to `right` after the query's position; -1: unlimited.
struct Window {
  std::int64_t left = -1, right = -1;
};

/// The parameters of attention, apart from the tensors. The initialisers are the defaults of the tool.
struct AttendParameters {
  Score score = Score::scaled_dot;
  Kernel kernel = Kernel::gaussian;     ///< of Score::kernel: K(|q - k| / h) is the weight, not exponentiated
  std::optional<Normalize> normalize;   ///< none: sum for Score::kernel, softmax for the others
  std::optional<double> scale;          ///< multiplies any score; none: 1/sqrt(d) for scaled-dot, else 1
  std::vector<double> bandwidth = {1};  ///< h of gaussian and kernel, > 0: one for all coordinates, or (d)
  double softcap = 0;                   ///< c > 0: scores become c tanh(s / c); 0: unchanged
  bool causal = false;                  ///< query i sees keys j <= i + offset
  bool causal_bottom_right = false;     ///< causal, and the last query sees the last (valid) key
  std::optional<Window> window;         ///< around i + offset
  std::optional<std::int64_t> offset;   ///< position of query 0 among the keys; none: length of the past, else 0
  bool alibi = false;                   ///< -slope[h] |i + offset - j| is added, slopes as in Press et al. 2022
  MaskType mask_type = MaskType::automatic;
  bool mask_invert = false;             ///< boolean masks are true for excluded keys
  Layout layout = Layout::batch_first;  ///< of queries, keys, values, past and result
  std::optional<std::size_t> heads;     ///< tensors of rank 2 and 3 are packed: (B, L, heads * d), or (L, B, heads * d)
  std::optional<std::size_t> kv_heads;  ///< of packed keys and values; none: heads
  EmptyRows empty = EmptyRows::zero;
};

/// The tensors of one call. query (B, H, L, d), key (B, H_kv, S, d), value (B, H_kv, S, d_v), or (L, d) ..., or as in
/// layout and heads; with any strides, so that heads of a packed projection are used in place. A batch of 1 serves
/// every batch of the others.
struct AttendInputs {
  TensorView query, key, value;
  std::optional<TensorView> mask = {};          ///< shapes as in Mask::add_boolean()
  std::optional<TensorView> padding = {};       ///< (B, S), of mask's kinds, for all heads and queries
  std::optional<TensorView> valid_lens = {};    ///< (B), (B, L) or (B, H, L): numbers of valid keys
  std::optional<TensorView> bias = {};          ///< floats, added to the score after the softcap; shapes as mask
  std::optional<TensorView> alibi_slopes = {};  ///< (H)
  std::optional<TensorView> sinks = {};         ///< (H): a logit that joins the softmax's denominator
  std::optional<TensorView> past_key = {};      ///< (B or 1, H_kv, P, d), before key
  std::optional<TensorView> past_value = {};    ///< (B or 1, H_kv, P, d_v)
  std::optional<TensorView> bilinear = {};      ///< M (d_q, d_k)
  std::optional<TensorView> query_weight = {};  ///< additive: W_q (h, d_q)
  std::optional<TensorView> key_weight = {};    ///< additive: W_k (h, d_k)
  std::optional<TensorView> score_weight = {};  ///< additive: w_v (h)
};

/// The step of "score, softcap, mask, normalise" after which a row is returned.
enum class Stage : std::uint8_t {
  scores,          ///< after scale
  scores_softcap,  ///< and softcap
  scores_masked,   ///< and bias and masks; -inf: excluded
  weights          ///< and normalised
};

/// The results to compute in addition to the pooled values.
struct AttendRequest {
  bool weights = false;                    ///< all of them in memory
  bool lse = false;                        ///< log-sum-exp of the masked scores; with softmax only
  std::vector<Stage> stages = {};          ///< L x S numbers each, computed while they are written
  std::size_t top = 0;                     ///< the largest weights of each query, and their keys
  bool keys = false;                       ///< keys and values with the past before them
  std::optional<DType> dtype = {};         ///< of output, lse and top weights; none: the query's
  std::optional<DType> stages_dtype = {};  ///< of the stages; none: the same
};

struct AttendResult {
  TensorView output;                       ///< the query's shape with d_v as last axis
  std::optional<TensorView> weights;       ///< the query's leading axes and S; (B, H, L, S) if packed
  std::optional<TensorView> lse;           ///< the same without S
  std::optional<TensorView> top_weights;   ///< the query's leading axes and `top`, largest first, ties by key
  std::optional<TensorView> top_keys;      ///< their keys, i64; -1 if fewer are left
  std::optional<TensorView> keys, values;  ///< (B, H_kv, S, d) or as in the layout, past included
  std::vector<TensorProducer> stages;      ///< as requested, in that order, in the shape of weights
  std::size_t empty_rows = 0;              ///< queries that had no key left
  std::size_t without_nearest = 0;         ///< those of them with all keys excluded, under EmptyRows::nearest: zero
};

}  // namespace attn
