#include <attn/transformer/text_task.hpp>

#include <attn/core/error.hpp>
#include <attn/text/lines.hpp>
#include <attn/transformer/decoding/next_token.hpp>
#include <attn/transformer/inference.hpp>
#include <attn/transformer/predictions.hpp>
#include <attn/transformer/stack/pass.hpp>
#include <attn/transformer/text_generation.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <mutex>
#include <numeric>

namespace attn {
namespace {

/// What two windows of so many tokens share, as in the pipelines of transformers.
std::size_t shared_tokens(std::size_t length) { return std::min<std::size_t>(length / 2, 128); }

/// Throws Error(data) that names the smallest length, if this one leaves no room.
std::vector<text::Encoding> in_windows(const text::Tokenizer& tokenizer, const std::string& first,
                                       const std::optional<std::string_view>& second,
                                       const text::EncodeOptions& options) {
  const std::size_t length = options.truncation.max_length;
  try {
    return tokenizer.windows(first, second, shared_tokens(length), options);
  } catch (const Error&) {
    text::EncodeOptions whole = options;
    whole.truncation.max_length = 0;
    // Beside the text that is cut: special tokens, and the question.
    const std::size_t beside = (second ? tokenizer.encode(first, "", whole) : tokenizer.encode("", whole)).size();
    std::size_t enough = beside + 1;
    while (enough - beside <= shared_tokens(enough)) ++enough;
    if (length >= enough) throw;
    throw Error(
        ErrorKind::data, "text", "has no room in windows of " + std::to_string(length) + " tokens",
        "--max-length " + std::to_string(enough) + " is the smallest for " + (second ? "this question" : "any text"));
  }
}

/// One text or two as a row of the model, or as windows if its result is a part of the text.
std::vector<Line> tokenised(const Model& model, const text::Tokenizer& tokenizer, std::size_t index,
                            const std::string& first, const std::string* second,
                            const text::TruncationOptions& truncation) {
  const Task task = model.description().task;
  const bool has_windows = task == Task::answer || task == Task::label_tokens;
  text::EncodeOptions options;
  options.offsets = true;
  options.truncation = truncation;
  const std::size_t shared = shared_tokens(truncation.max_length);
  std::vector<text::Encoding> encodings;
  if (has_windows && truncation.max_length > 0) {
    options.truncation.strategy = text::Truncation::only_second;
    options.truncation.side = text::Side::right;
    const auto pair = second != nullptr ? std::optional<std::string_view>(*second) : std::nullopt;
    encodings = in_windows(tokenizer, first, pair, options);
  } else {
    encodings.push_back(second != nullptr ? tokenizer.encode(first, *second, options)
                                          : tokenizer.encode(first, options));
    check_length(encodings.front().size(), model.description(), "text",
                 has_windows ? "--max-length N reads it in windows" : "--max-length N cuts it");
  }
  const auto text = std::make_shared<const std::string>(second != nullptr ? *second : first);
  std::vector<Line> rows;
  for (text::Encoding& encoding : encodings) {
    if (encoding.size() == 0) throw Error(ErrorKind::data, "text", "has no tokens");
    check_ids(encoding.ids, model.description().input(), tokenizer);
    rows.push_back({index, text, std::move(encoding), rows.empty() ? 0 : shared});
  }
  return rows;
}

std::vector<std::string> split_at_tabs(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t start = 0, end = 0; end != std::string::npos; start = end + 1) {
    end = text.find('\t', start);
    parts.push_back(text.substr(start, end - start));
  }
  return parts;
}

/// The texts of a line: one, a pair, or a text and its choices.
std::vector<std::string> texts_of(const std::string& line, Task task, bool is_json) {
  if (is_json) return text::texts_from_json(line);
  if (task == Task::choose) return split_at_tabs(line);
  const std::size_t tab = task == Task::answer || task == Task::classify ? line.find('\t') : std::string::npos;
  return tab == std::string::npos ? std::vector<std::string>{line}
                                  : std::vector<std::string>{line.substr(0, tab), line.substr(tab + 1)};
}

/// The rows that a line becomes: itself, a pair or their windows; for Task::choose a pair for each choice.
std::vector<Line> rows_of(const Model& model, const text::Tokenizer& tokenizer, const std::vector<std::string>& texts,
                          std::size_t index, const TextTaskParameters& parameters) {
  const text::TruncationOptions truncation = truncation_of(model.description(), tokenizer, parameters.max_length);
  const Task task = model.description().task;
  const auto expect = [&](bool is_good, const char* in_json, const char* in_line) {
    if (is_good) return;
    if (!parameters.json_lines) throw Error(ErrorKind::data, "text", "has no tab", in_line);
    throw Error(ErrorKind::data, "JSON",
                "the number of texts is " + std::to_string(texts.size()) + ", expected " + in_json);
  };
  if (task == Task::choose) {
    expect(texts.size() >= 2, "a text and its choices", "a line is a text and its choices, separated by tabs");
    std::vector<Line> rows;
    for (std::size_t i = 1; i < texts.size(); ++i)
      rows.push_back(tokenised(model, tokenizer, index, texts[0], &texts[i], truncation).front());
    return rows;
  }
  expect(task != Task::answer || texts.size() == 2, "a question and a text",
         "a line is a question, a tab, and the text with the answer");
  expect(texts.size() == 1 || task == Task::answer || (task == Task::classify && texts.size() == 2),
         task == Task::classify ? "one or two" : "one", "");
  const bool has_prompt = task == Task::embed || task == Task::classify;
  const std::string first = has_prompt ? text_as_read(texts[0], parameters.vectors) : texts[0];
  if (texts.size() == 1) return tokenised(model, tokenizer, index, first, nullptr, truncation);
  TextVectorParameters of_second = parameters.vectors;
  of_second.prompt.clear();
  const std::string second = has_prompt ? text_as_read(texts[1], of_second) : texts[1];
  return tokenised(model, tokenizer, index, first, &second, truncation);
}

/// An answer is in the second text.
TensorView second_texts(const std::vector<Line>& lines, const std::vector<std::size_t>& chosen, const Shape& shape) {
  Tensor mask = Tensor::zeros(DType::u8, shape);
  for (std::size_t row = 0; row < chosen.size(); ++row) {
    const auto& origins = lines[chosen[row]].encoding.origins;
    std::transform(origins.begin(), origins.end(), mask.data_as<std::uint8_t>() + row * shape[1],
                   [](text::Origin origin) { return origin == text::Origin::second; });
  }
  return mask.view("the second texts");
}

TokenBatch batch_of(const Model& model, const std::vector<Line>& lines, const std::vector<std::size_t>& chosen) {
  std::vector<std::vector<std::int64_t>> ids, types;
  for (const std::size_t i : chosen) {
    ids.push_back(lines[i].encoding.ids);
    types.push_back(lines[i].encoding.type_ids);
  }
  TokenBatch batch = padded_batch(ids, model.description().tokens.padding.value_or(0));
  const InputDescription& input = model.description().input();
  if (input.types_are_segments || (!input.type_tensor.empty() && input.types > 1))
    batch.types = padded_batch(types, 0).ids;
  if (model.description().head && model.description().head->search)
    batch.answer_mask = second_texts(lines, chosen, batch.ids.shape);
  return batch;
}

/// For a model with two streams: no token sees a mask, and every position has a target.
void hide_masks(TokenBatch& batch, std::int64_t mask) {
  const std::size_t rows = batch.ids.shape[0], length = batch.ids.shape[1];
  const std::vector<std::int64_t> ids = to_integers(batch.ids);
  Tensor hidden(DType::u8, {rows, length, length}), places = Tensor::zeros(DType::f32, {rows, length, length});
  for (std::size_t row = 0; row < rows * length; ++row) {
    places.data_as<float>()[row * length + row % length] = 1;
    for (std::size_t j = 0; j < length; ++j)
      hidden.data_as<std::uint8_t>()[row * length + j] = ids[row / length * length + j] == mask;
  }
  batch.permutation_mask = hidden.view("masks");
  batch.target_mapping = places.view("places");
}

/// Was the mask in what was cut off?
bool is_mask_cut(const Line& line, std::int64_t mask) {
  const auto& ids = line.encoding.ids;
  return line.encoding.truncated && std::find(ids.begin(), ids.end(), mask) == ids.end();
}

/// The predictions of a row: of a line, or of one of its choices.
struct RowPredictions : LinePredictions {
  double logit = 0;                            ///< of a choice
  double no_answer = 0;                        ///< its probability
  std::vector<std::vector<double>> of_tokens;  ///< probabilities of the labels of the text's tokens
};

RowPredictions read_off(const Model& model, const text::Tokenizer& tokenizer, const InferenceResult& result,
                        const TokenBatch& batch, std::size_t row, const Line& line,
                        const TextTaskParameters& parameters, std::size_t unpooled) {
  RowPredictions found;
  const ModelDescription& description = model.description();
  if (description.task == Task::embed) {
    const auto alone = [&](const TensorView& x) { return slice(x, {{row, row + 1, 1, false}}); };
    const TensorView states = alone(states_to_pool(description, result));
    std::optional<TensorView> mask;
    if (batch.padding_mask && states.shape[1] == batch.ids.shape[1]) mask = alone(*batch.padding_mask);
    found.vector = to_doubles(text_vectors(states, mask, parameters.vectors, unpooled));
    return found;
  }
  const TensorView logits = element(*result.head, row);
  switch (description.task) {
    case Task::classify: found.predictions = classify(logits, *description.head, parameters.best); break;
    case Task::label_tokens: found.of_tokens = token_probabilities(logits, line); break;
    case Task::answer:
      if (description.head->search) {
        found.predictions = searched_answers(logits, line, parameters.best);
      } else {
        found.predictions = answers(logits, line, parameters.best);
        found.no_answer = no_answer(logits, line);
      }
      break;
    case Task::choose: found.logit = to_doubles(logits).at(0); break;
    default:
      if (is_mask_cut(line, tokenizer.mask_token()))
        throw Error(ErrorKind::data, "text",
                    "has no mask in the " + std::to_string(line.encoding.size()) + " tokens to which it was cut",
                    "shorten the text before the mask");
      found.predictions = fill_masks(logits, line, tokenizer, tokenizer.mask_token(), parameters.best);
  }
  return found;
}

/// The answers in all windows of a text, most probable first, each once; empty if no window has one.
void merge_answers(LinePredictions& line, const RowPredictions* first, const RowPredictions* last,
                   const TextTaskParameters& parameters) {
  std::vector<Prediction> all;
  const auto add = [&](const Prediction& prediction) {
    const auto same = std::find_if(all.begin(), all.end(), [&](const Prediction& other) {
      return other.place.begin == prediction.place.begin && other.place.end == prediction.place.end;
    });
    if (same == all.end())
      all.push_back(prediction);
    else
      same->probability = std::max(same->probability, prediction.probability);
  };
  double none = 1;
  for (const RowPredictions* row = first; row != last; ++row) {
    std::for_each(row->predictions.begin(), row->predictions.end(), add);
    none = std::min(none, row->no_answer);
  }
  if (parameters.no_answer) all.push_back({"", "", none, {}});
  std::stable_sort(all.begin(), all.end(),
                   [](const Prediction& a, const Prediction& b) { return a.probability > b.probability; });
  all.resize(std::min(all.size(), parameters.best));
  line.predictions = std::move(all);
}

/// The labels of a text in `count` windows. Of the tokens that two of them share, each has those with more text around.
std::vector<Prediction> labels_of_windows(const Line* windows, RowPredictions* found, std::size_t count,
                                          const Model& model, const text::Tokenizer& tokenizer,
                                          Aggregation aggregation) {
  Line whole{windows->index, windows->text, {}};
  std::vector<std::vector<double>> p;
  for (std::size_t w = 0; w < count; ++w) {
    const text::Encoding& tokens = windows[w].encoding;
    const std::size_t first = (windows[w].shared + 1) / 2;
    const std::size_t end = found[w].of_tokens.size() - (w + 1 < count ? windows[w + 1].shared / 2 : 0);
    for (std::size_t i = 0, token = 0; i < tokens.size(); ++i) {
      if (tokens.origins[i] == text::Origin::added) continue;
      if (token >= first && token < end) {
        whole.encoding.ids.push_back(tokens.ids[i]);
        whole.encoding.origins.push_back(tokens.origins[i]);
        whole.encoding.offsets.push_back(tokens.offsets[i]);
        p.push_back(std::move(found[w].of_tokens[token]));
      }
      ++token;
    }
  }
  const std::vector<bool> continues = tokenizer.continuations(whole.encoding, *whole.text);
  return label_tokens(p, whole, model.description().head->labels, aggregation, continues);
}

/// Combines the predictions of rows into those of lines; the rows of one line are consecutive.
void collect(const Model& model, const text::Tokenizer& tokenizer, const std::vector<Line>& lines,
             std::vector<RowPredictions>& found, const TextTaskParameters& parameters,
             std::vector<LinePredictions>& results) {
  for (std::size_t first = 0, last = 0; first < lines.size(); first = last) {
    LinePredictions result = found[first];
    std::vector<double> logits;
    std::vector<std::string> choices;
    for (; last < lines.size() && lines[last].index == lines[first].index; ++last) {
      logits.push_back(found[last].logit);
      choices.push_back(*lines[last].text);
      if (found[last].error) result.error = found[last].error;
      result.is_cut = result.is_cut || lines[last].encoding.truncated;
      result.has_unknown = result.has_unknown || lines[last].encoding.has_unknown;
    }
    if (model.description().task == Task::answer && !result.error)
      merge_answers(result, found.data() + first, found.data() + last, parameters);
    if (model.description().task == Task::label_tokens && !result.error)
      result.predictions =
          labels_of_windows(&lines[first], &found[first], last - first, model, tokenizer, parameters.aggregation);
    if (model.description().task == Task::choose && !result.error)
      result.predictions = choose(logits, choices, parameters.best);
    results[lines[first].index] = std::move(result);
  }
}

/// The rows of all texts, in order, tokenised by all threads; the error of a text is in its result.
std::vector<Line> rows_of(const Model& model, const text::Tokenizer& tokenizer, const std::vector<std::string>& texts,
                          const TextTaskParameters& parameters, const Execution& execution,
                          std::vector<LinePredictions>& results) {
  const bool embeds = model.description().task == Task::embed;
  const auto says_nothing = [&](const std::vector<std::string>& line) {
    return line.size() == 1 && line[0].empty() &&
           (!embeds || tokenizer.encode(text_as_read(line[0], parameters.vectors)).size() == 0);
  };
  std::vector<std::vector<Line>> of_text(texts.size());
  execution.parallel(texts.size(), [&](std::size_t i, std::size_t) {
    try {
      const std::vector<std::string> line = texts_of(texts[i], model.description().task, parameters.json_lines);
      if (!says_nothing(line)) of_text[i] = rows_of(model, tokenizer, line, i, parameters);
    } catch (const Error& error) {
      results[i].error = error;
    }
  });
  std::vector<Line> rows;
  for (std::vector<Line>& some : of_text)
    rows.insert(rows.end(), std::make_move_iterator(some.begin()), std::make_move_iterator(some.end()));
  return rows;
}

/// Batches of rows by number, shortest first. Rows of one length need no padding; a batch takes longer ones only while
/// it is so small that reading the weights costs more than the padding.
std::vector<std::vector<std::size_t>> batches_of(const std::vector<Line>& lines, std::size_t most_rows,
                                                 bool turns_by_length) {
  constexpr std::size_t enough_tokens = 256;
  const auto length_of = [&](std::size_t row) { return lines[row].encoding.size(); };
  std::vector<std::size_t> order(lines.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return length_of(a) < length_of(b); });
  std::vector<std::vector<std::size_t>> batches;
  for (const std::size_t row : order) {
    const bool takes = !batches.empty() && batches.back().size() < most_rows;
    const bool is_as_long = takes && length_of(batches.back().back()) == length_of(row);
    const bool is_small = takes && !turns_by_length && batches.back().size() * length_of(row) < enough_tokens;
    if (!is_as_long && !is_small) batches.emplace_back();
    batches.back().push_back(row);
  }
  return batches;
}

/// (N * frames, labels) to (N, labels).
TensorView mean_of_frames(const TensorView& logits, std::size_t videos) {
  const std::size_t frames = logits.shape[0] / videos;
  return pool(reshaped(logits, {videos, frames, logits.shape[1]}), std::nullopt, Pooling::mean);
}

using Tokens = std::vector<std::int64_t>;

/// Appends log softmax(logits_i)[id] of each row of logits (ids, vocabulary).
void append_scores(const TensorView& logits, const std::int64_t* ids, std::vector<double>& scores) {
  for (std::size_t i = 0; i < logits.shape[0]; ++i) {
    std::vector<double> row = to_doubles(element(logits, i));
    log_softmax(row);
    scores.push_back(row[static_cast<std::size_t>(ids[i])]);
  }
}

/// Appends the scores of ids[first] ... ids[end - 1], read from ids[begin] on.
void score_window(const Model& model, const Tokens& ids, std::size_t begin, std::size_t first, std::size_t end,
                  const Execution& execution, std::vector<double>& scores) {
  constexpr std::size_t rows_at_once = 256;
  const Tokens window(ids.begin() + static_cast<std::ptrdiff_t>(begin), ids.begin() + static_cast<std::ptrdiff_t>(end));
  StackRun decoder = StackRun::decoder(model, std::nullopt, window.size(), execution);
  const TensorView states = decoder(padded_batch({window}, 0));  // (1, L, width)
  for (std::size_t i = first; i < end; i += rows_at_once) {
    const std::size_t last = std::min(i + rows_at_once, end);
    const auto row = [begin](std::size_t token) { return static_cast<std::int64_t>(token - begin) - 1; };
    const TensorView logits = model.logits(slice(states, {{}, {row(i), row(last), 1, false}}), execution);
    append_scores(element(logits, 0), ids.data() + i, scores);
  }
}

using Json = nlohmann::ordered_json;

std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json with_place(const Prediction& prediction) {
  Json json{{"text", prediction.text}};
  if (!prediction.label.empty()) json["label"] = prediction.label;
  json["probability"] = prediction.probability;
  json["start"] = prediction.place.begin;
  json["end"] = prediction.place.end;
  return json;
}

}  // namespace

std::vector<LinePredictions> perform(const Model& model, const text::Tokenizer& tokenizer,
                                     const std::vector<std::string>& texts, const TextTaskParameters& parameters,
                                     const Execution& execution) {
  const ModelDescription& description = model.description();
  if (description.task == Task::generate || description.task == Task::score_tokens)
    throw Error(ErrorKind::usage, "task", "generates or scores tokens; it has no result for a whole line");
  const std::size_t unpooled = description.task == Task::embed ? unpooled_tokens(tokenizer, parameters.vectors) : 0;
  std::vector<LinePredictions> results(texts.size());
  const std::vector<Line> lines = rows_of(model, tokenizer, texts, parameters, execution, results);
  std::vector<RowPredictions> found(lines.size());
  std::vector<std::vector<std::size_t>> batches;
  if (!execution.trace) {
    batches = batches_of(lines, std::max<std::size_t>(1, parameters.batch_rows), description.turns_by_length());
  } else if (!lines.empty()) {
    batches.emplace_back(lines.size());
    std::iota(batches.front().begin(), batches.front().end(), 0);
  }
  const Execution quiet = execution.without_progress();  // rows are what is counted
  std::mutex reporting;
  std::size_t done = 0;
  const auto work = [&](std::size_t task, std::size_t) {
    const std::vector<std::size_t>& rows = batches[task];
    TokenBatch batch = batch_of(model, lines, rows);
    if (description.task == Task::fill_mask && description.encoder->two_streams)
      hide_masks(batch, tokenizer.mask_token());
    const InferenceResult result = infer(model, batch, std::nullopt, {}, {}, quiet);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      try {
        found[rows[i]] = read_off(model, tokenizer, result, batch, i, lines[rows[i]], parameters, unpooled);
      } catch (const Error& error) {
        found[rows[i]].error = error;
      }
    }
    const std::lock_guard<std::mutex> lock(reporting);
    done += rows.size();
    if (execution.progress) execution.progress(done, lines.size());
  };
  // A thread for each batch, or all threads for one batch after another where batches are few.
  if (batches.size() >= execution.threads())
    execution.parallel(batches.size(), work);
  else
    for (std::size_t task = 0; task < batches.size(); ++task) work(task, 0);
  collect(model, tokenizer, lines, found, parameters, results);
  return results;
}

std::vector<LinePredictions> perform(const Model& model, const TensorView& pixels, const TextTaskParameters& parameters,
                                     const Execution& execution) {
  const InferenceResult result = infer(model, {pixels}, std::nullopt, {}, {}, execution);
  const std::size_t count = pixels.shape[0];
  std::vector<LinePredictions> predictions(count);
  const bool embeds = model.description().task == Task::embed;
  const TensorView states = states_to_pool(model.description(), result);
  const TensorView all =
      embeds ? text_vectors(reshaped(states, {count, states.size() / count / states.shape[2], states.shape[2]}),
                            std::nullopt, parameters.vectors)
             : mean_of_frames(*result.head, count);
  for (std::size_t i = 0; i < count; ++i) {
    if (embeds)
      predictions[i].vector = to_doubles(element(all, i));
    else
      predictions[i].predictions = classify(element(all, i), *model.description().head, parameters.best);
  }
  return predictions;
}

double TokenScores::sum() const { return std::accumulate(log_probabilities.begin(), log_probabilities.end(), 0.0); }

double TokenScores::perplexity() const {
  return log_probabilities.empty() ? 1 : 1 / reproducible_exp(sum() / static_cast<double>(log_probabilities.size()));
}

TokenScores scores_of(const TensorView& logits, const Tokens& ids) {
  TokenScores result{ids, {}};
  if (ids.size() < 2) return result;
  const auto last = static_cast<std::int64_t>(ids.size()) - 1;
  append_scores(slice(logits, {{0, last, 1, false}}), ids.data() + 1, result.log_probabilities);
  return result;
}

TokenScores score_tokens(const Model& model, const Tokens& ids, std::size_t stride, const Execution& execution) {
  if (model.description().encoder)
    throw Error(ErrorKind::usage, "model", "has an encoder; only a model that is a decoder alone scores a text");
  const std::size_t most = stride == 0 ? ids.size() : model.description().window();
  if (stride == 0)
    check_length(ids.size(), model.description(), "text", "--stride N reads it in windows");
  else if (stride >= most)
    throw Error(ErrorKind::usage, "--stride", "must be less than the model's " + std::to_string(most) + " positions");
  TokenScores result{ids, {}};
  std::size_t scored = 1;  // tokens so far, the first of which cannot be scored
  for (std::size_t begin = 0; scored < ids.size(); begin += stride) {
    const std::size_t end = std::min(begin + most, ids.size());
    if (end > scored) score_window(model, ids, begin, scored, end, execution, result.log_probabilities);
    scored = end;
  }
  return result;
}

std::string to_json(const LinePredictions& line, Task task) {
  if (line.error) return text_of({{"error", line.error->what()}});
  if (task == Task::embed) return text_of({{"vector", line.vector}});
  Json list = Json::array();
  for (const Prediction& prediction : line.predictions) {
    if (task == Task::classify || task == Task::choose)
      list.push_back({{"label", prediction.text}, {"probability", prediction.probability}});
    if (task == Task::label_tokens || task == Task::answer) list.push_back(with_place(prediction));
    if (task != Task::fill_mask) continue;
    if (list.size() <= prediction.mask) list.push_back(Json::array());
    list.back().push_back({{"token", prediction.text}, {"probability", prediction.probability}});
  }
  const char* name = task == Task::classify       ? "labels"
                     : task == Task::choose       ? "choices"
                     : task == Task::label_tokens ? "entities"
                     : task == Task::answer       ? "answers"
                                                  : "masks";
  return text_of({{name, list}});
}

std::string to_json(const LineAnswers& line) {
  if (line.error) return text_of({{"error", line.error->what()}});
  Json list = Json::array();
  for (const Answer& answer : line.answers) list.push_back({{"text", answer.text}, {"score", answer.generated.score}});
  return text_of({{"answers", list}});
}

std::string to_json(const TokenScores& scores, const text::Tokenizer& tokenizer) {
  Json tokens = Json::array(), log_probabilities = Json::array({nullptr});
  for (const std::int64_t id : scores.ids) tokens.push_back(tokenizer.token(id));
  for (const double score : scores.log_probabilities) log_probabilities.push_back(score);
  return text_of({{"perplexity", scores.perplexity()},
                  {"log_probability", scores.sum()},
                  {"tokens", tokens},
                  {"log_probabilities", log_probabilities}});
}

}  // namespace attn
