#pragma once
// Search in a database: the keys with the largest scores for each query. Nothing is pooled.

#include <attn/attention/parameters.hpp>
#include <attn/core/execution.hpp>

#include <optional>

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

}  // namespace attn
