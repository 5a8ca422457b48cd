#pragma once
// Attention over keys and values from any source, a block at a time: the same tree of states as in one piece, so the
// same bits.

#include <attn/attention/attend_stored.hpp>
#include <attn/attention/problem/call.hpp>

#include <functional>

namespace attn {

/// Takes keys and values (B or 1, H_kv, rows, d), in any dtype.
using UseBlock = std::function<void(const TensorView& key, const TensorView& value)>;

/// Keys and values in parts.
struct BlockSource {
  /// The end of the block of keys that begins at `first`: a multiple of leaf_keys, or all keys.
  std::function<std::size_t(std::size_t first)> end;
  /// Passes the keys [first, last) and their values to `use`.
  std::function<void(std::size_t first, std::size_t last, const UseBlock& use)> read;
};

/// Blocks of a stored database, which must outlive them.
BlockSource stored_blocks(const StoredDatabase& database, const AttendParameters& parameters);

/// Can blocks compute the request? They give the pooled values, except of the normaliser `hard`, and the log-sum-exp;
/// all other results need all keys of a query at once.
bool is_for_blocks(const AttendInputs& inputs, const AttendParameters& parameters, const AttendRequest& request,
                   const Execution& execution);

/// Bytes of the state of every query.
std::size_t bytes_of_states(const AttentionSizes& sizes);

/// Bytes of a key and its value, of all batches and heads.
std::size_t bytes_of_key(const AttentionSizes& sizes, DType dtype);

/// The state of some keys, whole leaves, for a problem without keys. Reports each block to execution.progress, and
/// passes its problem to `see`.
AttentionState fold_blocks(const Call& call, const BlockSource& source, const KeyRange& keys,
                           const std::function<void(const AttentionProblem&)>& see, const Execution& execution);

/// attend() for a problem without keys. Reports each block to execution.progress.
AttendResult attend_in_blocks(const Call& call, const BlockSource& source, const Execution& execution);

}  // namespace attn
