#include "attend/value_lines.hpp"

#include "attend/sources.hpp"
#include "cli/number_text.hpp"
#include "cli/options/text_lines.hpp"

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

}  // namespace

bool are_lines(const std::string& text) {
  const attn::io::Operand operand = attn::io::parse_operand(text);
  if (is_column(operand)) return true;
  if (operand.literal || operand.is_part() || !operand.dataset.empty()) return false;
  const std::string name = attn::lower_case(operand.source.substr(operand.source.rfind('/') + 1));
  const auto ends = [&](const char* suffix) { return attn::ends_with(name, suffix); };
  return ends(".txt") || ends(".log") || ends(".jsonl") || name.find('.') == std::string::npos;
}

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

void print_lines(const std::vector<std::string>& lines, const attn::SearchResult& result, int precision,
                 cli::Results& results) {
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

}  // namespace attend_tool
