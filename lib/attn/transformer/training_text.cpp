#include <attn/core/error.hpp>
#include <attn/transformer/decoding/sampling.hpp>
#include <attn/transformer/text_generation.hpp>
#include <attn/transformer/text_task.hpp>
#include <attn/transformer/training_text.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

namespace attn {
namespace {

using Tokens = std::vector<std::int64_t>;

constexpr std::int64_t no_label = -100;  // as LossParameters has it
constexpr const char* cut_by_option = "--max-length N cuts it";

void shuffle(std::vector<std::size_t>& order, RandomNumbers& random) {
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.next() % i]);
}

/// The parts between spaces.
std::vector<text::Span> words_of(const std::string& text) {
  std::vector<text::Span> words;
  for (std::size_t end = 0; end < text.size();) {
    const std::size_t begin = text.find_first_not_of(' ', end);
    if (begin == std::string::npos) break;
    end = std::min(text.find(' ', begin), text.size());
    words.push_back({begin, end});
  }
  return words;
}

}  // namespace

bool learns_texts(const ModelDescription& model) {
  const bool has_labels = (model.task == Task::classify || model.task == Task::label_tokens) &&
                          model.head->probability == HeadDescription::Probability::softmax && model.head->outputs > 1;
  return model.task == Task::generate || model.task == Task::fill_mask || has_labels;
}

TrainingText::TrainingText(const ModelDescription& model, const text::Tokenizer& tokenizer,
                           const std::optional<text::Tokenizer>& answers, std::optional<std::size_t> max_length)
    : model_(model), tokenizer_(tokenizer), answers_(answers.value_or(tokenizer)), max_length_(max_length) {
  if (model.task == Task::fill_mask) mask_token_ = tokenizer.mask_token();
  if (!learns_texts(model))
    throw Error(ErrorKind::usage, "the model", "has a task that cannot be trained",
                "these can: translation, language models, masked language models, and one class for each text or "
                "word; \"architectures\" in config.json names the task");
  if (model.task != Task::generate || model.encoder) return;
  block_length_ = truncation_of(model, tokenizer, max_length).max_length;
  if (block_length_ == 1)
    throw Error(ErrorKind::usage, "--max-length", "is 1, and a language model learns the token after another",
                "take at least 2");
}

text::EncodeOptions TrainingText::options_of(const text::Tokenizer& tokenizer) const {
  text::EncodeOptions options;
  options.truncation = truncation_of(model_, tokenizer, max_length_);
  return options;
}

Tokens TrainingText::tokens_of(const std::string& line) const {
  text::EncodeOptions options;
  options.special_tokens = !model_.bare_prompts;
  Tokens tokens = tokenizer_.encode(line, options).ids;
  const Tokens& end = model_.tokens.end;
  if (!end.empty() && !tokens.empty() && tokens.back() != end.front()) tokens.push_back(end.front());
  return tokens;
}

std::int64_t TrainingText::number_of(const std::string& label) const {
  const std::vector<std::string>& names = model_.head->labels;
  const auto named = std::find(names.begin(), names.end(), label);
  std::size_t number = static_cast<std::size_t>(named - names.begin());
  if (named == names.end()) {
    const auto [end, error] = std::from_chars(label.data(), label.data() + label.size(), number);
    if (error != std::errc() || end != label.data() + label.size() || number >= model_.head->outputs)
      throw Error(ErrorKind::data, "label", "'" + label + "' is not a label of the model",
                  "its labels are " + listed_near(label, names));
  }
  return static_cast<std::int64_t>(number);
}

TrainingExample TrainingText::read_label(const std::vector<std::string>& cells) const {
  const text::EncodeOptions options = options_of(tokenizer_);
  const text::Encoding tokens =
      cells.size() == 2 ? tokenizer_.encode(cells[0], options) : tokenizer_.encode(cells[0], cells[1], options);
  return {tokens.ids, tokens.type_ids, {number_of(cells.back())}, tokens.truncated};
}

TrainingExample TrainingText::read_labels_of_words(const std::string& text, const std::string& all) const {
  const std::vector<text::Span> words = words_of(text), labels = words_of(all);
  if (words.empty()) throw Error(ErrorKind::data, "text", "has no words");
  if (words.size() != labels.size())
    throw Error(ErrorKind::data, "line",
                "has " + std::to_string(words.size()) + " words and " + std::to_string(labels.size()) + " labels",
                "give one label for each word; spaces separate both");
  Tokens numbers;
  for (const text::Span& label : labels) numbers.push_back(number_of(all.substr(label.begin, label.size())));
  text::EncodeOptions options = options_of(tokenizer_);
  options.offsets = true;
  const text::Encoding tokens = tokenizer_.encode(text, options);
  TrainingExample example{tokens.ids, tokens.type_ids, Tokens(tokens.size(), no_label), tokens.truncated};
  std::size_t word = 0;  // the next one without a token
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens.origins[i] == text::Origin::added) continue;
    // A token may begin with the space before its word, or be that space.
    const std::size_t begin = text.find_first_not_of(' ', tokens.offsets[i].begin);
    if (begin >= tokens.offsets[i].end) continue;
    while (word < words.size() && words[word].end <= begin) ++word;
    if (word == words.size() || begin < words[word].begin) continue;
    example.target[i] = numbers[word++];
  }
  return example;
}

std::pair<std::size_t, std::size_t> TrainingText::columns() const noexcept {
  if (model_.task == Task::classify) return {2, 3};
  const bool has_two = model_.task == Task::label_tokens || (model_.encoder && model_.decoder);
  return has_two ? std::pair<std::size_t, std::size_t>{2, 2} : std::pair<std::size_t, std::size_t>{1, 1};
}

void TrainingText::expect_columns(std::size_t count, const std::string& table) const {
  const auto [least, most] = columns();
  if (count >= least && count <= most) return;
  const char* const expected = model_.task == Task::classify       ? "a text, or two, and a label"
                               : model_.task == Task::label_tokens ? "a text and the labels of its words"
                               : most == 2                         ? "a text and its answer"
                                                                   : "a text";
  throw Error(ErrorKind::usage, table,
              "names " + std::to_string(count) + (count == 1 ? " column" : " columns") + ", expected " + expected);
}

TrainingExample TrainingText::read(const std::string& line) const {
  const auto [least, most] = columns();
  if (most == 1) return read(std::vector<std::string>{line});
  std::vector<std::string> cells;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find('\t', begin), line.size());
    cells.push_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
  const bool is_class = model_.task == Task::classify;
  const std::string second = is_class ? "label" : model_.task == Task::label_tokens ? "labels" : "answer";
  if (cells.size() < least)
    throw Error(ErrorKind::data, "line", "has no tab",
                "expected text, tab, " + second + "; columns of a table are named, as in FILE:/text," + second);
  if (cells.size() > most)
    throw Error(ErrorKind::data, "line", is_class ? "has more than two tabs" : "has two tabs",
                "expected text, tab, " + second + (is_class ? ", or two texts" : ""));
  return read(cells);
}

TrainingExample TrainingText::read(const std::vector<std::string>& cells) const {
  TrainingExample example;
  if (model_.task == Task::classify) {
    example = read_label(cells);
  } else if (model_.task == Task::label_tokens) {
    example = read_labels_of_words(cells[0], cells[1]);
  } else if (model_.encoder && model_.decoder) {
    const text::Encoding text = tokenizer_.encode(cells[0], options_of(tokenizer_));
    const text::Encoding answer = answers_.encode(cells[1], options_of(answers_));
    example = {text.ids, text.type_ids, answer.ids, text.truncated || answer.truncated};
    if (example.target.empty()) throw Error(ErrorKind::data, "answer", "has no tokens");
    check_length(example.target.size(), model_, "answer", cut_by_option);
    check_ids(example.target, *model_.target, answers_);
  } else if (model_.task == Task::fill_mask) {
    const text::Encoding tokens = tokenizer_.encode(cells[0], options_of(tokenizer_));
    example = {tokens.ids, tokens.type_ids, {}, tokens.truncated};
  } else {
    example.source = tokens_of(cells[0]);
    example.types.assign(example.source.size(), 0);
    if (example.source.size() == 1)
      throw Error(ErrorKind::data, "text", "has one token, and none follows that could be learned");
  }
  if (example.source.empty()) throw Error(ErrorKind::data, "text", "has no tokens");
  const bool continues = model_.task == Task::generate && !model_.encoder;
  if (block_length_ == 0)
    check_length(example.source.size(), model_, "text",
                 continues ? "--max-length N makes blocks of it" : cut_by_option);
  check_ids(example.source, model_.input(), tokenizer_);
  return example;
}

/// Replaces tokens of a row, and returns the labels of that row.
Tokens TrainingText::mask(std::vector<Tokens>& rows, std::size_t row, std::uint64_t seed, std::uint64_t stream) const {
  RandomNumbers random(seed, (stream << 20) + row);
  Tokens labels(rows[row].size(), no_label);
  std::vector<std::size_t> words;
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (!tokenizer_.is_special(rows[row][i])) words.push_back(i);
  std::vector<std::size_t> chosen;
  for (const std::size_t i : words)
    if (random.uniform() < 0.15) chosen.push_back(i);
  // A short line teaches something too.
  if (chosen.empty() && !words.empty()) chosen.push_back(words[random.next() % words.size()]);
  for (const std::size_t i : chosen) {
    std::int64_t& id = rows[row][i];
    labels[i] = id;
    const double kind = random.uniform();
    if (kind < 0.8)
      id = mask_token_;
    else if (kind < 0.9)
      id = static_cast<std::int64_t>(random.next() % std::min(tokenizer_.vocabulary_size(), model_.input().vocabulary));
  }
  return labels;
}

TrainingBatch TrainingText::batch(const std::vector<TrainingExample>& examples, std::uint64_t seed,
                                  std::uint64_t stream) const {
  std::vector<Tokens> source, types, labels, read;
  for (const TrainingExample& example : examples) {
    source.push_back(example.source);
    types.push_back(example.types);
    labels.push_back(example.target);
    if (model_.task == Task::fill_mask) {
      labels.back() = mask(source, source.size() - 1, seed, stream);
    } else if (model_.task == Task::generate && !model_.encoder) {
      labels.back().assign(example.source.begin() + 1, example.source.end());
      labels.back().push_back(no_label);
    } else if (model_.task == Task::generate) {
      read.push_back({*model_.tokens.start});
      read.back().insert(read.back().end(), example.target.begin(), example.target.end() - 1);
    }
  }
  const std::int64_t padding = model_.tokens.padding.value_or(0);
  TrainingBatch batch{padded_batch(source, padding), std::nullopt, padded_batch(labels, no_label).ids};
  const InputDescription& input = model_.input();
  if (!input.type_tensor.empty() && input.types > 1) batch.source.types = padded_batch(types, 0).ids;
  if (!read.empty()) batch.target = TokenBatch{padded_batch(read, padding).ids};
  if (model_.task == Task::classify) batch.labels = reshaped(batch.labels, {examples.size()});
  return batch;
}

std::vector<std::size_t> held_out_rows(std::size_t rows, const std::vector<std::int64_t>& classes, double share,
                                       std::uint64_t seed) {
  constexpr std::uint64_t stream = ~std::uint64_t{0};  // that of no epoch
  RandomNumbers random(seed, stream);
  std::vector<std::size_t> order(rows), held;
  std::iota(order.begin(), order.end(), std::size_t{0});
  shuffle(order, random);
  if (!classes.empty())
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return classes[a] < classes[b]; });
  // Evenly spaced rows of this order: each class has its share.
  const auto before = [&](std::size_t i) { return std::floor(static_cast<double>(i) * share + 0.5); };
  for (std::size_t i = 0; i < rows; ++i)
    if (before(i + 1) > before(i)) held.push_back(order[i]);
  std::sort(held.begin(), held.end());
  return held;
}

std::vector<std::vector<std::size_t>> batches_of_epoch(const std::vector<std::size_t>& lengths, std::size_t batch_rows,
                                                       std::uint64_t seed, std::uint64_t epoch) {
  constexpr std::size_t batches_sorted_together = 100;
  RandomNumbers random(seed, epoch);
  std::vector<std::size_t> rows(lengths.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  shuffle(rows, random);
  std::vector<std::vector<std::size_t>> batches;
  for (std::size_t first = 0; first < rows.size(); first += batches_sorted_together * batch_rows) {
    const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end =
        rows.begin() + static_cast<std::ptrdiff_t>(std::min(rows.size(), first + batches_sorted_together * batch_rows));
    std::stable_sort(begin, end, [&](std::size_t a, std::size_t b) { return lengths[a] < lengths[b]; });
    for (auto next = begin; next < end;
         next += std::min<std::ptrdiff_t>(end - next, static_cast<std::ptrdiff_t>(batch_rows)))
      batches.emplace_back(next, next + std::min<std::ptrdiff_t>(end - next, static_cast<std::ptrdiff_t>(batch_rows)));
  }
  std::vector<std::size_t> order(batches.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  shuffle(order, random);
  std::vector<std::vector<std::size_t>> shuffled;
  for (const std::size_t i : order) shuffled.push_back(std::move(batches[i]));
  return shuffled;
}

}  // namespace attn
