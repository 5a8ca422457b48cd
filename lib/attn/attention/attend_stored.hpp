#pragma once
// Attention over keys and values that stay where they are stored: read a block at a time, through the same online
// softmax as in memory, so with the same bits.

#include <attn/attention/attend.hpp>

namespace attn {

/// The database as it is stored. Blocks of keys are multiples of the fused engine's own, 512.
struct StoredDatabase {
  StoredTensor key, value;
  std::size_t block_keys = 0;  ///< keys at a time
};

/// Can attend_stored() compute it? It streams a softmax without a past, and gives the pooled values and the
/// log-sum-exp; what else may be asked for needs all keys of a query at once.
bool can_attend_stored(const AttendInputs& inputs, const AttendParameters& parameters, const AttendRequest& request,
                       const Execution& execution);

/// Bytes that attend_stored() holds beside inputs, masks and results: a block of keys and values, and the state of
/// every query.
std::size_t memory_of_blocks(const AttentionSizes& sizes, DType dtype, std::size_t block_keys);

/// The most keys at a time that memory_of_blocks() keeps below `memory`; at least one block of the engine.
std::size_t block_keys_within(const AttentionSizes& sizes, DType dtype, std::size_t memory);

/// attend() with keys and values from their sources: of inputs.key and inputs.value only shape, dtype and name are
/// looked at. Tells execution.progress of each block.
AttendResult attend_stored(const AttendInputs& inputs, const StoredDatabase& database,
                           const AttendParameters& parameters, const AttendRequest& request,
                           const Execution& execution);

}  // namespace attn
