#pragma once
// Attention over keys and values that come a block at a time, wherever from: through the same online softmax as at
// once, so with the same bits.

#include <attn/attention/problem/outputs.hpp>

#include <functional>

namespace attn {

/// Takes keys and values (B or 1, H_kv, rows, d), in any dtype.
using UseBlock = std::function<void(const TensorView& key, const TensorView& value)>;

/// Keys and values in parts.
struct BlockSource {
  /// Where the block of keys ends that begins at `first`: a multiple of the fused engine's block, 512, or all keys.
  std::function<std::size_t(std::size_t first)> end;
  /// Gives the keys [first, last) and their values to `use`.
  std::function<void(std::size_t first, std::size_t last, const UseBlock& use)> read;
};

/// Can blocks compute it? They stream a softmax, and give the pooled values and the log-sum-exp; what else may be asked
/// for needs all keys of a query at once.
bool is_for_blocks(const AttendInputs& inputs, const AttendParameters& parameters, const AttendRequest& request,
                   const Execution& execution);

/// Bytes of the state of every query.
std::size_t bytes_of_states(const AttentionSizes& sizes, DType dtype);

/// Bytes of a key and its value, of all batches and heads.
std::size_t bytes_of_key(const AttentionSizes& sizes, DType dtype);

/// attend() for a problem without keys. Tells execution.progress of each block.
AttendResult attend_in_blocks(const Call& call, const BlockSource& source, const Execution& execution);

}  // namespace attn
