#include "cli/results/search_state.hpp"
#include "tmerge/parts.hpp"

#include <attn/attention/state.hpp>
#include <attn/core/error.hpp>

#include <algorithm>

namespace tmerge {

void merge_searches(const Options& o, Files& files, cli::Session& session) {
  if (o.key.given())
    throw attn::Error(attn::ErrorKind::usage, "-k", "is for states and rows: a search has no hash of its keys");
  std::vector<Part> parts;
  std::vector<Piece> pieces;
  cli::SearchState merged;
  for (std::size_t file = 0; file < files.size(); ++file) {
    attn::Source& source = files.open(file);
    const cli::SearchState state = cli::read_search(source);
    if (parts.empty()) merged = state;
    parts.push_back({source.label(), state.header});
    expect_same(parts.back(), parts.front(), o, session.report);
    if (state.keys != merged.keys)
      refuse(parts.back(), parts.front(), "the number of keys", std::to_string(state.keys), std::to_string(merged.keys),
             "give all jobs all keys, which --shard I/N cuts");
    if (parts.size() > 1) merged.best = attn::best_of(merged.best, state.best);
    if (state.first < state.last) pieces.push_back({file, 0, state.first, state.last});
  }
  const Whole whole{"keys", merged.keys, attn::leaf_keys};
  pieces = in_order(std::move(pieces), parts, whole);
  if (o.list_missing) return list_missing(pieces, parts, whole, session.results);
  if (o.output.wants("lse"))
    throw attn::Error(attn::ErrorKind::usage, "--emit", "lse is for states of attention, not of a search");
  if (o.output.wants("state")) {
    cli::expect_state_file(o.output, "--emit state", session);
    if (!pieces.empty()) {
      merged.first = pieces.front().first;
      merged.last = pieces.back().end;
      merged.header.instruction_set = instruction_set_of(parts);
      expect_none_missing(pieces, parts, whole, merged.first, merged.last);
    }
    return session.write(o.output, cli::search_results(merged), cli::search_attributes(merged));
  }
  expect_none_missing(pieces, parts, whole, 0, whole.units());
  session.write(o.output, {{"topk", attn::cast(merged.best.scores, merged.dtype)}, {"topk-keys", merged.best.keys}});
}

}  // namespace tmerge
