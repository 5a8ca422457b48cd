#include "transformer-run/runs.hpp"

#include "cli/numbers.hpp"
#include "cli/standard_text.hpp"
#include "transformer-run/inputs.hpp"
#include "transformer-run/lines.hpp"

#include <attn/core/error.hpp>
#include <attn/core/execution.hpp>
#include <attn/core/system.hpp>
#include <attn/io/byte_output.hpp>
#include <attn/models/model_folder.hpp>
#include <attn/text/lines.hpp>
#include <attn/transformer/inference.hpp>
#include <attn/transformer/stages.hpp>
#include <attn/transformer/text_task.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <limits>
#include <utility>

namespace transformer_run {
namespace {

/// Bytes of the weights in the form that products use.
double bytes_of_weights(const attn::OpenedModel& opened, attn::DType compute) {
  double bytes = 0;
  for (const attn::StageSummary& stage : summarize(opened.description, opened.weights))
    for (const attn::TensorInfo& tensor : stage.weights)
      bytes += static_cast<double>(attn::element_count(tensor.shape)) *
               static_cast<double>(std::min(element_size(compute), element_size(tensor.dtype)));
  return bytes;
}

/// Bytes of one sequence. A double, since products of user values can exceed 64 bits.
double bytes_of_row(const attn::ModelDescription& model, attn::DType compute,
                    const attn::GenerationParameters& generation, std::size_t length) {
  // Without a maximum the model ends the answer: count this many tokens for it.
  constexpr std::size_t likely_answer = 1024;
  const std::size_t prompt = model.encoder ? 1 : length;
  const std::size_t room = model.max_positions > prompt ? model.max_positions - prompt : 0;
  const std::size_t fresh = std::min(room, generation.max_new_tokens == 0 ? likely_answer : generation.max_new_tokens);
  const auto tokens = static_cast<double>(prompt + fresh), element = static_cast<double>(element_size(compute));
  const auto sequences = static_cast<double>(std::max(generation.beams, generation.num_return));
  const auto hidden = [&](const attn::StackDescription& stack) {
    return element * static_cast<double>(4 * model.width + std::max(stack.block.hidden_width, model.width));
  };
  double bytes = model.encoder ? static_cast<double>(length) * hidden(*model.encoder) : 0;
  if (!model.decoder) return bytes;
  bytes += sequences * tokens * static_cast<double>(cache_bytes(model, compute));
  bytes += sequences * static_cast<double>(prompt) * hidden(*model.decoder);
  if (model.head) {
    const double searched = generation.beams > 1 ? sequences : 1;  // rows of scores that a step searches together
    bytes += static_cast<double>(model.head->outputs) * (sequences * element + searched * sizeof(double));
  }
  return bytes;
}

/// Approximate number of sequences of at most `length` tokens, generated as `generation` specifies, that fit the memory
/// left by the weights. Throws Error(memory) if not even one fits.
std::size_t rows_at_once(const attn::OpenedModel& opened, attn::DType compute,
                         const attn::GenerationParameters& generation, std::size_t length) {
  const double weights = bytes_of_weights(opened, compute);
  const double row = std::max(bytes_of_row(opened.description, compute, generation, length), 1.0);
  constexpr double largest = 9e18;  // above it, bytes do not fit std::size_t
  const double needed = std::min(weights + row, largest), left = static_cast<double>(attn::Execution::memory_left());
  if (needed > left)
    throw attn::Error(attn::ErrorKind::memory, opened.folder.path(),
                      "needs about " + std::to_string(static_cast<std::size_t>(needed)) + " bytes of memory, " +
                          std::to_string(attn::Execution::memory_left()) + " are left",
                      opened.description.task == attn::Task::generate && weights < left
                          ? "fewer --beams, --num-return or --max-new-tokens need less"
                          : "allow more");
  return static_cast<std::size_t>(std::min((left - weights) / row, 1e9));
}

/// Expected number of tokens of a text that is not read yet: what the model takes, or a likely number.
std::size_t likely_length(const attn::OpenedModel& opened) {
  constexpr std::size_t most = 4096;
  return std::min(opened.description.max_positions, most);
}

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
std::string shown(const attn::LinePredictions& line, const attn::OpenedModel& opened, attn::DType dtype, int digits) {
  const auto number = [&](double x) {
    return dtype == attn::DType::f64 ? cli::number_text(x, digits) : cli::number_text(static_cast<float>(x), digits);
  };
  if (is_reranker(opened.description) && !line.predictions.empty()) return number(line.predictions.front().probability);
  std::string text;
  bool is_first = true;  // an empty answer has empty text
  const auto add = [&](const std::string& field) { text += (std::exchange(is_first, false) ? "" : "\t") + field; };
  for (const attn::Prediction& prediction : line.predictions) {
    add(attn::text::one_line(prediction.text, true));
    if (!prediction.label.empty()) add(prediction.label);
    add(probability_text(prediction.probability, digits));
  }
  for (const double x : line.vector) add(number(x));
  return text;
}

std::string text_of(const attn::LinePredictions& line, const attn::OpenedModel& opened, attn::DType dtype,
                    const Options& options) {
  return options.output.json ? to_json(line, opened.description.task)
                             : shown(line, opened, dtype, options.output.options.precision);
}

/// A trace is of one batch.
constexpr std::size_t all_pictures = std::numeric_limits<std::size_t>::max();

/// "PERPLEXITY<tab>LOG-PROBABILITY<tab>TOKENS", or each token with its log-probability.
std::string shown(const attn::TokenScores& scores, const attn::text::Tokenizer& tokenizer, const Options& options) {
  const int digits = options.output.options.precision == 0 ? 6 : options.output.options.precision;
  if (options.task == "perplexity")
    return cli::number_text(scores.perplexity(), digits) + '\t' + cli::number_text(scores.sum(), digits) + '\t' +
           std::to_string(scores.log_probabilities.size());
  std::string text;
  for (std::size_t i = 0; i < scores.log_probabilities.size(); ++i)
    text += (i > 0 ? "\t" : "") + attn::text::one_line(tokenizer.token(scores.ids[i + 1]), true) + '\t' +
            cli::number_text(scores.log_probabilities[i], digits);
  return text;
}

/// The scores of all lines in one pass, for a trace.
std::vector<attn::TokenScores> scores_of_pass(const std::vector<std::string>& lines, const Options& options,
                                              const attn::Model& model, const attn::text::Tokenizer& tokenizer,
                                              const attn::Execution& execution) {
  const auto rows = tokens_of_lines(
      lines, [&](const std::string& line) { return text_of_line(line, options); }, model.description(), tokenizer, 0);
  const attn::TokenBatch batch = attn::padded_batch(rows, model.description().tokens.padding.value_or(0));
  const attn::InferenceResult pass = infer(model, batch, std::nullopt, {}, {}, execution);
  std::vector<attn::TokenScores> scores;
  for (std::size_t b = 0; b < rows.size(); ++b) scores.push_back(scores_of(element(*pass.head, b), rows[b]));
  return scores;
}

/// Rows of bytes in a file without a name beside the output: how many there will be is known when the last line has
/// come, and they may not fit into memory.
class Rows {
 public:
  explicit Rows(const std::string& output) {
    const std::string folder = std::filesystem::path(attn::io::place_of_output(output).file).parent_path().string();
    file_.reset(fdopen(attn::system::unnamed_file(folder), "w+b"));
    require(file_ != nullptr);
  }

  void add(const std::string& row) {
    require(std::fwrite(row.data(), 1, row.size(), file_.get()) == row.size());
    ++count_;
  }

  std::size_t count() const noexcept { return count_; }

  void read(const attn::ByteConsumer& consume) const {
    std::rewind(file_.get());
    std::array<char, std::size_t{64} << 10> buffer;
    for (std::size_t got; (got = std::fread(buffer.data(), 1, buffer.size(), file_.get())) > 0;)
      consume(buffer.data(), got);
    require(std::ferror(file_.get()) == 0);
  }

 private:
  static void require(bool holds) {
    if (!holds)
      throw attn::Error(attn::ErrorKind::io, "the file of finished vectors", std::strerror(errno),
                        "make room on the disk");
  }
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> file_;
  std::size_t count_ = 0;
};

std::string bytes_of(const std::vector<double>& vector, std::size_t width, attn::DType dtype) {
  attn::Tensor row = attn::Tensor::zeros(attn::DType::f64, {width});
  std::copy(vector.begin(), vector.end(), row.data_as<double>());
  const attn::TensorView x = cast(row.view(), dtype);
  return {static_cast<const char*>(x.data), x.bytes()};
}

/// Parameters of a task from the options, with as many rows at once as the threads have memory for.
attn::TextTaskParameters task_parameters(const Options& options, const attn::OpenedModel& opened, attn::DType compute,
                                         const cli::Session& session) {
  attn::TextTaskParameters parameters = vector_rules(options, opened, compute);
  parameters.best = options.best;
  parameters.max_length = max_length_of(options, opened);
  parameters.no_answer = options.no_answer;
  parameters.aggregation = options.aggregation;
  parameters.json_lines = options.json_lines;
  const std::size_t rows = rows_at_once(opened, compute, {}, likely_length(opened)) / session.execution().threads();
  parameters.batch_rows = std::clamp<std::size_t>(rows, 1, options.parameters.batch_rows);
  return parameters;
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
  if (options.chat) parameters.chat = chat_template_of(opened.folder);
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
  parameters.json_lines = options.json_lines;
  options.generation.note_idle(parameters.generation, session.report);
  const attn::Model model = opened.load(session.dtype());
  const attn::text::Tokenizer tokenizer = tokenizer_of(opened, session);
  const attn::TextGenerator generator(model, tokenizer);
  LineRun run(options, opened, line_window, traced, session);
  parameters.batch_rows = rows_of_batch(opened, model.dtype(), options, parameters, session.execution().threads());
  session.results.end_dry_run();
  const bool streams = !options.output.json && options.output.text == "-" && isatty(STDOUT_FILENO) != 0 &&
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
              {options.output.json ? to_json(line) : joined(line.answers), line.is_cut, line.has_unknown, line.error});
          if (streams && !line.answers.empty()) results.back().text = rest(line.answers.front().text, on_screen);
        }
        return results;
      },
      [&](const std::string& result) { session.results.print(result); });
  short_answers.say(session.report);
}

void run_task(const Options& options, const attn::OpenedModel& opened, Traced& traced, cli::Session& session) {
  const attn::Model model = opened.load(session.dtype());
  const attn::text::Tokenizer tokenizer = tokenizer_of(opened, session);
  LineRun run(options, opened, line_window, traced, session);
  const attn::TextTaskParameters parameters = task_parameters(options, opened, model.dtype(), session);
  session.results.end_dry_run();
  run.each(
      [&](const std::vector<std::string>& lines, const std::vector<std::size_t>&) {
        std::vector<LineResult> results;
        const auto found = perform(model, tokenizer, lines, parameters, traced.execution());
        commit(traced, found, options, session.report);
        for (const attn::LinePredictions& line : found)
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
    std::vector<attn::LinePredictions> found;
    if (!pixels.empty()) found = perform(model, stacked(pixels, "pixels"), parameters, traced.execution());
    commit(traced, items, options, session.report);
    auto next = found.begin();
    for (const Pictures::Item& item : items) {
      ++done;
      if (item.error) handle(*item.error, done, options, session.report);
      const attn::LinePredictions& line = item.error ? attn::LinePredictions{} : *next++;
      session.results.print(text_of(line, opened, model.dtype(), options));
    }
  }
}

void run_scores(const Options& options, const attn::OpenedModel& opened, Traced& traced, cli::Session& session) {
  const attn::Model model = opened.load(session.dtype());
  const attn::text::Tokenizer tokenizer = tokenizer_of(opened, session);
  LineRun run(options, opened, 1, traced, session);
  session.results.end_dry_run();
  attn::text::EncodeOptions encode;
  encode.truncation.max_length = options.max_length.value_or(0);
  const std::size_t positions = opened.description.max_positions;
  std::optional<std::size_t> windowed;  // the first line longer than the positions, if --stride is not given
  const auto scores_of_line = [&](const std::string& line, std::size_t number, bool& has_unknown) {
    const attn::text::Encoding tokens = tokenizer.encode(line, encode);
    const std::vector<std::int64_t>& ids = tokens.ids;
    check_ids(ids, opened.description.input(), tokenizer);
    has_unknown = tokens.has_unknown;
    const bool is_long = !options.stride && ids.size() > positions;
    if (is_long && !windowed) windowed = number;
    return score_tokens(model, ids, is_long ? positions / 2 : options.stride.value_or(0), session.execution());
  };
  run.each(
      [&](const std::vector<std::string>& lines, const std::vector<std::size_t>& numbers) {
        std::vector<LineResult> results(lines.size());
        std::vector<attn::TokenScores> passed;
        if (traced.is_traced()) passed = scores_of_pass(lines, options, model, tokenizer, traced.execution());
        commit(traced, results, options, session.report);
        for (std::size_t i = 0; i < lines.size(); ++i) {
          try {
            const std::string text = text_of_line(lines[i], options);
            if (text.empty()) continue;
            const auto scores =
                traced.is_traced() ? passed[i] : scores_of_line(text, numbers[i], results[i].has_unknown);
            results[i].text = options.output.json ? to_json(scores, tokenizer) : shown(scores, tokenizer, options);
          } catch (const attn::Error& error) {
            if (error.kind() == attn::ErrorKind::usage) throw;
            results[i].error = error;
          }
        }
        return results;
      },
      [&](const std::string& result) { session.results.print(result); });
  if (windowed)
    session.report.note("line " + std::to_string(*windowed) + " is longer than the " + std::to_string(positions) +
                        " positions of the model: read in windows that move on by " + std::to_string(positions / 2) +
                        " tokens; --stride N sets the step, --max-length N cuts");
}

bool makes_vectors_of_lines(const Options& options, const attn::OpenedModel& opened) {
  const bool reads_text = !options.ids.given() && !options.decoder_ids.given() && !opened.sees();
  const bool is_whole = options.from.empty() && options.to.empty() && options.output.emit.empty();
  return reads_text && is_whole && options.trace.empty() && wants_vectors(options, opened);
}

void run_vectors(const Options& options, const attn::OpenedModel& opened, const Traced& untraced,
                 cli::Session& session) {
  const attn::Model model = opened.load(session.dtype());
  const attn::text::Tokenizer tokenizer = tokenizer_of(opened, session);
  const attn::TextTaskParameters parameters = task_parameters(options, opened, model.dtype(), session);
  const std::size_t width = width_of_vectors(opened, model.dtype(), parameters.vectors);
  LineRun run(options, opened, line_window, untraced, session);
  const auto rows = std::make_shared<Rows>(options.output.operand.source);
  run.each(
      [&](const std::vector<std::string>& lines, const std::vector<std::size_t>&) {
        std::vector<LineResult> results;
        for (const attn::LinePredictions& line : perform(model, tokenizer, lines, parameters, untraced.execution()))
          results.push_back({bytes_of(line.vector, width, model.dtype()), line.is_cut, line.has_unknown, line.error});
        return results;
      },
      [&](const std::string& row) { rows->add(row); });
  const attn::TensorProducer vectors{
      model.dtype(), {rows->count(), width}, [rows](const attn::ByteConsumer& consume) { rows->read(consume); }};
  session.write(options.output, {{"", {}, {}, vectors}});
}

}  // namespace transformer_run
