#pragma once
// Attention at its sharpest: all weight on one key, which makes the database of keys and values a look-up table.

#include <attn/attention/attend.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace ATTN_API attn {

/// For each query the row of the key that equals it, the first of several; none: no key does.
/// Text (L) against text (S), or vectors (L, d) against vectors (S, d), where (L) is a column. Throws Error(data)
/// naming the tensor that does not fit. NaN equals nothing.
std::vector<std::optional<std::size_t>> find_exact(const TensorView& query, const TensorView& key);

/// For each query the row of the key with the smallest edit distance, the first of several; none: there are no keys.
std::vector<std::optional<std::size_t>> find_nearest_text(const TensorView& query, const TensorView& key);

/// For each query (L, d) the row of the key (S, d) with the best score that the masks leave, the first of several.
std::vector<std::optional<std::size_t>> find_best(const AttendInputs& inputs, const AttendParameters& parameters,
                                                  const Execution& execution);

/// Rows of x, of any dtype, (S) or (S, d) for the keys (S): one for each entry; empty text, or NaN, for none.
/// Throws Error(data) where keys and x differ in their numbers of rows.
TensorView take_rows(const TensorView& x, const TensorView& key,
                     const std::vector<std::optional<std::size_t>>& rows);

}  // namespace attn
