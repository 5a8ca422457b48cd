#include "attend/options.hpp"
#include "attend/part.hpp"
#include "cli/numbers.hpp"
#include "cli/options/text_lines.hpp"
#include "cli/result_writer.hpp"

#include <attn/attention/attend.hpp>
#include <attn/attention/search.hpp>
#include <attn/attention/state.hpp>
#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/operand.hpp>
#include <attn/io/output.hpp>

#include <algorithm>
#include <cstring>

namespace attend_tool {
namespace {

using attn::DType;

const attn::TensorView& text_of(const attn::AttendInputs& in) {
  return in.query.dtype == DType::string ? in.query : in.key.dtype == DType::string ? in.key : in.value;
}

/// Rows of text as lines, columns between commas.
void print_rows(const attn::TensorView& text, std::size_t rows, cli::ResultWriter& results) {
  const auto* cells = text.contiguous_data<std::string>();
  const std::size_t columns = text.rank() > 1 ? text.size() / std::max<std::size_t>(rows, 1) : 1;
  for (std::size_t i = 0; i < rows; ++i)
    results.print(attn::listed(std::vector<std::string>(cells + i * columns, cells + (i + 1) * columns), ","));
}

/// A column of a table: "books.csv:/title".
bool is_column(const attn::io::Operand& operand) {
  const auto format = attn::io::format_from_path(operand.source);
  return !operand.dataset.empty() && (format == attn::io::Format::csv || format == attn::io::Format::tsv);
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

/// -v is lines of text: a file that is called so, or a column of a table.
bool are_lines(const std::string& text) {
  const attn::io::Operand operand = attn::io::parse_operand(text);
  if (is_column(operand)) return true;
  if (operand.literal || operand.is_part() || !operand.dataset.empty()) return false;
  const std::string name = attn::lower_case(operand.source.substr(operand.source.rfind('/') + 1));
  const auto ends = [&](const char* suffix) { return attn::ends_with(name, suffix); };
  return ends(".txt") || ends(".log") || ends(".jsonl") || name.find('.') == std::string::npos;
}

/// The rows of columns of a table, "books.csv:/title,author", with tabs between the cells.
std::vector<std::string> rows_of(const cli::Input& columns, cli::Session& session) {
  std::vector<std::string> rows;
  for (const cli::Input& some : session.inputs.columns_by_kind(columns)) {
    const attn::TensorView read = session.read(some);
    const std::vector<std::string> cells = cells_of(read);
    const std::size_t count = read.shape.empty() ? 1 : read.shape[0];
    const bool is_first = rows.empty();
    rows.resize(count);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      std::string& row = rows[i / (cells.size() / count)];
      if (!is_first || i % (cells.size() / count) > 0) row += '\t';
      row += cells[i];
    }
  }
  return rows;
}

/// The lines of -v, one for each key.
std::vector<std::string> values_of(const Options& o, const attn::TensorView& key, cli::Session& session) {
  const cli::Input source = source_of(o.value, o);
  const bool is_of_table = is_column(session.inputs.parse(o.value.text));
  std::vector<std::string> lines =
      is_of_table ? rows_of(source, session) : cli::TextLines(source, session.inputs).all();
  const std::size_t keys = key.rank() == 0 ? 0 : key.shape[key.rank() > 1 ? key.rank() - 2 : 0];
  const std::string what = is_of_table ? "row" : "line";
  if (lines.size() != keys)
    throw attn::Error(attn::ErrorKind::data, o.value.text,
                      "has " + std::to_string(lines.size()) + ' ' + what + "s, the keys " + key.name + " " +
                          attn::to_string(key.shape) + " have " + std::to_string(keys) + " rows",
                      "one " + what + " belongs to one key");
  return lines;
}

/// "SCORE<tab>LINE" for the best keys of each query, with an empty line between queries.
void print_lines(const std::vector<std::string>& lines, const attn::SearchResult& result, int precision,
                 cli::ResultWriter& results) {
  attn::visit_compute_dtype(result.scores.dtype, [&](auto element) {
    const auto* const scores = result.scores.contiguous_data<decltype(element)>();
    const auto* const keys = result.keys.contiguous_data<std::int64_t>();
    for (std::size_t i = 0; i < result.keys.size(); ++i) {
      if (i > 0 && i % result.keys.shape.back() == 0) results.print("");
      if (keys[i] < 0) continue;
      results.print(cli::number_text(scores[i], precision) + '\t' + lines[static_cast<std::size_t>(keys[i])]);
    }
  });
}

/// A row for each key that was found, which JSON shows as an object: query (its index, several where queries have more
/// axes), score, key and, where -v has lines, value.
std::vector<cli::Result> rows_of(const std::vector<std::string>& lines, const attn::SearchResult& found) {
  const auto* const numbers = found.keys.contiguous_data<std::int64_t>();
  const attn::TensorView all_scores = contiguous(found.scores);
  attn::Shape queries = found.keys.shape;
  const std::size_t top = queries.empty() ? 1 : queries.back();
  if (!queries.empty()) queries.pop_back();
  std::vector<std::int64_t> query, key;
  std::vector<std::string> value;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < found.keys.size(); ++i) {
    if (numbers[i] < 0) continue;  // fewer keys are left
    const std::size_t at = query.size();
    query.resize(at + queries.size());
    std::size_t rest = i / top;
    for (std::size_t axis = queries.size(); axis-- > 0; rest /= queries[axis])
      query[at + axis] = static_cast<std::int64_t>(rest % queries[axis]);
    key.push_back(numbers[i]);
    if (!lines.empty()) value.push_back(lines[static_cast<std::size_t>(numbers[i])]);
    places.push_back(i);
  }
  const std::size_t rows = key.size();
  attn::Tensor scores(found.scores.dtype, {rows});
  const std::size_t bytes = attn::element_size(found.scores.dtype);
  for (std::size_t i = 0; i < rows; ++i)
    std::memcpy(static_cast<char*>(scores.data()) + i * bytes,
                static_cast<const char*>(all_scores.data) + places[i] * bytes, bytes);
  const attn::TensorView index = attn::vector_of(query);
  std::vector<cli::Result> results{
      {"query", queries.size() < 2 ? index : attn::reshaped(index, {rows, queries.size()})},
      {"score", scores.view()},
      {"key", attn::vector_of(key)}};
  if (!lines.empty()) results.push_back({"value", attn::vector_of(value)});
  return results;
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

}  // namespace

void look_up(const Options& options, const attn::AttendInputs& inputs, cli::Session& session) {
  attn::AttendInputs in = inputs;
  const bool text_keys = in.query.dtype == DType::string || in.key.dtype == DType::string;
  if (options.output.emitted_number("topk") > 0 && options.value.given() && !text_keys)
    throw attn::Error(attn::ErrorKind::usage, options.value.text,
                      "is text" + attn::such_as(in.value) + ", and --emit topk prints lines and rows of named columns",
                      "name the columns of a table, as in " +
                          options.value.text.substr(0, options.value.text.find(":/")) +
                          ":/0, and write lines into a file FILE.txt");
  if (options.attention.parameters.normalize != attn::Normalize::hard)
    throw attn::Error(attn::ErrorKind::usage, text_of(in).name,
                      "is text" + attn::such_as(text_of(in)) + ", which has no scores and no mean",
                      "use --normalize hard to look it up");
  if (options.explain || !options.output.emit.empty())
    throw attn::Error(attn::ErrorKind::usage, options.explain ? "--explain" : "--emit",
                      "is for numbers: a look-up of text gives only the row that was found", "leave it out");
  const attn::AttendParameters& asked = options.attention.parameters;
  if (asked.causal || asked.causal_bottom_right || asked.window)
    throw attn::Error(attn::ErrorKind::usage, "masks", "do not apply to a look-up of text",
                      "leave out --causal and --window");
  std::vector<std::optional<std::size_t>> rows;
  if (!options.nearest) {
    rows = attn::find_exact(in.query, in.key);
  } else if (text_keys) {
    rows = attn::find_nearest_text(in.query, in.key);
  } else {
    attn::AttendParameters parameters = cli::read_attention_options(options.attention, session, in);
    parameters.heads = parameters.kv_heads = std::nullopt;  // rows are looked up whole
    rows = attn::find_best(in, parameters, session.execution());
  }
  if (std::any_of(rows.begin(), rows.end(), [](const auto& row) { return !row; })) session.report.say_no();
  const attn::TensorView found = attn::take_rows(in.value, in.key, rows);
  if (found.dtype != DType::string || cli::names_tensors(options.output)) return session.write(options.output, found);
  session.results.become_text();
  print_rows(found, rows.size(), session.results);
}

bool prints_lines(const Options& o) {
  return o.output.emit.size() == 1 && o.output.emitted_number("topk") > 0 && !o.explain && o.value.given() &&
         are_lines(o.value.text);
}

void write_search_state(const Options& o, const Problem& problem, cli::Session& session) {
  const auto& [in, parameters, key, value, rows] = problem;
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

void search(const Options& o, Problem problem, cli::Session& session) {
  auto& [in, parameters, key, value, rows] = problem;
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
      read_database(problem, o, session);
    }
  }
  const attn::SearchResult result =
      found(in, stored_keys, parameters, o.output.emitted_number("topk"), session.execution());
  if (o.output.json && cli::format_of(o.output) == attn::io::Format::jsonl && !rows)
    return session.write(o.output, rows_of(lines, result));
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
