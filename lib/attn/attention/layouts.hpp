#pragma once
// Queries, keys and values as (batch, head, row, column), from every layout of the caller.

#include <attn/attention/parameters.hpp>

namespace ATTN_API attn {

/// x under its own name, or under this one if it has none.
inline TensorView named(const TensorView& x, const char* name) { return x.name.empty() ? renamed(x, name) : x; }

/// x itself if it has that dtype, else converted.
inline TensorView stored_as(const TensorView& x, DType dtype) { return x.dtype == dtype ? x : cast(x, dtype); }

/// x (B or 1, ...) as x (batch, ...).
TensorView spread(TensorView x, std::size_t batch);

/// Keys or values, (B, H_kv, S, d), in their own dtypes, with or without a past.
struct GivenRows {
  std::optional<TensorView> past;  ///< past or present may have one batch for all
  TensorView present;

  std::size_t before() const { return past ? past->shape[2] : 0; }
  std::size_t count() const { return before() + present.shape[2]; }
  std::size_t batch() const { return past && past->shape[0] != 1 ? past->shape[0] : present.shape[0]; }
  /// Rows [first, last) of past and present: in place, or copied as `dtype` if they are from both.
  TensorView part(std::size_t first, std::size_t last, DType dtype) const;
};

/// The views of a problem.
struct ProblemViews {
  DType dtype;       ///< of the problem: the common floating type, else the widest computing type
  TensorView query;  ///< (B, H, L, d), of that dtype
  GivenRows key, value;
  AttentionSizes sizes;
};

/// All views, checked against each other: Error(data) names the tensor that does not fit and its shape as given. Only
/// shape and dtype of keys and values are used.
ProblemViews views_of(const AttendInputs& inputs, const AttendParameters& parameters);

/// Keys or values as (B, H_kv, S, d), in their own dtype.
TensorView key_view(const TensorView& x, const AttendParameters& parameters);

}  // namespace attn
