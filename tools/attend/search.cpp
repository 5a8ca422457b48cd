#include "attend/part.hpp"
#include "attend/sources.hpp"
#include "attend/value_lines.hpp"
#include "cli/results.hpp"

#include <attn/attention/attend.hpp>
#include <attn/attention/search.hpp>
#include <attn/attention/state.hpp>
#include <attn/core/error.hpp>
#include <attn/core/values.hpp>

#include <algorithm>

namespace attend_tool {
namespace {

/// Only topk=K, or the state of it.
bool emits_top_alone(const Options& o) {
  const std::size_t others = o.output.wants("state") ? 1 : 0;
  return o.output.emit.size() == 1 + others && o.output.emitted_number("topk") > 0 && !o.explain;
}

bool has_no_values(const Options& o) {
  return !o.value.given() && o.query.given() && o.key.given() && o.input.text.empty();
}

/// The search in blocks or in memory; with masks or heads, attention without values.
attn::SearchResult found(const attn::AttendInputs& in, const std::optional<attn::StoredKeys>& stored,
                         const attn::AttendParameters& parameters, std::size_t top, const attn::Execution& execution) {
  if (attn::can_search(in, parameters)) return attn::search(in, parameters, top, stored, execution);
  attn::AttendRequest request;
  request.top = top;
  const attn::AttendResult result = attend(in, parameters, request, execution);
  return {*result.top_weights, *result.top_keys};
}

/// Keys, and values without columns.
attn::StoredDatabase database_of(const attn::StoredKeys& stored, DatabaseInMemory& memory) {
  attn::StoredDatabase database = memory.database();
  database.key = stored.key;
  database.block_keys = std::max(stored.block_keys / attn::leaf_keys, std::size_t{1}) * attn::leaf_keys;
  return database;
}

/// --emit state,topk=K: the best of the shard's keys. Of stored keys, only these are read.
void write_search(const Options& o, attn::AttendInputs& in, const std::optional<attn::StoredTensor>& key,
                  const attn::AttendParameters& parameters, cli::Session& session) {
  cli::expect_state_file(o.output, "--emit state", session);
  if (!attn::can_search(in, parameters))
    throw attn::Error(attn::ErrorKind::usage, "--emit",
                      "state,topk=K is for queries (L, d) and keys (S, d) of numbers, without masks, heads or a past");
  const std::size_t keys = in.key.shape[0], top = o.output.emitted_number("topk");
  cli::PartHead head(cli::PartKind::top, "keys", attn::leaf_keys, keys, o.shard.value_or(cli::Shard{}));
  head.more["dtype"] = attn::scalar_of(attn::name_of(attn::compute_dtype(in.query.dtype)));
  settle_options(in, parameters, session);
  session.settle("the number of best keys", std::to_string(top));
  std::optional<attn::StoredKeys> stored_keys;
  if (key) {
    const std::size_t block = attn::searched_within(in, attn::Execution::memory_left());
    stored_keys = {*key, block > 0 ? block : std::max<std::size_t>(keys, 1)};
  }
  const attn::SearchResult best =
      attn::search_part(in, parameters, top, stored_keys, head.begin(), head.stop(), session.execution());
  cli::write_part(o.output, std::move(head), {{"part/scores", best.scores}, {"part/keys", best.keys}}, session);
}

}  // namespace

bool prints_lines(const Options& o) {
  return emits_top_alone(o) && !o.output.wants("state") && o.value.given() && are_lines(o.value.text);
}

bool searches(const Options& o) { return emits_top_alone(o) && (has_no_values(o) || prints_lines(o)); }

void search(const Options& o, cli::Session& session) {
  std::optional<QueryRows> rows;
  if (o.shard && !o.output.wants("state")) rows.emplace(o, o.attention.parameters.layout, session);
  const std::optional<attn::StoredTensor> key = stored(o.key, o, session.inputs);
  attn::AttendInputs in{rows ? rows->read_queries() : session.widened(session.read(source_of(o.query, o))),
                        key ? unread(*key) : session.read(source_of(o.key, o)),
                        {}};
  attn::AttendParameters parameters =
      cli::read_attention_options(rows ? rows->shared_options() : o.attention, session, in);
  if (!parameters.normalize) parameters.normalize = attn::Normalize::none;
  attn::Shape nothing = in.key.shape;
  if (!nothing.empty()) nothing.back() = 0;
  in.value = attn::Tensor::zeros(attn::DType::f64, nothing).view();
  if (rows) rows->read_masks(in, parameters);
  if (o.output.wants("state")) return write_search(o, in, key, parameters, session);
  std::vector<std::string> lines;
  if (prints_lines(o)) lines = values_of(o, in.key, session);
  std::optional<attn::StoredKeys> stored_keys;
  if (key) {
    const std::size_t block =
        attn::can_search(in, parameters) ? attn::searched_within(in, attn::Execution::memory_left()) : 0;
    if (block > 0) {
      session.report.detail("keys are read " + std::to_string(block) + " at a time");
      stored_keys = {*key, block};
    } else {
      in.key = session.read(source_of(o.key, o));
    }
  }
  const attn::SearchResult result =
      found(in, stored_keys, parameters, o.output.emitted_number("topk"), session.execution());
  if (!prints_lines(o)) {
    std::vector<cli::Result> results{{"topk", result.scores}, {"topk-keys", result.keys}};
    if (!rows) return session.write(o.output, results);
    DatabaseInMemory memory(in.key, in.value);
    std::optional<attn::StoredDatabase> database;
    if (stored_keys) database = database_of(*stored_keys, memory);
    return rows->write(std::move(results), in, parameters, database);
  }
  session.results.end_dry_run();
  print_lines(lines, result, o.output.options.precision, session.results);
}

}  // namespace attend_tool
