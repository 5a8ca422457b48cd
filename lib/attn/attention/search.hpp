#pragma once
// Search in a database, where nothing is pooled: the keys with the largest scores for each query, and the one key that
// equals a query or is nearest to it.

#include <attn/attention/parameters.hpp>
#include <attn/core/execution.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace ATTN_API attn {

struct SearchResult {
  TensorView scores;  ///< (L, top), largest first, ties by key; 0 if there are fewer keys
  TensorView keys;    ///< (L, top), i64; -1 if there are fewer keys
};

/// Keys that stay in their file and are read a block at a time.
struct StoredKeys {
  StoredTensor key;
  std::size_t block_keys = 0;
};

/// Can search() compute this? Queries (L, d) of numbers, keys (S, d), weights that are the scores (Normalize::none),
/// and no masks, biases or heads.
bool can_search(const AttendInputs& inputs, const AttendParameters& parameters);

/// The number of keys that search() can read at a time within `memory` bytes; 0: all of them.
std::size_t searched_within(const AttendInputs& inputs, std::size_t memory);

/// The `top` largest weights of attend(), and their keys, each key read once: inputs.value is not used, and of
/// inputs.key only shape, dtype and name if the keys are stored. Threads share the keys. The cosine divides the product
/// by the length of the key, where attend() divides the key.
SearchResult search(const AttendInputs& inputs, const AttendParameters& parameters, std::size_t top,
                    const std::optional<StoredKeys>& stored = std::nullopt, const Execution& execution = {});

/// The same for keys [first, last), with scores in f64 and the numbers that the keys have in the whole database: what
/// best_of() needs to give the result of search().
SearchResult search_part(const AttendInputs& inputs, const AttendParameters& parameters, std::size_t top,
                         const std::optional<StoredKeys>& stored, std::size_t first, std::size_t last,
                         const Execution& execution);

/// The best of two parts, in any order of joining, ties by key.
SearchResult best_of(const SearchResult& a, const SearchResult& b);

// Attention with all weight on one key, which makes the database of keys and values a look-up table.

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
