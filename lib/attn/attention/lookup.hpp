#pragma once
// Attention with all weight on one key, which makes the database of keys and values a look-up table.

#include <attn/attention/parameters.hpp>
#include <attn/core/execution.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace ATTN_API attn {

/// For each query, the row of the first key that equals it; none if no key does. Text (L) against text (S), or vectors
/// (L, d) against vectors (S, d), where (L) is a column. Throws Error(data) naming the tensor that does not fit. NaN
/// equals nothing.
std::vector<std::optional<std::size_t>> find_exact(const TensorView& query, const TensorView& key);

/// For each query, the row of the first key with the smallest edit distance; none without keys.
std::vector<std::optional<std::size_t>> find_nearest_text(const TensorView& query, const TensorView& key);

/// For each query (L, d), the row of the first key (S, d) with the best score among those that are not excluded.
std::vector<std::optional<std::size_t>> find_best(const AttendInputs& inputs, const AttendParameters& parameters,
                                                  const Execution& execution);

/// Rows of x, of any dtype, (S) or (S, d) for the keys (S): one for each entry; empty text, or NaN, for none. Throws
/// Error(data) if keys and x have different numbers of rows.
TensorView take_rows(const TensorView& x, const TensorView& key, const std::vector<std::optional<std::size_t>>& rows);

}  // namespace attn
