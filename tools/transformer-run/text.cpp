#include "cli/text_lines.hpp"
#include "transformer-run/plan.hpp"
#include "transformer-run/runs.hpp"

#include <attn/core/error.hpp>

#include <unistd.h>

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
      if (line.error) {
        const attn::Error error(line.error->kind(), "line " + std::to_string(done), line.error->what());
        if (options.on_error == OnError::stop) throw error;
        session.note(error.what());
      }
      session.print(joined(line.answers).substr(shown.size()));
    }
  }
}

}  // namespace transformer_run
