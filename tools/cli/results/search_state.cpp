#include "cli/results/search_state.hpp"

#include <attn/attention/state.hpp>
#include <attn/core/values.hpp>

namespace cli {

namespace {

constexpr const char* group = "search";
constexpr const char* search_format = "search-state 1";

std::string hash_of_best(const attn::SearchResult& best) { return hash_of(best.scores) + ' ' + hash_of(best.keys); }

}  // namespace

std::vector<Result> search_results(const SearchState& state) {
  return {{"search/scores", state.best.scores}, {"search/keys", state.best.keys}};
}

GroupAttributes search_attributes(const SearchState& state) {
  return {{group, part_attributes(search_format, state.header,
                                  {{"keys", number_of(state.keys)},
                                   {"leaf", number_of(attn::leaf_keys)},
                                   {"first", number_of(state.first)},
                                   {"last", number_of(state.last)},
                                   {"dtype", attn::scalar_of(attn::name_of(state.dtype))},
                                   {"content", attn::scalar_of(hash_of_best(state.best))}})}};
}

bool has_search(const attn::Source& source) { return source.has_group(group); }

SearchState read_search(attn::Source& source) {
  const PartAttributes attributes(source, group, search_format, "search: attend --emit state,topk=K writes one");
  if (attributes.number("leaf") != attn::leaf_keys) attributes.refuse("has leaves of another number of keys");
  SearchState state{attributes.header(),
                    attributes.number("keys"),
                    attributes.number("first"),
                    attributes.number("last"),
                    attn::dtype_from_name(attributes.text("dtype")),
                    {source.read("search/scores"), source.read("search/keys")}};
  if (attributes.text("content") != hash_of_best(state.best))
    attributes.refuse("is damaged: its state is not what was written; delete it and run its shard again");
  return state;
}

}  // namespace cli
