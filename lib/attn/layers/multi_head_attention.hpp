#pragma once
// Multi-head attention: project, split, attend, merge. Each step can be called alone.

#include <attn/attention/parameters.hpp>
#include <attn/attention/vjp.hpp>
#include <attn/layers/key_value_cache.hpp>
#include <attn/layers/linear.hpp>
#include <attn/layers/norm.hpp>
#include <attn/layers/rotary.hpp>

#include <utility>

namespace ATTN_API attn {

/// The learned term of distances in scores (Shaw et al. 2018; Huang et al. 2020), with a table of distances e:
enum class LearnedDistances : std::uint8_t {
  none,
  of_query,         ///< + q.e(distance): BERT's relative_key
  of_query_and_key  ///< + q.e(distance) + k.e(distance): relative_key_query
};

/// Wiring of multi-head attention, apart from the tensors. The initialisers are the defaults of mha.
struct MultiHeadParameters {
  std::size_t heads = 1;
  std::size_t key_value_heads = 0;  ///< grouped queries: heads share keys and values; 0: H
  AttendParameters pooling = {};
  std::optional<RotaryEncoding> rotary = {};            ///< rotates the heads of queries and keys
  NormParameters head_norm = {};                        ///< of the norms of queries and keys, if there are any
  bool zero_attention = false;                          ///< one more key and value of zeros that no mask excludes
  std::size_t longest_distance = 0;                     ///< of relative weights: limit of distances; 0: none
  LearnedDistances distances = LearnedDistances::none;  ///< the scale is that of q.k

  /// H_kv, with 0 resolved to H.
  std::size_t groups() const noexcept { return key_value_heads == 0 ? heads : key_value_heads; }
};

/// XLNet's relative positions and segments (Yang et al. 2019; Dai et al. 2019, section 3.3).
///
///     score = scale ((q + u).k + (q + v).r(distance) + (q + w).e(same segment or not))
struct RelativeWeights {
  Linear position;                          ///< d_model to H * d: r of the sinusoidal encoding of a distance
  TensorView content_bias, position_bias;   ///< u, v (H, d)
  std::optional<TensorView> segment_bias;   ///< w (H, d)
  std::optional<TensorView> segment_table;  ///< e (2, H, d): 0 same segment, 1 another
};

/// The names of the tensors of multi-head attention: three maps, or one map that is cut into three.
struct AttentionTensors {
  std::string prefix;             ///< of all others
  std::string query, key, value;  ///< three maps
  std::string packed;             ///< one map; "in_proj" is PyTorch's in_proj_weight and in_proj_bias
  std::string output;             ///< empty: none, heads are only pooled
  WeightLayout layout = WeightLayout::out_in;
  bool bias = true, output_bias = true;
  std::string distances = {};  ///< table of learned distances; empty: none
  std::size_t farthest = 0;    ///< of these, 2 farthest - 1 rows
  bool relative = false;  ///< XLNet's own: q, k, v, r, o as (width, heads, head width), biases of queries, segments
  std::string query_norm = {}, key_norm = {};  ///< of each head, before it is rotated; empty: none
};

/// Learned parts of the bilinear and the additive score, shared by the heads.
struct ScoreWeights {
  std::optional<TensorView> bilinear;      ///< M (d_q, d_k)
  std::optional<TensorView> query_weight;  ///< W_q (h, d_q)
  std::optional<TensorView> key_weight;    ///< W_k (h, d_k)
  std::optional<TensorView> score_weight;  ///< w_v (h)
};

/// W^Q, W^K and W^V of all heads, one below the other.
struct ProjectionMaps {
  Linear query, key, value;
};

/// The linear maps and the optional weights. Without a projection, heads are projected elsewhere; without an output
/// map, heads are passed on unchanged.
struct MultiHeadWeights {
  std::optional<ProjectionMaps> projection = std::nullopt;
  std::optional<Linear> output = std::nullopt;
  std::optional<TensorView> key_bias = std::nullopt;    ///< bias_k (H_kv * d): one more key that no mask excludes
  std::optional<TensorView> value_bias = std::nullopt;  ///< bias_v (H_kv * d_v)
  std::optional<RelativeWeights> relative = std::nullopt;
  std::optional<TensorView> distances = std::nullopt;  ///< e (2 n - 1, d): row n - 1 + query position - key position
  std::optional<Norm> query_norm = std::nullopt, key_norm = std::nullopt;  ///< of each head, Henry et al. 2020
  ScoreWeights score = {};
};

/// The masks and biases of one call; shapes broadcast to (B, H, L, S).
struct MultiHeadMasks {
  std::optional<TensorView> mask;          ///< as in attend()
  std::optional<TensorView> padding_mask;  ///< (B, S) or (S); 0 excludes, or inverted; or added
  std::optional<TensorView> valid_lens;    ///< (B), (B, L) or (B, H, L)
  std::optional<TensorView> bias;          ///< floats: relative positions, (H, L, S)
  std::optional<TensorView> alibi_slopes;  ///< (H), instead of the slopes of the pooling's `alibi`
  std::optional<TensorView> sinks;         ///< (H): a logit that joins the softmax's denominator
  std::optional<TensorView> segments;      ///< (B, S) ids, the last L for the queries; for relative weights
};

/// What the gradients of multi-head attention need to know of forward.
struct MultiHeadForward {
  TensorView query, heads, lse;  ///< (B, H, L, d), (B, H, L, d_v), (B, H, L)
  KeyValue memory;               ///< (B, H_kv, S, d)
};

struct MultiHeadResult {
  TensorView output;                                       ///< (B, L, p_o), the rank of the query
  std::optional<TensorView> weights;                       ///< (B, H, L, S), without B for a query of rank 2
  std::size_t empty_rows = 0;                              ///< queries that had no key left, counted in each head
  std::optional<MultiHeadForward> forward = std::nullopt;  ///< if the log-sum-exp is requested
};

/// Gradients of a loss by what MultiHeadAttention::attend_heads() takes. The masks and biases have their shapes.
struct HeadGradients {
  TensorView query;                                           ///< (B, H, L, d)
  KeyValue memory;                                            ///< (B, H_kv, S, d)
  std::optional<TensorView> mask, padding_mask, bias, sinks;  ///< floats alone
  std::optional<TensorView> key_bias, value_bias;             ///< bias_k, bias_v (H_kv, d)
  std::optional<TensorView> bandwidth;
  ScoreWeights score;
};

/// Gradients by what MultiHeadAttention::project_query() or project_memory() takes.
struct ProjectionGradients {
  LinearGradients query, key, value;  ///< x: (B, L, d_q), (B, S, d_k); maps: W^Q, W^K, W^V
  std::optional<NormGradients> query_norm = std::nullopt, key_norm = std::nullopt;  ///< of the norms of heads
};

/// Gradients by what MultiHeadAttention::merge() takes.
struct MergeGradients {
  TensorView heads;                       ///< (B, H, L, d_v)
  std::optional<LinearGradients> output;  ///< W^O; none without an output map
};

/// The mean of weights (B, H, L, S) over the heads, (B, L, S), without all weights in memory.
TensorView average_over_heads(const TensorProducer& weights);

///     head_i = Attention(Q W_i^Q, K W_i^K, V W_i^V),   output = Concat(head_1 .. head_h) W^O
///
/// Source: Vaswani et al. 2017, section 3.2.2; grouped queries: Ainslie et al. 2023. Heads are strided views of the
/// projections, not copies. Traces q, k, v (B, H, L, d), weights, heads (B, H, L, d_v), output.
class MultiHeadAttention {
 public:
  /// Throws Error(data) if widths do not divide into heads or do not fit each other. Without an output map, merge()
  /// puts heads side by side.
  MultiHeadAttention(const MultiHeadParameters& parameters, MultiHeadWeights weights);

  /// Throws Error(input) for a tensor that is missing. `layout` is given instead of that of the names.
  static MultiHeadAttention load(const Weights& weights, AttentionTensors names, const MultiHeadParameters& parameters,
                                 DType compute, std::optional<WeightLayout> layout = std::nullopt);
  /// The same without given names. Weights as in PyTorch's state_dict: `in_proj_weight` (3 E, E) or `q_proj_weight`,
  /// `k_proj_weight`, `v_proj_weight`; `in_proj_bias`; `out_proj.weight`, `out_proj.bias`; `bias_k`, `bias_v`.
  /// Otherwise tries the names of BERT, BART, DistilBERT, GPT-2, T5, ViT, TimeSformer, XLNet and Llama in turn. The
  /// output map and its bias may be missing in modules without one: the self-attention of BERT and ViT (query, key,
  /// value) and of TimeSformer (qkv). A given layout applies to all maps. Under T5's names the scale is 1 unless given.
  static MultiHeadAttention load(const Weights& weights, const MultiHeadParameters& parameters, DType compute,
                                 std::optional<WeightLayout> layout = std::nullopt);

  const MultiHeadParameters& parameters() const noexcept { return parameters_; }
  std::size_t key_value_heads() const noexcept;
  /// The number of keys of bias_k and zero attention, which come last in weights.
  std::size_t appended_keys() const noexcept;
  const MultiHeadWeights& weights() const noexcept { return weights_; }
  void set_score_weights(ScoreWeights weights) { weights_.score = std::move(weights); }
  void set_longest_distance(std::size_t distance) noexcept { parameters_.longest_distance = distance; }
  void set_score_scale(double scale) noexcept { parameters_.pooling.scale = scale; }
  void set_rotary(RotaryEncoding rotary) { parameters_.rotary = std::move(rotary); }

  /// x (B, L, d_q) to the heads of the query (B, H, L, d), normed if there is a norm. With rotary wiring, they are then
  /// rotated by their positions.
  TensorView project_query(const TensorView& x, const Execution& execution = {}, const Positions& at = {}) const;
  /// key (B, S, d_k) and value (B, S, d_v) to the heads (B, H_kv, S, d) of both.
  KeyValue project_memory(const TensorView& key, const TensorView& value, const Execution& execution = {},
                          const Positions& at = {}) const;
  /// Attention pooling in each head: (B, H, L, d_v). `past` positions of the memory are before the first query.
  AttendResult attend_heads(const TensorView& query, const KeyValue& memory, const MultiHeadMasks& masks,
                            const AttendRequest& request = {}, const Execution& execution = {},
                            std::size_t past = 0) const;
  /// heads (B, H, L, d_v) to the output (B, L, p_o), or (H, L, d_v) to (L, p_o). Throws Error(data) for others.
  TensorView merge(const TensorView& heads, const Execution& execution = {}) const;

  /// The gradients of these three steps, from those by their results. They compute forward again. Throw Error(usage)
  /// for relative weights, for learned distances, and for a mask of floats beside appended keys, which have no gradient
  /// yet.
  ProjectionGradients project_vjp(const TensorView& query, const TensorView& key, const TensorView& value,
                                  const TensorView& dquery, const KeyValue& dmemory, const Execution& execution = {},
                                  const Positions& at = {}) const;
  HeadGradients attend_heads_vjp(const TensorView& query, const KeyValue& memory, const MultiHeadMasks& masks,
                                 const AttendCotangents& dy, const Execution& execution = {}, std::size_t past = 0,
                                 const std::optional<AttendForward>& forward = std::nullopt) const;
  MergeGradients merge_vjp(const TensorView& heads, const TensorView& dy, const Execution& execution = {}) const;

  /// Self-attention: keys and values from x, appended to the cache if one is given. Positions continue from the cache's
  /// length unless listed.
  MultiHeadResult operator()(const TensorView& x, const MultiHeadMasks& masks = {}, KeyValueCache* cache = nullptr,
                             const AttendRequest& request = {}, const Execution& execution = {},
                             const std::optional<TensorView>& positions = std::nullopt) const;
  /// Attention over another sequence from project_memory(), which serves many calls; the first query has position
  /// `past` among the keys.
  MultiHeadResult operator()(const TensorView& query, const KeyValue& memory, const MultiHeadMasks& masks = {},
                             const AttendRequest& request = {}, const Execution& execution = {},
                             std::size_t past = 0) const;

 private:
  bool shares_memory(const TensorView& query, const KeyValue& memory, const MultiHeadMasks& masks,
                     const AttendRequest& request) const;
  const ProjectionMaps& projection() const;
  /// project_query(x) and project_memory(x, x).
  std::pair<TensorView, KeyValue> project_self(const TensorView& x, const Execution& execution,
                                               const Positions& at) const;
  /// What attend() takes for attend_heads(); appended keys come first.
  struct Pooling {
    AttendInputs inputs;
    AttendParameters parameters;
  };
  Pooling pooling_of(const TensorView& query, const KeyValue& memory, const MultiHeadMasks& masks,
                     const Execution& execution, std::size_t past) const;
  std::optional<RotaryTable> rotation(const TensorView& heads, const Positions& at) const;
  TensorView turned(const TensorView& heads, const std::optional<Norm>& norm, const Positions& at,
                    const Execution& execution) const;
  MultiHeadResult finish(const TensorView& query, const TensorView& heads_q, const KeyValue& memory,
                         const MultiHeadMasks& masks, const AttendRequest& request, const Execution& execution,
                         std::size_t past) const;

  MultiHeadParameters parameters_;
  MultiHeadWeights weights_;
};

}  // namespace attn
