#include "attend/options.hpp"
#include "cli/results.hpp"

#include <attn/attention/search.hpp>
#include <attn/core/error.hpp>

#include <algorithm>

namespace attend_tool {

using attn::DType;

namespace {

const attn::TensorView& text_of(const attn::AttendInputs& in) {
  return in.query.dtype == DType::string ? in.query : in.key.dtype == DType::string ? in.key : in.value;
}

/// Rows of text as lines, columns between commas.
void print_rows(const attn::TensorView& text, std::size_t rows, cli::Results& results) {
  const auto* cells = text.contiguous_data<std::string>();
  const std::size_t columns = text.rank() > 1 ? text.size() / std::max<std::size_t>(rows, 1) : 1;
  for (std::size_t i = 0; i < rows; ++i)
    results.print(attn::listed(std::vector<std::string>(cells + i * columns, cells + (i + 1) * columns), ","));
}

}  // namespace

void look_up(const Options& options, const attn::AttendInputs& inputs, cli::Session& session) {
  attn::AttendInputs in = inputs;
  const bool text_keys = in.query.dtype == DType::string || in.key.dtype == DType::string;
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

}  // namespace attend_tool
