#include "attend/part.hpp"
#include "attend/sources.hpp"
#include "cli/number_text.hpp"
#include "cli/options/text_lines.hpp"
#include "cli/results.hpp"
#include "cli/results/search_state.hpp"

#include <attn/attention/attend.hpp>
#include <attn/attention/search.hpp>
#include <attn/attention/state.hpp>
#include <attn/core/ascii.hpp>
#include <attn/core/error.hpp>
#include <attn/io/operand.hpp>
#include <attn/io/output.hpp>

#include <algorithm>

namespace attend_tool {

namespace {

/// A column of a table: "books.csv:/title".
bool is_column(const attn::io::Operand& operand) {
  const auto format = attn::io::format_from_path(operand.source);
  return !operand.dataset.empty() && (format == attn::io::Format::csv || format == attn::io::Format::tsv);
}

/// -v is lines of text: a file that is called so, or a column of a table.
bool are_lines(const std::string& text) {
  const attn::io::Operand operand = attn::io::parse_operand(text);
  if (is_column(operand)) return true;
  if (operand.literal || operand.is_part() || !operand.dataset.empty()) return false;
  const std::string name = attn::lower_case(operand.source.substr(operand.source.rfind('/') + 1));
  const auto ends = [&](const char* suffix) { return attn::ends_with(name, suffix); };
  return ends(".txt") || ends(".log") || ends(".jsonl") || name.find('.') == std::string::npos;
}

/// The cells of a column.
std::vector<std::string> cells_of(const attn::TensorView& column) {
  std::vector<std::string> cells;
  if (column.dtype == attn::DType::string) {
    const auto* const text = column.contiguous_data<std::string>();
    cells.assign(text, text + column.size());
  } else {
    const attn::TensorView wide = contiguous(cast(column, attn::DType::f64));
    for (std::size_t i = 0; i < wide.size(); ++i)
      cells.push_back(cli::number_text(wide.contiguous_data<double>()[i], 0));
  }
  return cells;
}

/// Only topk=K, or the state of it.
bool emits_top_alone(const Options& o) {
  const std::size_t others = o.output.wants("state") ? 1 : 0;
  return o.output.emit.size() == 1 + others && o.output.emitted_number("topk") > 0 && !o.explain;
}

bool has_no_values(const Options& o) {
  return !o.value.given() && o.query.given() && o.key.given() && o.input.text.empty();
}

/// The lines of -v, one for each key.
std::vector<std::string> values_of(const Options& o, const attn::TensorView& key, cli::Session& session) {
  const cli::Input source = source_of(o.value, o);
  std::vector<std::string> lines = is_column(session.inputs.parse(o.value.text))
                                       ? cells_of(session.read(source))
                                       : cli::TextLines(source, session.inputs).all();
  const std::size_t keys = key.rank() == 0 ? 0 : key.shape[key.rank() > 1 ? key.rank() - 2 : 0];
  if (lines.size() != keys)
    throw attn::Error(attn::ErrorKind::data, o.value.text,
                      "has " + std::to_string(lines.size()) + " lines, the keys " + key.name + " " +
                          attn::to_string(key.shape) + " have " + std::to_string(keys) + " rows",
                      "one line belongs to one key");
  return lines;
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
  const std::size_t keys = in.key.shape[0], leaves = attn::leaves_of(keys);
  const cli::Shard shard = o.shard.value_or(cli::Shard{});
  cli::SearchState state;
  state.header = cli::part_header(session.execution().isa, options_of(in, parameters), shard.count);
  state.header.options.emplace_back("the number of best keys", std::to_string(o.output.emitted_number("topk")));
  state.header.options.emplace_back("the hash of the queries", cli::hash_of(in.query));
  state.keys = keys;
  state.first = shard.first_of(leaves);
  state.last = shard.end_of(leaves);
  state.dtype = attn::compute_dtype(in.query.dtype);
  std::optional<attn::StoredKeys> stored_keys;
  if (key) {
    const std::size_t block = attn::searched_within(in, attn::Execution::memory_left());
    stored_keys = {*key, block > 0 ? block : std::max<std::size_t>(keys, 1)};
  }
  state.best =
      attn::search_part(in, parameters, o.output.emitted_number("topk"), stored_keys, state.first * attn::leaf_keys,
                        std::min(state.last * attn::leaf_keys, keys), session.execution());
  session.write(o.output, cli::search_results(state), cli::search_attributes(state));
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
  attn::visit_compute_dtype(result.scores.dtype, [&](auto element) {
    const auto* const scores = result.scores.contiguous_data<decltype(element)>();
    const auto* const keys = result.keys.contiguous_data<std::int64_t>();
    for (std::size_t i = 0; i < result.keys.size(); ++i) {
      if (i > 0 && i % result.keys.shape.back() == 0) session.results.print("");
      if (keys[i] < 0) continue;
      session.results.print(cli::number_text(scores[i], o.output.options.precision) + '\t' +
                            lines[static_cast<std::size_t>(keys[i])]);
    }
  });
}

}  // namespace attend_tool
