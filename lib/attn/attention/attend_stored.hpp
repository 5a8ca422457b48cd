#pragma once
// Attention over keys and values that stay in their files: they are read a block at a time, for the same tree of
// states as in memory, so the same bits.

#include <attn/attention/parameters.hpp>
#include <attn/core/execution.hpp>

namespace ATTN_API attn {

/// The stored database. Blocks of keys are multiples of leaf_keys (state.hpp).
struct StoredDatabase {
  StoredTensor key, value;
  std::size_t block_keys = 0;  ///< keys at a time
};

/// Can attend_stored() compute the request? It gives the pooled values, except of the normaliser `hard`, and the
/// log-sum-exp, without a past; all other results need all keys of a query at once.
bool can_attend_stored(const AttendInputs& inputs, const AttendParameters& parameters, const AttendRequest& request,
                       const Execution& execution);

/// The number of keys that attend_stored() can read at a time within `memory` bytes in addition to the inputs that are
/// read, at least one leaf; 0: all keys.
std::size_t keys_within(const AttendInputs& inputs, const AttendParameters& parameters, std::size_t memory);

/// attend() with keys and values from their sources: only shape, dtype and name of inputs.key and inputs.value are
/// used. Reports each block to execution.progress.
AttendResult attend_stored(const AttendInputs& inputs, const StoredDatabase& database,
                           const AttendParameters& parameters, const AttendRequest& request,
                           const Execution& execution);

}  // namespace attn
