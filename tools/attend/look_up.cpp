#include "attend/options.hpp"
#include "cli/result_writer.hpp"

#include <attn/attention/lookup.hpp>
#include <attn/core/error.hpp>
#include <attn/core/text_as_number.hpp>

#include <algorithm>

namespace attend_tool {

using attn::DType;

namespace {

const attn::TensorView& text_of(const attn::AttendInputs& in) {
  return in.query.dtype == DType::string ? in.query : in.key.dtype == DType::string ? in.key : in.value;
}

/// Rows of text as lines, columns between commas.
void print_rows(const attn::TensorView& text, std::size_t rows, cli::Session& session) {
  const auto* cell = text.contiguous_data<std::string>();
  const std::size_t columns = text.rank() > 1 ? text.size() / std::max<std::size_t>(rows, 1) : 1;
  for (std::size_t i = 0; i < rows; ++i) {
    std::string line;
    for (std::size_t c = 0; c < columns; ++c) line += (c > 0 ? "," : "") + *cell++;
    session.print(line);
  }
}

/// Rows are compared as they are: nothing is weighed, but where the nearest vector is looked for.
void expect_used(const Options& options, bool weighs_keys, const cli::Session& session) {
  session.refuse({"--heads", "--kv-heads", "--layout", "--past-key", "--past-value"}, "text is looked up row by row");
  session.refuse({"--explain", "--emit"}, "a look-up of text gives the row that was found and nothing else");
  if (weighs_keys) return;
  std::vector<std::string> of_attention = options.attention.names;
  of_attention.erase(std::remove(of_attention.begin(), of_attention.end(), "--normalize"), of_attention.end());
  of_attention.emplace_back("--engine");
  session.refuse(of_attention, "a look-up of text compares keys and weighs none",
                 "leave it out; --nearest weighs vectors");
}

}  // namespace

void look_up(const Options& options, const attn::AttendInputs& in, const attn::AttendParameters& parameters,
             cli::Session& session) {
  const bool text_keys = in.query.dtype == DType::string || in.key.dtype == DType::string;
  if (parameters.normalize != attn::Normalize::hard)
    throw attn::Error(attn::ErrorKind::usage, text_of(in).name,
                      "is text" + attn::such_as(text_of(in)) + ", which has no scores and no mean",
                      "use --normalize hard to look it up");
  const bool weighs_keys = options.nearest && !text_keys;
  expect_used(options, weighs_keys, session);
  std::vector<std::optional<std::size_t>> rows;
  if (weighs_keys)
    rows = attn::find_best(in, parameters, session.execution());
  else
    rows = options.nearest ? attn::find_nearest_text(in.query, in.key) : attn::find_exact(in.query, in.key);
  if (std::any_of(rows.begin(), rows.end(), [](const auto& row) { return !row; })) session.say_no();
  const attn::TensorView found = attn::take_rows(in.value, rows);
  if (found.dtype != DType::string || cli::names_tensors(options.output)) return session.write(options.output, found);
  session.become_text();
  print_rows(found, rows.size(), session);
}

}  // namespace attend_tool
