#pragma once
// Attention pooling: every score, mask and normaliser behind one function, over tensors in memory, in files, and over a
// part of the keys.

#include <attn/attention/parameters.hpp>
#include <attn/attention/state.hpp>
#include <attn/core/execution.hpp>
#include <attn/core/hash.hpp>

#include <vector>

namespace ATTN_API attn {

/// Attention(q, D) = sum_i alpha(q, k_i) v_i over D = {(k_i, v_i)}.
///
/// Order of operations: score, scale, softcap, bias and mask, normalise, pool. Computes in the widest of the inputs'
/// types and returns the query's. Throws Error(data) naming the tensor whose shape does not fit, and Error(usage) for
/// parameters that exclude each other. Source: Vaswani et al. 2017, section 3.2.1; Nadaraya 1964; Watson 1964.
AttendResult attend(const AttendInputs& inputs, const AttendParameters& parameters, const AttendRequest& request = {},
                    const Execution& execution = {});

// Attention over keys and values that stay in their files: they are read a block at a time, for the same tree of
// states as in memory, so the same bits.

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

// A part of the keys of one attention, for many machines: each computes the state of its keys, and the states of all
// parts finish to the bits of one run.

/// What the last step of an attention needs besides the state.
struct StateFinish {
  Normalize normalize = Normalize::softmax;
  bool has_lse = true;        ///< a softmax of scores
  std::vector<double> sinks;  ///< (H), or none
  EmptyRows empty = EmptyRows::zero;
  DType compute = DType::f64, stored = DType::f64;  ///< f32 or f64; the type of the results
  Shape shape;                                      ///< of the pooled values
  Layout layout = Layout::batch_first;              ///< of them, with an axis for packed heads
  Shape lse_shape;
};

struct AttentionPart {
  AttentionSizes sizes;
  AttentionState state;
  std::vector<Digest> content;  ///< for each node, the xor of a hash for each leaf: its number, keys and values
  StateFinish finish;
};

/// The state of some leaves of a stored database, for what attend_stored() can compute; only their keys and values are
/// read.
AttentionPart attend_part(const AttendInputs& inputs, const StoredDatabase& database,
                          const AttendParameters& parameters, const LeafRange& leaves, const Execution& execution);

/// The hash of each leaf, as computed with in a problem of that dtype (ProblemViews): AttentionPart::content is the xor
/// of those of a node. Keys and values have at least one axis.
std::vector<Digest> contents_of(const StoredDatabase& database, const AttendParameters& parameters, DType dtype,
                                const Execution& execution);

/// The pooled values, and the log-sum-exp if requested, of the state of all keys: the bits of attend(). Throws
/// Error(data) if the state does not fit the shapes.
AttendResult finish(AttentionState state, const StateFinish& finish, bool lse, const Execution& execution);

}  // namespace attn
