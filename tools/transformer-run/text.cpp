#include "cli/text_lines.hpp"
#include "transformer-run/plan.hpp"
#include "transformer-run/runs.hpp"

#include <attn/core/error.hpp>
#include <attn/transformer/text_task.hpp>

#include <unistd.h>

#include <charconv>
#include <cstdio>

namespace transformer_run {
namespace {

/// Lines that are sorted by length before they are cut into batches.
constexpr std::size_t window = 4096;

std::string joined(const std::vector<attn::Answer>& answers) {
  std::string text;
  for (const attn::Answer& answer : answers) text += (&answer == &answers.front() ? "" : "\t") + answer.text;
  return text;
}

}  // namespace

namespace {

/// "TEXT<tab>PROBABILITY", "WORDS<tab>LABEL<tab>PROBABILITY", or the numbers of a vector.
std::string shown(const attn::LineFindings& line) {
  std::string text;
  char number[32];
  const auto add = [&](const std::string& field) { text += (text.empty() ? "" : "\t") + field; };
  for (const attn::Finding& finding : line.findings) {
    std::snprintf(number, sizeof number, "%.4f", finding.probability);
    add(finding.text);
    if (!finding.label.empty()) add(finding.label);
    add(number);
  }
  for (const double x : line.vector) {
    const auto end = std::to_chars(number, number + sizeof number, static_cast<float>(x)).ptr;
    add(std::string(number, end));
  }
  return text;
}

/// What a line's error does: throws, or says it and goes on.
void handle(const attn::Error& cause, std::size_t line, const Options& options, cli::Session& session) {
  const attn::Error error(cause.kind(), "line " + std::to_string(line), cause.what());
  if (options.on_error == OnError::stop) throw error;
  session.note(error.what());
}

}  // namespace

void run_task(const Options& options, const OpenedModel& opened, cli::Session& session) {
  const attn::Model model = opened.load(session.dtype());
  const attn::text::Tokenizer tokenizer = opened.tokenizer();
  attn::TextTaskParameters parameters;
  parameters.best = options.best;
  parameters.pooling = options.pooling;
  parameters.batch_rows = options.parameters.batch_rows;
  plan(opened, model.dtype(), {}, 1, opened.description.max_positions, session);
  cli::TextLines source(options.text, session);
  std::size_t done = 0;
  for (auto lines = source.next(window); !lines.empty(); lines = source.next(window))
    for (const attn::LineFindings& line : perform(model, tokenizer, lines, parameters, session.execution())) {
      ++done;
      if (line.error) handle(*line.error, done, options, session);
      session.print(shown(line));
    }
}

attn::TextGenerationParameters generation_parameters(const Options& options, const OpenedModel& opened) {
  attn::TextGenerationParameters parameters = options.parameters;
  if (!options.ignore_end) parameters.generation.end_tokens = opened.description.tokens.end;
  validate(parameters.generation);
  return parameters;
}

void run_text(const Options& options, const OpenedModel& opened, cli::Session& session) {
  const attn::TextGenerationParameters parameters = generation_parameters(options, opened);
  const attn::Model model = opened.load(session.dtype());
  const attn::text::Tokenizer tokenizer = opened.tokenizer();
  const attn::TextGenerator generator(model, tokenizer);
  plan(opened, model.dtype(), parameters.generation, 1, opened.description.max_positions, session);
  cli::TextLines source(options.text, session);
  const bool streams =
      isatty(STDOUT_FILENO) != 0 && parameters.generation.beams == 1 && parameters.generation.num_return == 1;
  std::size_t done = 0;
  for (auto lines = source.next(streams ? 1 : window); !lines.empty(); lines = source.next(streams ? 1 : window)) {
    std::string shown;  // of a line that grows before the reader's eyes
    const attn::TextHook hook = [&](const std::string& piece) {
      shown += piece;
      session.print_text(piece);
      std::fflush(stdout);
    };
    for (const attn::LineResult& line :
         generator(lines, parameters, session.execution(), streams && lines.size() == 1 ? hook : attn::TextHook())) {
      ++done;
      if (line.error) handle(*line.error, done, options, session);
      session.print(joined(line.answers).substr(shown.size()));
    }
  }
}

}  // namespace transformer_run
