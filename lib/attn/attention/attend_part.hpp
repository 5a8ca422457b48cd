#pragma once
// A part of the keys of one attention, for many machines: each computes the state of its keys, and the states of all
// parts finish to the bits of one run.

#include <attn/attention/attend_stored.hpp>
#include <attn/attention/state.hpp>
#include <attn/core/hash.hpp>

#include <vector>

namespace ATTN_API attn {

/// What the last step of an attention needs besides the state.
struct StateFinish {
  Normalize normalize = Normalize::softmax;
  bool has_lse = true;        ///< a softmax of scores
  std::vector<double> sinks;  ///< (H), or none
  EmptyRows empty = EmptyRows::zero;
  DType compute = DType::f64, stored = DType::f64;  ///< f32 or f64; the type of the results
  Shape shape;                                      ///< of the pooled values
  bool has_heads_last = false;                      ///< heads lie after queries in them: packed, or (B, L, H, d_v)
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
