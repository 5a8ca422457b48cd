#include "cli/numbers.hpp"
#include "transformer-run/lines.hpp"
#include "transformer-run/pictures.hpp"
#include "transformer-run/rows_at_once.hpp"
#include "transformer-run/runs.hpp"
#include "transformer-run/text_rules.hpp"

#include <attn/text/lines.hpp>
#include <attn/transformer/text_task.hpp>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <utility>

namespace transformer_run {
namespace {

/// One label says nothing: the number is the result.
bool is_reranker(const attn::ModelDescription& model) {
  return model.task == attn::Task::classify && model.head->labels.size() == 1;
}

std::string probability_text(double p, int digits) {
  if (digits > 0) return cli::number_text(p, digits);
  char text[32];
  std::snprintf(text, sizeof text, "%.4f", p);
  return text;
}

/// "TEXT<tab>PROBABILITY", "WORDS<tab>LABEL<tab>PROBABILITY", the score of a reranker, or the numbers of a vector.
std::string shown(const attn::LineFindings& line, const attn::OpenedModel& opened, attn::DType dtype, int digits) {
  const auto number = [&](double x) {
    return dtype == attn::DType::f64 ? cli::number_text(x, digits) : cli::number_text(static_cast<float>(x), digits);
  };
  if (is_reranker(opened.description) && !line.findings.empty()) return number(line.findings.front().probability);
  std::string text;
  bool is_first = true;  // an empty answer has empty text
  const auto add = [&](const std::string& field) { text += (std::exchange(is_first, false) ? "" : "\t") + field; };
  for (const attn::Finding& finding : line.findings) {
    add(attn::text::one_line(finding.text, true));
    if (!finding.label.empty()) add(finding.label);
    add(probability_text(finding.probability, digits));
  }
  for (const double x : line.vector) add(number(x));
  return text;
}

std::string text_of(const attn::LineFindings& line, const attn::OpenedModel& opened, attn::DType dtype,
                    const Options& options) {
  return options.json ? to_json(line, opened.description.task)
                      : shown(line, opened, dtype, options.output.options.precision);
}

/// A trace is of one batch.
constexpr std::size_t all_pictures = std::numeric_limits<std::size_t>::max();

}  // namespace

attn::TextTaskParameters task_parameters(const Options& options, const attn::OpenedModel& opened, attn::DType compute,
                                         const cli::Session& session) {
  attn::TextTaskParameters parameters = vector_rules(options, opened, compute);
  parameters.best = options.best;
  parameters.max_length = max_length_of(options, opened);
  parameters.no_answer = options.no_answer;
  const std::size_t rows = rows_at_once(opened, compute, {}, likely_length(opened)) / session.execution().threads();
  parameters.batch_rows = std::clamp<std::size_t>(rows, 1, options.parameters.batch_rows);
  return parameters;
}

void run_task(const Options& options, const attn::OpenedModel& opened, Traced& traced, cli::Session& session) {
  const attn::Model model = opened.load(session.dtype());
  const attn::text::Tokenizer tokenizer = opened.tokenizer();
  LineRun run(options, opened, line_window, traced, session);
  const attn::TextTaskParameters parameters = task_parameters(options, opened, model.dtype(), session);
  session.results.end_dry_run();
  run.each(
      [&](const std::vector<std::string>& lines, const std::vector<std::size_t>&) {
        std::vector<LineResult> results;
        const auto found = perform(model, tokenizer, lines, parameters, traced.execution());
        commit(traced, found, options, session.report);
        for (const attn::LineFindings& line : found)
          results.push_back({text_of(line, opened, model.dtype(), options), line.is_cut, line.has_unknown, line.error});
        return results;
      },
      [&](const std::string& result) { session.results.print(result); });
}

void run_pictures(const Options& options, const attn::OpenedModel& opened, Traced& traced, cli::Session& session) {
  const attn::Model model = opened.load(session.dtype());
  const attn::TextTaskParameters parameters = task_parameters(options, opened, model.dtype(), session);
  session.results.end_dry_run();
  Pictures source(options.text, opened, session);
  std::size_t done = 0;
  const std::size_t at_once = traced.is_traced() ? all_pictures : parameters.batch_rows;
  for (auto items = source.next(at_once); !items.empty(); items = source.next(at_once)) {
    std::vector<attn::TensorView> pixels;
    for (const Pictures::Item& item : items)
      if (item.pixels) pixels.push_back(*item.pixels);
    std::vector<attn::LineFindings> found;
    if (!pixels.empty()) found = perform(model, stacked(pixels, "pixels"), parameters, traced.execution());
    commit(traced, items, options, session.report);
    auto next = found.begin();
    for (const Pictures::Item& item : items) {
      ++done;
      if (item.error) handle(*item.error, done, options, session.report);
      const attn::LineFindings& line = item.error ? attn::LineFindings{} : *next++;
      session.results.print(text_of(line, opened, model.dtype(), options));
    }
  }
}

}  // namespace transformer_run
