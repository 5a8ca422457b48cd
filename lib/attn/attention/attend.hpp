#pragma once
// Attention pooling: every score, mask and normaliser behind one function.

#include <attn/attention/shapes.hpp>
#include <attn/core/execution.hpp>
#include <attn/core/tensor.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace attn {

/// a(q, k); formulas and sources in attention/score.hpp.
enum class Score : std::uint8_t { scaled_dot, dot, cosine, bilinear, additive, gaussian };

/// How scores become weights; formulas in attention/softmax.hpp.
enum class Normalize : std::uint8_t { softmax, sum, none, hard, uniform };

/// What a query with no key left yields.
enum class EmptyRows : std::uint8_t { zero, nan, error };

/// How the elements of a mask are meant.
enum class MaskType : std::uint8_t {
  automatic,  ///< integers and booleans: not 0 = attend; floats: added to the score
  boolean,    ///< not 0 = attend, whatever the dtype
  additive    ///< added to the score, whatever the dtype
};

/// Keys from `left` before to `right` after the query's position; -1: unlimited.
struct Window {
  std::int64_t left = -1, right = -1;
};

/// What attention computes, apart from the tensors. The initialisers are the defaults of the tool.
struct AttendParameters {
  Score score = Score::scaled_dot;
  std::optional<Normalize> normalize;   ///< none: softmax
  std::optional<double> scale;          ///< multiplies any score; none: 1/sqrt(d) for scaled-dot, else 1
  std::vector<double> bandwidth = {1};  ///< h of the Gaussian score, > 0: one for all coordinates, or (d)
  double softcap = 0;                   ///< c > 0: scores become c tanh(s / c); 0: they stay
  bool causal = false;                  ///< query i sees keys j <= i + offset
  bool causal_bottom_right = false;     ///< causal, and the last query sees the last (valid) key
  std::optional<Window> window;         ///< around i + offset
  std::optional<std::int64_t> offset;   ///< position of query 0 among the keys; none: length of the past, else 0
  bool alibi = false;                   ///< -slope[h] |i + offset - j| is added, slopes as in Press et al. 2022
  MaskType mask_type = MaskType::automatic;
  bool mask_invert = false;             ///< boolean masks are true where a key takes no part
  Layout layout = Layout::batch_first;  ///< of tensors of rank 3
  std::optional<std::size_t> heads;     ///< tensors of rank 3 are packed: (B, L, heads * d)
  std::optional<std::size_t> kv_heads;  ///< of packed keys and values; none: heads
  EmptyRows empty = EmptyRows::zero;
};

/// The tensors of one call. query (B, H, L, d), key (B, H_kv, S, d), value (B, H_kv, S, d_v), or (L, d) ..., or of rank
/// 3 as layout and heads say; any strides, so that heads of a packed projection are used in place.
struct AttendInputs {
  TensorView query, key, value;
  std::optional<TensorView> mask = {};          ///< broadcasts to (B, H, L, S), or (B*H, L, S)
  std::optional<TensorView> valid_lens = {};    ///< (B), (B, L) or (B, H, L): keys from there on take no part
  std::optional<TensorView> bias = {};          ///< floats, added to the score after the softcap; shapes as mask
  std::optional<TensorView> alibi_slopes = {};  ///< (H)
  std::optional<TensorView> sinks = {};         ///< (H): a logit that joins the softmax's denominator
  std::optional<TensorView> past_key = {};      ///< (B, H_kv, P, d): put in front of key
  std::optional<TensorView> past_value = {};    ///< (B, H_kv, P, d_v)
  std::optional<TensorView> bilinear = {};      ///< M (d_q, d_k)
  std::optional<TensorView> query_weight = {};  ///< additive: W_q (h, d_q)
  std::optional<TensorView> key_weight = {};    ///< additive: W_k (h, d_k)
  std::optional<TensorView> score_weight = {};  ///< additive: w_v (h)
};

/// What is computed beside the pooled values.
struct AttendRequest {
  bool weights = false;
  bool lse = false;
};

struct AttendResult {
  TensorView output;                       ///< the query's shape with d_v as last axis
  std::optional<TensorView> weights = {};  ///< (B, H, L, S); the query's leading axes and S where it is not packed
  std::optional<TensorView> lse = {};      ///< the same without S
  std::size_t empty_rows = 0;              ///< queries that had no key left
};

/// Attention(q, D) = sum_i alpha(q, k_i) v_i over D = {(k_i, v_i)}.
///
/// Order of operations: score, scale, softcap, bias and mask, normalise, pool. Computed in the wider of the inputs'
/// types, returned in the query's. Throws Error(data) naming the tensor whose shape does not fit, Error(usage) for
/// parameters that exclude each other. Source: Vaswani et al. 2017, section 3.2.1; Nadaraya 1964; Watson 1964.
AttendResult attend(const AttendInputs& inputs, const AttendParameters& parameters, const AttendRequest& request = {},
                    const Execution& execution = {});

}  // namespace attn
