#include <attn/core/characters.hpp>
#include <attn/text/lines.hpp>
#include <attn/transformer/decoding/generate.hpp>
#include <attn/transformer/inference.hpp>
#include <attn/transformer/text_generation.hpp>

#include <algorithm>
#include <mutex>

namespace attn {
namespace {

using Tokens = std::vector<std::int64_t>;

/// Where the first of the stop texts begins, or the end.
std::size_t find_stop(const std::string& text, const std::vector<std::string>& stop) {
  std::size_t first = text.size();
  for (const std::string& word : stop) first = std::min({first, text.find(word), text.size()});
  return first;
}

/// Length of the longest end of `text` with which one of the stop texts could begin.
std::size_t begun_stop(const std::string& text, const std::vector<std::string>& stop) {
  std::size_t longest = 0;
  for (const std::string& word : stop)
    for (std::size_t n = std::min(word.size(), text.size()); n > longest; --n)
      if (text.compare(text.size() - n, n, word, 0, n) == 0) longest = n;
  return longest;
}

/// The ids that the tokenizer has: tables are often longer than the vocabulary, which may have gaps.
Tokens known(const text::Tokenizer& tokenizer, Tokens ids) {
  ids.erase(std::remove_if(ids.begin(), ids.end(), [&](std::int64_t id) { return !tokenizer.has(id); }), ids.end());
  return ids;
}

/// The tokens of a text that a decoder is to continue: it goes on before the end token that some tokenizers add.
Tokens without_added_end(text::Encoding tokens, const Tokens& end) {
  if (tokens.size() > 1 && tokens.origins.back() == text::Origin::added &&
      std::count(end.begin(), end.end(), tokens.ids.back()) > 0)
    tokens.ids.pop_back();
  return std::move(tokens.ids);
}

/// Text as it becomes known: pieces that later tokens cannot change any more.
class TextStream {
 public:
  TextStream(const text::Tokenizer& tokenizer, const TextGenerationParameters& parameters, const TextHook& hook)
      : tokenizer_(tokenizer), parameters_(parameters), hook_(hook) {}

  /// Takes all tokens so far; true when a stop text has come.
  bool operator()(const Tokens& ids) {
    if (!hook_ && parameters_.generation.stop.empty()) return false;
    const std::string text = tokenizer_.decode(known(tokenizer_, ids));
    const std::size_t end = find_stop(text, parameters_.generation.stop);
    const std::size_t settled = end < text.size() ? end : end - begun_stop(text, parameters_.generation.stop);
    // A character of several tokens decodes to U+FFFD until its last byte is there.
    const bool is_whole = !ends_with(text, "\xef\xbf\xbd");
    if (hook_ && is_whole && settled > shown_) {
      hook_(text.substr(shown_, settled - shown_));
      shown_ = settled;
    }
    return end < text.size();
  }

 private:
  const text::Tokenizer& tokenizer_;
  const TextGenerationParameters& parameters_;
  const TextHook& hook_;
  std::size_t shown_ = 0;
};

}  // namespace

/// Lines that are computed together.
struct TextGenerator::Batch {
  std::vector<std::size_t> lines;
  std::vector<Tokens> ids;
};

void check_ids(const Tokens& ids, const InputDescription& input, const text::Tokenizer& tokenizer) {
  for (const std::int64_t id : ids)
    if (id >= static_cast<std::int64_t>(input.vocabulary))
      throw Error(ErrorKind::data, "text",
                  "has the token " + tokenizer.token(id) + " with the id " + std::to_string(id) +
                      ", the model's embedding has " + std::to_string(input.vocabulary) + " rows",
                  "do tokenizer and model belong together?");
}

text::TruncationOptions truncation_of(const ModelDescription& model, const text::Tokenizer& tokenizer,
                                      std::optional<std::size_t> max_length) {
  text::TruncationOptions truncation = tokenizer.truncation();
  truncation.max_length = max_length == 0 ? 0 : std::min(max_length.value_or(model.max_positions), model.max_positions);
  return truncation;
}

text::Encoding tokens_of(const std::string& line, const ModelDescription& model, const text::Tokenizer& tokenizer,
                         std::optional<std::size_t> max_length, std::size_t room,
                         const std::optional<text::ChatTemplate>& chat) {
  if (line.empty() && model.task != Task::embed) return {};
  const std::string text = chat ? (*chat)(line) : line;
  const bool goes_on = model.task == Task::generate && !model.encoder;
  text::EncodeOptions options;
  options.special_tokens = !chat && !(model.task == Task::generate && model.bare_prompts);
  options.truncation = truncation_of(model, tokenizer, max_length);
  if (goes_on) options.truncation.side = text::Side::left;
  const bool may_fill = goes_on && !max_length;  // the positions, before it is cut to leave room
  if (may_fill) options.truncation.max_length = 0;
  text::Encoding tokens = tokenizer.encode(text, options);
  if (const std::size_t most = room > 0 ? model.max_positions : model.window(); may_fill && tokens.size() > most) {
    options.truncation.max_length = most - std::clamp<std::size_t>(room, 1, most / 2);
    tokens = tokenizer.encode(text, options);
  }
  check_length(tokens.size(), model, "text", "--max-length N cuts it");
  check_ids(tokens.ids, model.input(), tokenizer);
  return tokens;
}

TextGenerator::TextGenerator(const Model& model, const text::Tokenizer& tokenizer)
    : model_(model), tokenizer_(tokenizer) {}

Answer TextGenerator::answer(Generated generated, const TextGenerationParameters& parameters) const {
  std::string text = tokenizer_.decode(known(tokenizer_, generated.ids));
  text.resize(find_stop(text, parameters.generation.stop));
  return {std::move(text), std::move(generated)};
}

void TextGenerator::run(const Batch& batch, const TextGenerationParameters& parameters, const Execution& execution,
                        const TextHook& hook, std::vector<LineAnswers>& results) const {
  const TokenBatch source = padded_batch(batch.ids, model_.description().tokens.padding.value_or(0));
  const std::size_t times = parameters.generation.num_return;
  const TextHook shown = parameters.generation.beams > 1 ? TextHook() : hook;  // no beam is the answer yet
  std::vector<TextStream> streams(batch.lines.size() * times, TextStream(tokenizer_, parameters, shown));
  InferenceResult result = infer(model_, source, std::nullopt, parameters.generation, {}, execution,
                                 [&](std::size_t row, const Tokens& ids) { return streams[row](ids); });
  for (std::size_t row = 0; row < result.generated.size(); ++row)
    for (Generated& sequence : result.generated[row])
      results[batch.lines[row]].answers.push_back(answer(std::move(sequence), parameters));
}

std::vector<LineAnswers> TextGenerator::operator()(const std::vector<std::string>& lines,
                                                   const TextGenerationParameters& parameters,
                                                   const Execution& execution, const TextHook& hook) const {
  std::vector<LineAnswers> results(lines.size());
  std::vector<Tokens> ids(lines.size());
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    try {
      const std::string line = parameters.json_lines ? text::text_from_json(lines[i]) : lines[i];
      text::Encoding tokens = tokens_of(line, model_.description(), tokenizer_, parameters.max_length,
                                        parameters.generation.max_new_tokens, parameters.chat);
      results[i].is_cut = tokens.truncated;
      results[i].has_unknown = tokens.has_unknown;
      const ModelDescription& model = model_.description();
      ids[i] = model.encoder ? std::move(tokens.ids) : without_added_end(std::move(tokens), model.tokens.end);
      check_prompt(ids[i].size(), model_.description(), parameters.generation);
      if (ids[i].empty() && !execution.trace)
        results[i].answers.resize(parameters.generation.num_return);
      else
        order.push_back(i);
    } catch (const Error& error) {
      results[i].error = error;
    }
  }
  // A trace is of all lines as one batch, a row for each.
  if (!execution.trace)
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return ids[a].size() < ids[b].size(); });
  const std::size_t rows = execution.trace ? order.size() : hook ? 1 : std::max<std::size_t>(1, parameters.batch_rows);
  std::vector<Batch> batches;
  for (std::size_t first = 0; first < order.size(); first += rows) {
    Batch& batch = batches.emplace_back();
    for (std::size_t i = first; i < std::min(first + rows, order.size()); ++i) {
      batch.lines.push_back(order[i]);
      batch.ids.push_back(std::move(ids[order[i]]));
    }
  }
  std::mutex reporting;
  std::size_t done = lines.size() - order.size();
  const auto work = [&](std::size_t task, const Execution& how) {
    run(batches[task], parameters, how, hook, results);
    const std::lock_guard<std::mutex> lock(reporting);
    done += batches[task].lines.size();
    if (execution.progress) execution.progress(done, lines.size());
  };
  const Execution quiet = execution.without_progress();  // batches are what is counted
  if (hook || execution.trace)
    for (std::size_t task = 0; task < batches.size(); ++task) work(task, quiet);
  else
    execution.parallel(batches.size(), [&](std::size_t task, std::size_t) { work(task, quiet); });
  return results;
}

}  // namespace attn
