#include "cli/number_text.hpp"
#include "transformer-run/lines.hpp"
#include "transformer-run/pictures.hpp"
#include "transformer-run/rows_at_once.hpp"
#include "transformer-run/runs.hpp"
#include "transformer-run/text_rules.hpp"

#include <attn/text/lines.hpp>
#include <attn/transformer/findings_json.hpp>

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

void print(const attn::LineFindings& line, const attn::OpenedModel& opened, attn::DType dtype, const Options& options,
           cli::Results& results) {
  results.print(options.json ? to_json(line, opened.description.task)
                             : shown(line, opened, dtype, options.output.options.precision));
}

/// A trace is of one batch.
constexpr std::size_t all_pictures = std::numeric_limits<std::size_t>::max();

/// With as many rows at once as memory allows.
attn::TextTaskParameters task_parameters(const Options& options, const attn::OpenedModel& opened, attn::DType compute,
                                         cli::Session& session) {
  attn::TextTaskParameters parameters = vector_rules(options, opened, compute);
  parameters.best = options.best;
  parameters.max_length = max_length_of(options, opened);
  parameters.no_answer = options.no_answer;
  const std::size_t rows = rows_at_once(opened, compute, {}, likely_length(opened));
  parameters.batch_rows = std::min(options.parameters.batch_rows, rows);
  session.results.end_dry_run();
  return parameters;
}

}  // namespace

void run_task(const Options& options, const attn::OpenedModel& opened, Traced& traced, cli::Session& session) {
  const attn::Model model = opened.load(session.dtype());
  const attn::text::Tokenizer tokenizer = opened.tokenizer();
  LineWindows source(options, line_window, traced, session);
  const attn::TextTaskParameters parameters = task_parameters(options, opened, model.dtype(), session);
  std::size_t done = 0;
  CutLines cut;
  for (auto lines = source.next(); !lines.empty(); lines = source.next()) {
    const auto found = perform(model, tokenizer, lines, parameters, traced.execution());
    commit(traced, found, options, session.report);
    for (const attn::LineFindings& line : found) {
      ++done;
      cut.count(done, line.is_cut);
      if (line.error) handle(*line.error, done, options, session.report);
      print(line, opened, model.dtype(), options, session.results);
    }
  }
  cut.say(options, opened, session.report);
}

void run_pictures(const Options& options, const attn::OpenedModel& opened, Traced& traced, cli::Session& session) {
  const attn::Model model = opened.load(session.dtype());
  const attn::TextTaskParameters parameters = task_parameters(options, opened, model.dtype(), session);
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
      print(line, opened, model.dtype(), options, session.results);
    }
  }
}

}  // namespace transformer_run
