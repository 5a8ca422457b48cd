#pragma once
// The file of a search in some keys: what attend --emit state,topk=K writes, and what tmerge reads and writes.
//
// Datasets: search/scores (L, K) f64, the best first, and search/keys (L, K) i64, numbered over all keys. All else is
// in the attributes of the group `search`.

#include "cli/results/part.hpp"

#include <attn/attention/search.hpp>

namespace cli {

/// The best of the keys in leaves [first, last).
struct SearchState {
  PartHeader header;
  std::size_t keys = 0;  ///< of the whole
  std::size_t first = 0, last = 0;
  attn::DType dtype = attn::DType::f64;  ///< of the scores of a single run
  attn::SearchResult best;
};

std::vector<Result> search_results(const SearchState& state);
GroupAttributes search_attributes(const SearchState& state);

/// Is it such a file?
bool has_search(const attn::Source& source);
/// Throws Error(data) naming the file if it is damaged.
SearchState read_search(attn::Source& source);

}  // namespace cli
