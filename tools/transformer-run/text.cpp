#include "cli/text_lines.hpp"
#include "transformer-run/pictures.hpp"
#include "transformer-run/plan.hpp"
#include "transformer-run/runs.hpp"

#include <attn/core/error.hpp>
#include <attn/core/memory.hpp>
#include <attn/text/lines.hpp>
#include <attn/transformer/findings_json.hpp>

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>

namespace transformer_run {
namespace {

/// Lines that are sorted by length before they are cut into batches.
constexpr std::size_t window = 4096;

/// What is planned for a line where the model sets no limit.
constexpr std::size_t likely_length = 4096;

std::string joined(const std::vector<attn::Answer>& answers) {
  std::string text;
  for (const attn::Answer& answer : answers)
    text += (&answer == &answers.front() ? "" : "\t") + attn::text::one_line(answer.text, true);
  return text;
}

}  // namespace

namespace {

/// `digits` significant ones; 0: as many as read back as x.
template <class T>
std::string number_text(T x, int digits) {
  char text[32];
  const auto end = digits > 0 ? std::to_chars(text, text + sizeof text, x, std::chars_format::general, digits)
                              : std::to_chars(text, text + sizeof text, x);
  return {text, end.ptr};
}

std::string probability_text(double p, int digits) {
  if (digits > 0) return number_text(p, digits);
  char text[32];
  std::snprintf(text, sizeof text, "%.4f", p);
  return text;
}

/// "TEXT<tab>PROBABILITY", "WORDS<tab>LABEL<tab>PROBABILITY", or the numbers of a vector.
std::string shown(const attn::LineFindings& line, attn::DType dtype, int digits) {
  std::string text;
  const auto add = [&](const std::string& field) { text += (text.empty() ? "" : "\t") + field; };
  for (const attn::Finding& finding : line.findings) {
    add(attn::text::one_line(finding.text, true));
    if (!finding.label.empty()) add(finding.label);
    add(probability_text(finding.probability, digits));
  }
  for (const double x : line.vector)
    add(dtype == attn::DType::f64 ? number_text(x, digits) : number_text(static_cast<float>(x), digits));
  return text;
}

void print(const attn::LineFindings& line, const OpenedModel& opened, attn::DType dtype, const Options& options,
           cli::Session& session) {
  session.print(options.json ? to_json(line, opened.description.task)
                             : shown(line, dtype, options.output.options.precision));
}

/// What a line's error does: throws, or says it and goes on to end with exit code 1.
void handle(const attn::Error& cause, std::size_t line, const Options& options, cli::Session& session) {
  const attn::Error error(cause.kind(), "line " + std::to_string(line), cause.what());
  if (options.on_error == OnError::stop) throw error;
  session.note(error.what());
  session.say_no();
}

}  // namespace

namespace {

/// As many at once as fit the memory.
attn::TextTaskParameters task_parameters(const Options& options, const OpenedModel& opened, attn::DType compute,
                                         cli::Session& session) {
  attn::TextTaskParameters parameters;
  parameters.best = options.best;
  parameters.pooling = options.pooling;
  parameters.normalize = options.normalize;
  parameters.batch_rows = options.parameters.batch_rows;
  const std::size_t limit = session.max_memory() > 0 ? session.max_memory() : attn::usable_memory();
  const BatchSize one{1, std::min(opened.description.max_positions, likely_length)};
  plan(opened, compute, {}, one, session);
  parameters.batch_rows = std::min(parameters.batch_rows, memory_needs(opened, compute, {}, one).rows_within(limit));
  return parameters;
}

}  // namespace

void run_task(const Options& options, const OpenedModel& opened, cli::Session& session) {
  const attn::Model model = opened.load(session.dtype());
  const attn::text::Tokenizer tokenizer = opened.tokenizer();
  const attn::TextTaskParameters parameters = task_parameters(options, opened, model.dtype(), session);
  cli::TextLines source(options.text, session);
  std::size_t done = 0;
  for (auto lines = source.next(window); !lines.empty(); lines = source.next(window))
    for (const attn::LineFindings& line : perform(model, tokenizer, lines, parameters, session.execution())) {
      ++done;
      if (line.error) handle(*line.error, done, options, session);
      print(line, opened, model.dtype(), options, session);
    }
}

namespace {

/// "PERPLEXITY<tab>LOG-PROBABILITY<tab>TOKENS", or each token with its log-probability.
std::string shown(const attn::TokenScores& scores, const attn::text::Tokenizer& tokenizer, const Options& options) {
  const int digits = options.output.options.precision == 0 ? 6 : options.output.options.precision;
  if (options.task == "perplexity")
    return number_text(scores.perplexity(), digits) + '\t' + number_text(scores.sum(), digits) + '\t' +
           std::to_string(scores.log_probabilities.size());
  std::string text;
  for (std::size_t i = 0; i < scores.log_probabilities.size(); ++i)
    text += (i > 0 ? "\t" : "") + attn::text::one_line(tokenizer.token(scores.ids[i + 1]), true) + '\t' +
            number_text(scores.log_probabilities[i], digits);
  return text;
}

}  // namespace

void run_scores(const Options& options, const OpenedModel& opened, cli::Session& session) {
  const attn::Model model = opened.load(session.dtype());
  const attn::text::Tokenizer tokenizer = opened.tokenizer();
  check_tokenizer(opened.description, tokenizer);
  plan(opened, model.dtype(), {}, {1, opened.description.max_positions, opened.description.max_positions}, session);
  cli::TextLines source(options.text, session);
  std::size_t done = 0;
  for (auto lines = source.next(1); !lines.empty(); lines = source.next(1))
    for (const std::string& line : lines) {
      ++done;
      std::string result;
      try {
        if (!line.empty()) {
          const auto scores = score_tokens(model, tokenizer.encode(line).ids, options.stride, session.execution());
          result = options.json ? to_json(scores, tokenizer) : shown(scores, tokenizer, options);
        }
      } catch (const attn::Error& error) {
        if (error.kind() == attn::ErrorKind::usage) throw;
        handle(error, done, options, session);
      }
      session.print(result);
    }
}

void run_pictures(const Options& options, const OpenedModel& opened, cli::Session& session) {
  const attn::Model model = opened.load(session.dtype());
  const attn::TextTaskParameters parameters = task_parameters(options, opened, model.dtype(), session);
  Pictures source(options.text, opened, session);
  std::size_t done = 0;
  for (auto items = source.next(parameters.batch_rows); !items.empty(); items = source.next(parameters.batch_rows)) {
    std::vector<attn::TensorView> pixels;
    for (const Pictures::Item& item : items)
      if (item.pixels) pixels.push_back(*item.pixels);
    std::vector<attn::LineFindings> found;
    if (!pixels.empty()) found = perform(model, stacked(pixels, "pixels"), parameters, session.execution());
    auto next = found.begin();
    for (const Pictures::Item& item : items) {
      ++done;
      if (item.error) handle(*item.error, done, options, session);
      const attn::LineFindings& line = item.error ? attn::LineFindings{} : *next++;
      print(line, opened, model.dtype(), options, session);
    }
  }
}

attn::TextGenerationParameters generation_parameters(const Options& options, const OpenedModel& opened) {
  attn::TextGenerationParameters parameters = options.parameters;
  parameters.generation = options.generation.over(opened.generation);
  if (!options.ignore_end) parameters.generation.end_tokens = opened.description.tokens.end;
  return parameters;
}

namespace {

/// Threads answer batches of their own: as many lines as fit the memory go into one.
void fit_memory(const OpenedModel& opened, attn::DType compute, std::size_t texts,
                attn::TextGenerationParameters& parameters, cli::Session& session) {
  const std::size_t threads = session.execution().threads(), at_once = texts == 0 ? threads : std::min(threads, texts);
  const BatchSize batch{at_once,
                        opened.description.encoder ? std::min(opened.description.max_positions, likely_length) : 1};
  plan(opened, compute, parameters.generation, batch, session);
  const std::size_t limit = session.max_memory() > 0 ? session.max_memory() : attn::usable_memory();
  const std::size_t rows = memory_needs(opened, compute, parameters.generation, batch).rows_within(limit);
  parameters.batch_rows = std::clamp<std::size_t>(rows / at_once, 1, parameters.batch_rows);
}

/// What is still to be said of an answer whose beginning stands on the terminal: all of it, on a line of its own, where
/// a decoder that looks at neighbours has changed the beginning since.
std::string rest(const std::string& answer, const std::string& shown) {
  return answer.compare(0, shown.size(), shown) == 0 ? answer.substr(shown.size()) : '\n' + answer;
}

}  // namespace

void run_text(const Options& options, const OpenedModel& opened, cli::Session& session) {
  attn::TextGenerationParameters parameters = generation_parameters(options, opened);
  const attn::Model model = opened.load(session.dtype());
  const attn::text::Tokenizer tokenizer = opened.tokenizer();
  const attn::TextGenerator generator(model, tokenizer);
  fit_memory(opened, model.dtype(), options.text.size(), parameters, session);
  cli::TextLines source(options.text, session);
  const bool streams = !options.json && options.output.text == "-" && isatty(STDOUT_FILENO) != 0 &&
                       parameters.generation.beams == 1 && parameters.generation.num_return == 1;
  std::size_t done = 0;
  for (auto lines = source.next(window); !lines.empty(); lines = source.next(window)) {
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
      if (options.json) {
        session.print(to_json(line));
        continue;
      }
      session.print(streams && !line.answers.empty() ? rest(line.answers.front().text, shown)
                                                     : joined(line.answers));
    }
  }
}

}  // namespace transformer_run
