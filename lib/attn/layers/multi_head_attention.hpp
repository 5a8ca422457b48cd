#pragma once
// Multi-head attention: project, split, attend, merge. Each step can be called alone.

#include <attn/attention/attend.hpp>
#include <attn/layers/key_value_cache.hpp>
#include <attn/layers/linear.hpp>

namespace attn {

/// Wiring of multi-head attention, apart from the tensors. The initialisers are the defaults of mha.
struct MultiHeadParameters {
  std::size_t heads = 1;
  std::size_t key_value_heads = 0;  ///< grouped queries: heads share keys and values; 0: as many as heads
  AttendParameters pooling;
};

/// The four linear maps. The output map is missing where the heads are handed on as they are.
struct MultiHeadWeights {
  Linear query, key, value;
  std::optional<Linear> output;
};

/// What the queries of one call may see; shapes broadcast to (B, H, L, S).
struct MultiHeadMasks {
  std::optional<TensorView>
      mask;  ///< (L, S), (B, L, S), (B*H, L, S) or (B, H, L, S): integers: not 0 = attend; floats: added
  std::optional<TensorView> padding_mask;  ///< (B, S) integers: not 0 = attend
  std::optional<TensorView> valid_lens;    ///< (B), (B, L) or (B, H, L)
};

struct MultiHeadResult {
  TensorView output;                  ///< (B, L, p_o), the rank of the query
  std::optional<TensorView> weights;  ///< (B, H, L, S)
  std::size_t empty_rows = 0;         ///< queries that had no key left, counted in each head
};

///     head_i = Attention(Q W_i^Q, K W_i^K, V W_i^V),   output = Concat(head_1 .. head_h) W^O
///
/// Source: Vaswani et al. 2017, section 3.2.2; grouped queries: Ainslie et al. 2023. Heads are strided views of the
/// projections, not copies. Shows q, k, v (B, H, L, d), weights where they are computed, heads (B, H, L, d_v), output.
class MultiHeadAttention {
 public:
  /// Throws Error(data) when widths do not divide into heads or do not fit each other.
  MultiHeadAttention(const MultiHeadParameters& parameters, MultiHeadWeights weights);

  /// Weights as in PyTorch's state_dict: `in_proj_weight` (3 E, E) or `q_proj_weight`, `k_proj_weight`,
  /// `v_proj_weight`; `in_proj_bias`; `out_proj.weight`, `out_proj.bias`. Separate maps `q_proj.weight`, `q_proj.bias`
  /// ... are known as well.
  static MultiHeadAttention load(const Weights& weights, const MultiHeadParameters& parameters, DType compute);

  const MultiHeadParameters& parameters() const noexcept { return parameters_; }
  std::size_t key_value_heads() const noexcept;
  const MultiHeadWeights& weights() const noexcept { return weights_; }

  /// x (B, L, d_q) to the heads of the query (B, H, L, d).
  TensorView project_query(const TensorView& x, const Execution& execution = {}) const;
  /// key (B, S, d_k) and value (B, S, d_v) to the heads (B, H_kv, S, d) of both.
  KeyValue project_memory(const TensorView& key, const TensorView& value, const Execution& execution = {}) const;
  /// Attention pooling in each head: (B, H, L, d_v). `past` positions of the memory came before the first query.
  AttendResult attend_heads(const TensorView& query, const KeyValue& memory, const MultiHeadMasks& masks,
                            const AttendRequest& request = {}, const Execution& execution = {},
                            std::size_t past = 0) const;
  /// heads (B, H, L, d_v) to the output (B, L, p_o).
  TensorView merge(const TensorView& heads, const Execution& execution = {}) const;

  /// Self-attention: keys and values from x, behind those of the cache, which grows, where one is given.
  MultiHeadResult operator()(const TensorView& x, const MultiHeadMasks& masks = {}, KeyValueCache* cache = nullptr,
                             const AttendRequest& request = {}, const Execution& execution = {}) const;
  /// Attention over another sequence that project_memory() has prepared, once for many queries.
  MultiHeadResult operator()(const TensorView& query, const KeyValue& memory, const MultiHeadMasks& masks = {},
                             const AttendRequest& request = {}, const Execution& execution = {}) const;

 private:
  MultiHeadResult finish(const TensorView& query, const TensorView& heads_q, const KeyValue& memory,
                         const MultiHeadMasks& masks, const AttendRequest& request, const Execution& execution,
                         std::size_t past) const;

  MultiHeadParameters parameters_;
  MultiHeadWeights weights_;
};

}  // namespace attn
