#pragma once
// Queries, keys and values as (batch, head, row, column), whatever the caller gave: what problems are made of.

#include <attn/attention/attend.hpp>

namespace ATTN_API attn {

/// x under its own name, or this one where it has none.
inline TensorView named(const TensorView& x, const char* name) { return x.name.empty() ? renamed(x, name) : x; }

/// x as it is where it is of that dtype, else converted.
inline TensorView stored_as(const TensorView& x, DType dtype) { return x.dtype == dtype ? x : cast(x, dtype); }

/// x (B or 1, ...) as x (batch, ...).
TensorView spread(TensorView x, std::size_t batch);

/// Keys or values, (B, H_kv, S, d), in the dtypes that they have: behind a past, or alone.
struct GivenRows {
  std::optional<TensorView> past;  ///< one of the two may have one batch for all
  TensorView present;

  std::size_t before() const { return past ? past->shape[2] : 0; }
  std::size_t count() const { return before() + present.shape[2]; }
  std::size_t batch() const { return past && past->shape[0] != 1 ? past->shape[0] : present.shape[0]; }
  /// Rows [first, last) of both as one: where they lie, or copied as `dtype` where they are of both parts.
  TensorView part(std::size_t first, std::size_t last, DType dtype) const;
};

/// What a problem is made of.
struct ProblemViews {
  DType dtype;       ///< of the problem: that of all when they agree on a float, else the widest that computes
  TensorView query;  ///< (B, H, L, d), of that dtype
  GivenRows key, value;
  AttentionSizes sizes;
};

/// All of them, checked against each other: Error(data) names the tensor that does not fit, in the words of what was
/// given. Of keys and values no more than shape and dtype are looked at.
ProblemViews views_of(const AttendInputs& inputs, const AttendParameters& parameters);

/// Keys or values as (B, H_kv, S, d), in their own dtype.
TensorView key_view(const TensorView& x, const AttendParameters& parameters);

}  // namespace attn
