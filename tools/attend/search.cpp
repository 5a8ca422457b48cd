#include "attend/sources.hpp"
#include "cli/number_text.hpp"
#include "cli/options/text_lines.hpp"
#include "cli/results.hpp"

#include <attn/attention/attend.hpp>
#include <attn/attention/search.hpp>
#include <attn/core/ascii.hpp>
#include <attn/core/error.hpp>
#include <attn/io/operand.hpp>
#include <attn/io/output.hpp>

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

bool emits_top_alone(const Options& o) {
  return o.output.emit.size() == 1 && o.output.emit.front().rfind("topk=", 0) == 0 && !o.explain;
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
attn::SearchResult found(const Options& o, attn::AttendInputs& in, const std::optional<attn::StoredTensor>& key,
                         const attn::AttendParameters& parameters, cli::Session& session) {
  const std::size_t top = o.output.emitted_number("topk");
  const bool can = attn::can_search(in, parameters);
  if (key && can)
    if (const std::size_t block = attn::searched_within(in, attn::Execution::memory_left())) {
      session.report.detail("keys are read " + std::to_string(block) + " at a time");
      return attn::search(in, parameters, top, attn::StoredKeys{*key, block}, session.execution());
    }
  if (key) in.key = session.read(source_of(o.key, o));
  if (can) return attn::search(in, parameters, top, std::nullopt, session.execution());
  attn::Shape nothing = in.key.shape;
  nothing.back() = 0;
  in.value = attn::Tensor::zeros(attn::DType::f64, nothing).view();
  attn::AttendRequest request;
  request.top = top;
  const attn::AttendResult result = attend(in, parameters, request, session.execution());
  return {*result.top_weights, *result.top_keys};
}

}  // namespace

bool prints_lines(const Options& o) { return emits_top_alone(o) && o.value.given() && are_lines(o.value.text); }

bool searches(const Options& o) { return emits_top_alone(o) && (has_no_values(o) || prints_lines(o)); }

void search(const Options& o, cli::Session& session) {
  const std::optional<attn::StoredTensor> key = stored(o.key, o, session.inputs);
  attn::AttendInputs in{
      session.widened(session.read(source_of(o.query, o))), key ? unread(*key) : session.read(source_of(o.key, o)), {}};
  attn::AttendParameters parameters = cli::read_attention_options(o.attention, session, in);
  if (!parameters.normalize) parameters.normalize = attn::Normalize::none;
  std::vector<std::string> lines;
  if (prints_lines(o)) lines = values_of(o, in.key, session);
  const attn::SearchResult result = found(o, in, key, parameters, session);
  if (!prints_lines(o)) return session.write(o.output, {{"topk", result.scores}, {"topk-keys", result.keys}});
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
