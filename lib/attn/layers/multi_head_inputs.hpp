#pragma once
// The steps of multi-head attention between the projections and attend(), on keys, queries and masks. Internal.

#include <attn/layers/multi_head_attention.hpp>

namespace ATTN_API attn {

/// Throws Error(usage) unless there are heads and the number of key-value heads divides theirs.
void expect_grouping(const MultiHeadParameters& parameters);

/// Throws Error(data) unless x is (B, L, d) or (L, d).
void expect_sequences(const TensorView& x);
/// x (B, L, d), or (L, d) as a batch of one.
TensorView with_batch(const TensorView& x);
/// x (B, L, H * width) as heads (B, H, L, width), in place.
TensorView split_heads(const TensorView& x, std::size_t heads);
/// The inverse of split_heads: in place if heads are side by side in memory, else a copy. Without a batch axis, (H, L,
/// width) becomes (L, H * width).
TensorView join_heads(const TensorView& heads);
/// Is the memory layout of the heads that of split_heads?
bool lie_side_by_side(const TensorView& heads);

/// a + b, broadcast to each other; in the wider of their computing types.
TensorView sum_of_biases(const TensorView& a, const TensorView& b);

/// Additional keys and values, the same for all queries, that no mask excludes: all masks are combined into one. They
/// come first, so that padding and cached keys after them do not change the order of sums. Each key (H_kv, d), value
/// (H_kv, d_v)
void put_unmasked_in_front(AttendInputs& inputs, AttendParameters& parameters, const std::vector<KeyValue>& rows);

/// Rows whose first `count` elements come last.
TensorProducer with_first_last(TensorProducer rows, std::size_t count);

/// The parameters of relative scores.
struct RelativeWiring {
  double scale = 1;
  std::size_t past = 0;              ///< position of the first query among the keys
  std::size_t longest_distance = 0;  ///< 0: no limit
};

/// XLNet's relative positions and segments: u is added to the query, the other terms become a bias.
void add_relative(AttendInputs& inputs, const RelativeWeights& weights, const RelativeWiring& wiring,
                  const std::optional<TensorView>& segments, const Execution& execution);

/// Adds scale q.e(distance), and scale k.e(distance) with of_query_and_key, to the bias. Throws Error(data) for a
/// distance outside the table.
void add_distances(AttendInputs& inputs, const TensorView& table, LearnedDistances distances,
                   const RelativeWiring& wiring, const Execution& execution);

}  // namespace attn
