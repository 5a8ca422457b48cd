#pragma once
// Attention pooling: every score, mask and normaliser behind one function.

#include <attn/core/execution.hpp>
#include <attn/core/tensor.hpp>

#include <cstdint>
#include <optional>

namespace attn {

/// a(q, k); formulas and sources in attention/score.hpp.
enum class Score : std::uint8_t { scaled_dot, dot, cosine, bilinear, additive, gaussian };

/// How scores become weights; formulas in attention/softmax.hpp.
enum class Normalize : std::uint8_t { softmax, sum, none, hard, uniform };

/// What a query with no key left yields.
enum class EmptyRows : std::uint8_t { zero, nan, error };

/// What attention computes, apart from the tensors. The initialisers are the defaults of the tool.
struct AttendParameters {
  Score score = Score::scaled_dot;
  std::optional<Normalize> normalize;  ///< none: softmax
  std::optional<double> scale;         ///< multiplies any score; none: 1/sqrt(d) for scaled-dot, else 1
  double bandwidth = 1;                ///< h of the Gaussian score, > 0
  bool causal = false;                 ///< query i sees keys j <= i + offset; offset = length of the past, else 0
  EmptyRows empty = EmptyRows::zero;
};

/// The tensors of one call. query (B, H, L, d), key (B, H_kv, S, d), value (B, H_kv, S, d_v), or (B, L, d) ..., or
/// (L, d) ...; any strides, so that heads of a packed projection are used in place.
struct AttendInputs {
  TensorView query, key, value;
  std::optional<TensorView> mask;        ///< integers: not 0 = attend; floats: added; broadcasts to (B, H, L, S)
  std::optional<TensorView> valid_lens;  ///< (B), (B, L) or (B, H, L): keys from there on take no part
};

/// What is computed beside the pooled values.
struct AttendRequest {
  bool weights = false;
  bool lse = false;
};

struct AttendResult {
  TensorView output;                  ///< the query's shape with d_v as last axis
  std::optional<TensorView> weights;  ///< the query's leading axes and S
  std::optional<TensorView> lse;      ///< the query's leading axes
  std::size_t empty_rows = 0;         ///< queries that had no key left
};

/// Attention(q, D) = sum_i alpha(q, k_i) v_i over D = {(k_i, v_i)}.
///
/// Computed in the wider of the inputs' types, returned in the query's. Throws Error(data) naming the tensor whose shape
/// does not fit. Source: Vaswani et al. 2017, section 3.2.1; Nadaraya 1964; Watson 1964.
AttendResult attend(const AttendInputs& inputs, const AttendParameters& parameters, const AttendRequest& request = {},
                    const Execution& execution = {});

}  // namespace attn
