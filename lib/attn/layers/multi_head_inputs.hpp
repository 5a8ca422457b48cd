#pragma once
// What multi-head attention does to keys, queries and masks between the projections and attend(). Internal.

#include <attn/layers/multi_head_attention.hpp>

namespace ATTN_API attn {

/// Throws Error(usage) unless there are heads, and key-value heads divide them.
void expect_grouping(const MultiHeadParameters& parameters);

/// Throws Error(data) unless x is (B, L, d) or (L, d).
void expect_sequences(const TensorView& x);
/// x (B, L, d), or (L, d) as a batch of one.
TensorView with_batch(const TensorView& x);
/// x (B, L, H * width) as its heads (B, H, L, width), in place.
TensorView split_heads(const TensorView& x, std::size_t heads);
/// The inverse of split_heads: in place where heads lie side by side, a copy otherwise. Without a batch axis
/// (H, L, width) becomes (L, H * width).
TensorView join_heads(const TensorView& heads);
/// Do the heads lie as split_heads leaves them?
bool lie_side_by_side(const TensorView& heads);

/// a + b, broadcast to each other; in the wider of their computing types.
TensorView sum_of_biases(const TensorView& a, const TensorView& b);

/// More keys and values, the same for all queries, which no mask excludes: all masks become one. They stand in front of
/// the others, so that what is padded or cached behind them moves none of the sums. Each key (H_kv, d), value
/// (H_kv, d_v)
void put_unmasked_in_front(AttendInputs& inputs, AttendParameters& parameters, const std::vector<KeyValue>& rows);

/// Rows whose first `count` elements come last.
TensorProducer with_first_last(TensorProducer rows, std::size_t count);

/// How relative scores are worked out.
struct RelativeWiring {
  double scale = 1;
  std::size_t past = 0;              ///< position of the first query among the keys
  std::size_t longest_distance = 0;  ///< 0: no limit
};

/// XLNet's relative positions and segments: u is added to the query, the other terms become a bias.
void add_relative(AttendInputs& inputs, const RelativeWeights& weights, const RelativeWiring& wiring,
                  const std::optional<TensorView>& segments, const Execution& execution);

/// Adds scale q.e(distance), and scale k.e(distance) where the wiring says so, to the bias. Throws Error(data) for a
/// distance that the table does not have.
void add_distances(AttendInputs& inputs, const TensorView& table, LearnedDistances distances,
                   const RelativeWiring& wiring, const Execution& execution);

}  // namespace attn
