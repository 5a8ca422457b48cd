#pragma once
// Attention over keys and values that stay where they are stored: read a block at a time, through the same online
// softmax as in memory, so with the same bits.

#include <attn/attention/attend.hpp>

namespace ATTN_API attn {

/// The database as it is stored. Blocks of keys are multiples of the fused engine's own, 512.
struct StoredDatabase {
  StoredTensor key, value;
  std::size_t block_keys = 0;  ///< keys at a time
};

/// Can attend_stored() compute it? It streams a softmax without a past, and gives the pooled values and the
/// log-sum-exp; what else may be asked for needs all keys of a query at once.
bool can_attend_stored(const AttendInputs& inputs, const AttendParameters& parameters, const AttendRequest& request,
                       const Execution& execution);

/// How many keys attend_stored() can take at a time within `memory` bytes beside the inputs that are read, at least one
/// block of the engine; 0: all of them.
std::size_t keys_within(const AttendInputs& inputs, const AttendParameters& parameters, std::size_t memory);

/// attend() with keys and values from their sources: of inputs.key and inputs.value only shape, dtype and name are
/// looked at. Tells execution.progress of each block.
AttendResult attend_stored(const AttendInputs& inputs, const StoredDatabase& database,
                           const AttendParameters& parameters, const AttendRequest& request,
                           const Execution& execution);

}  // namespace attn
