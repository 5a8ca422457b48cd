#include "cli/standard_text.hpp"
#include "transformer-run/lines.hpp"
#include "transformer-run/rows_at_once.hpp"
#include "transformer-run/runs.hpp"
#include "transformer-run/text_rules.hpp"

#include <attn/text/lines.hpp>
#include <attn/transformer/text_task.hpp>

#include <unistd.h>

#include <algorithm>

namespace transformer_run {
namespace {

std::string joined(const std::vector<attn::Answer>& answers) {
  std::string text;
  for (const attn::Answer& answer : answers)
    text += (&answer == &answers.front() ? "" : "\t") + attn::text::one_line(answer.text, true);
  return text;
}

/// Each thread answers its own batches, with as many lines as memory allows.
std::size_t rows_of_batch(const attn::OpenedModel& opened, attn::DType compute, const Options& options,
                          const attn::TextGenerationParameters& parameters, std::size_t threads) {
  const std::size_t batches = options.reads_lines() ? threads : std::min(threads, options.text.size());
  const std::size_t length = opened.description.encoder ? likely_length(opened) : 1;
  const std::size_t rows = rows_at_once(opened, compute, parameters.generation, length);
  return std::clamp<std::size_t>(rows / batches, 1, parameters.batch_rows);
}

/// The rest of an answer whose beginning is already on the terminal; the whole answer on a new line if decoding with
/// its neighbours has changed the beginning.
std::string rest(const std::string& answer, const std::string& shown) {
  return answer.compare(0, shown.size(), shown) == 0 ? answer.substr(shown.size()) : '\n' + answer;
}

}  // namespace

attn::TextGenerationParameters generation_parameters(const Options& options, const attn::OpenedModel& opened) {
  attn::TextGenerationParameters parameters = options.parameters;
  try {
    parameters.generation = options.generation.over(opened.generation);
  } catch (const attn::Error& error) {
    if (options.generation.speaks_of(error.subject()) || options.generation.speaks_of(error.detail())) throw;
    throw attn::Error(attn::ErrorKind::data, opened.folder.file("generation_config.json"),
                      "asks for what cannot be: " + error.subject() + ": " + error.detail(),
                      "correct it, or override it with options");
  }
  if (const auto& given = options.parameters.generation.stop; !given.empty()) parameters.generation.stop = given;
  if (options.chat) parameters.chat = opened.chat_template();
  if (!options.ignore_end) parameters.generation.end_tokens = opened.description.tokens.end;
  return parameters;
}

void ShortAnswers::count(const attn::Generated& answer) {
  if (!answer.is_cut) return;
  below_least_ += answer.ids.size() < least_;
  below_most_ += answer.ids.size() < most_;
}

void ShortAnswers::say(cli::Report& report) const {
  if (below_least_ + below_most_ == 0) return;
  const bool of_most = below_most_ > 0;  // these include those below the minimum
  const std::size_t number = of_most ? below_most_ : below_least_;
  report.note((of_most ? "--max-new-tokens " + std::to_string(most_) : "--min-new-tokens " + std::to_string(least_)) +
              ": " + std::to_string(number) + (number == 1 ? " answer is" : " answers are") +
              " shorter, as the model has no more positions after the prompt");
}

void run_text(const Options& options, const attn::OpenedModel& opened, Traced& traced, cli::Session& session) {
  attn::TextGenerationParameters parameters = generation_parameters(options, opened);
  parameters.max_length = options.max_length;
  const attn::Model model = opened.load(session.dtype());
  const attn::text::Tokenizer tokenizer = opened.tokenizer();
  const attn::TextGenerator generator(model, tokenizer);
  LineRun run(options, opened, line_window, traced, session);
  parameters.batch_rows = rows_of_batch(opened, model.dtype(), options, parameters, session.execution().threads());
  session.results.end_dry_run();
  const bool streams = !options.json && options.output.text == "-" && isatty(STDOUT_FILENO) != 0 &&
                       parameters.generation.beams == 1 && parameters.generation.num_return == 1;
  ShortAnswers short_answers(parameters.generation);
  std::string on_screen;  // part of a line's answer that is already shown
  run.each(
      [&](const std::vector<std::string>& lines, const std::vector<std::size_t>&) {
        on_screen.clear();
        const attn::TextHook hook = [&](const std::string& piece) {
          on_screen += piece;
          session.results.print_text(piece);
          cli::flush_text();
        };
        const auto answered =
            generator(lines, parameters, traced.execution(), streams && lines.size() == 1 ? hook : attn::TextHook());
        commit(traced, answered, options, session.report);
        std::vector<LineResult> results;
        for (const attn::LineAnswers& line : answered) {
          for (const attn::Answer& answer : line.answers) short_answers.count(answer.generated);
          results.push_back(
              {options.json ? to_json(line) : joined(line.answers), line.is_cut, line.has_unknown, line.error});
          if (streams && !line.answers.empty()) results.back().text = rest(line.answers.front().text, on_screen);
        }
        return results;
      },
      [&](const std::string& result) { session.results.print(result); });
  short_answers.say(session.report);
}

}  // namespace transformer_run
