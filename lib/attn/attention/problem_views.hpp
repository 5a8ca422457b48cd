#pragma once
// Queries, keys and values as (batch, head, row, column), whatever the caller gave. Private to make_problem().

#include <attn/attention/problem.hpp>

namespace attn {

/// x under its own name, or this one where it has none.
inline TensorView named(const TensorView& x, const char* name) { return x.name.empty() ? renamed(x, name) : x; }

/// All tensors that views are made of, with a name.
AttendInputs named_inputs(AttendInputs in);

/// past and present (B, H_kv, P + S, d), copied into one of that dtype; one of them may have one batch for all.
TensorView joined(const TensorView& past, const TensorView& present, DType dtype);

/// The tensors of a problem.
struct ProblemViews {
  TensorView query, key, value;  ///< (B, H, L, d), one dtype
  std::size_t past = 0;          ///< how many keys lie before the ones given
};

/// The query as (B, H, L, d).
TensorView query_view(const AttendInputs& in, const AttendParameters& p, DType dtype);

/// Keys or values as (B, H_kv, S, d), in their own dtype.
TensorView key_view(const TensorView& x, const AttendParameters& p);

ProblemViews resolve_views(const AttendInputs& in, const AttendParameters& p);

/// The same without elements: shapes alone, of which nothing is copied.
ProblemViews shaped_views(const AttendInputs& in, const AttendParameters& p);

/// Checks the views against each other, in the words of what was given, and spreads a database of one batch.
AttentionSizes sizes_of(ProblemViews& v, const AttendInputs& in, const AttendParameters& p);

/// A database of one batch serves all batches of queries.
TensorView for_batch(const TensorView& x, std::size_t batch, const TensorView& given, const TensorView& query);

}  // namespace attn
