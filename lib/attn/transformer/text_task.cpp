#include <attn/transformer/inference.hpp>
#include <attn/transformer/next_token.hpp>
#include <attn/transformer/text_generation.hpp>
#include <attn/transformer/text_task.hpp>

#include <attn/text/unicode.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attn {
namespace {

constexpr std::size_t longest_answer = 15;  // tokens, as transformers' pipeline has it

/// One line on its way: its tokens, and where they came from.
struct Line {
  std::size_t index;
  std::string first, second;  ///< question and text, for Task::answer
  text::Encoding encoding;
};

std::vector<double> numbers(const TensorView& x) {
  const TensorView wide = contiguous(cast(x, DType::f64));
  const double* first = wide.contiguous_data<double>();
  return {first, first + wide.size()};
}

std::vector<double> probabilities(const TensorView& logits) {
  std::vector<double> p = numbers(logits);
  log_softmax(p);
  for (double& x : p) x = std::exp(x);
  return p;
}

/// The indices of the k largest, the first among equals first.
std::vector<std::size_t> largest(const std::vector<double>& p, std::size_t k) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), 0);
  k = std::min(k, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(k), order.end(),
                    [&](std::size_t a, std::size_t b) { return p[a] != p[b] ? p[a] > p[b] : a < b; });
  order.resize(k);
  return order;
}

std::vector<double> probabilities(const TensorView& logits, HeadDescription::Probability kind) {
  if (kind == HeadDescription::Probability::softmax) return probabilities(logits);
  std::vector<double> p = numbers(logits);
  if (kind == HeadDescription::Probability::sigmoid)
    for (double& x : p) x = 1 / (1 + std::exp(-x));
  return p;
}

std::vector<Finding> classify(const TensorView& logits, const HeadDescription& head, std::size_t best) {
  const std::vector<std::string>& labels = head.labels;
  const std::vector<double> p = probabilities(logits, head.probability);
  std::vector<Finding> findings;
  for (const std::size_t i : largest(p, best)) findings.push_back({labels[i], "", p[i], {}});
  return findings;
}

/// A span of bytes of valid text, counted in code points.
text::Span code_points(const text::Span& span, std::string_view text) {
  const std::size_t begin = text::count_code_points(text.substr(0, span.begin));
  return {begin, begin + text::count_code_points(text.substr(span.begin, span.size()))};
}

std::string without_position(const std::string& label) {
  const bool marked = label.size() > 2 && label[1] == '-' && (label[0] == 'B' || label[0] == 'I');
  return marked ? label.substr(2) : label;
}

/// logits (L, labels)
std::vector<Finding> label_tokens(const TensorView& logits, const Line& line, const std::vector<std::string>& labels) {
  std::vector<Finding> findings;
  text::Span last{0, 0};
  std::size_t tokens = 0;
  bool open = false;
  for (std::size_t i = 0; i < line.encoding.size(); ++i) {
    if (line.encoding.origins[i] == text::Origin::added) continue;
    const std::vector<double> p = probabilities(element(logits, i));
    const std::size_t id = largest(p, 1).front();
    const std::string label = without_position(labels[id]);
    const bool goes_on = open && findings.back().label == label && labels[id].rfind("B-", 0) != 0;
    open = label != "O";
    if (!open) continue;
    if (!goes_on) {
      findings.push_back({"", label, 0, {}});
      last.begin = line.encoding.offsets[i].begin;
      tokens = 0;
    }
    last.end = line.encoding.offsets[i].end;
    Finding& finding = findings.back();
    finding.text = line.first.substr(last.begin, last.size());
    finding.place = code_points(last, line.first);
    finding.probability += (p[id] - finding.probability) / static_cast<double>(++tokens);
  }
  return findings;
}

/// logits (L, 2): start and end of the answer, anywhere in the second text.
std::vector<Finding> answers(const TensorView& logits, const Line& line, std::size_t best) {
  const std::size_t length = line.encoding.size();
  std::vector<double> start, end;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < length; ++i) {
    if (line.encoding.origins[i] != text::Origin::second) continue;
    const std::vector<double> both = numbers(element(logits, i));
    places.push_back(i);
    start.push_back(both[0]);
    end.push_back(both[1]);
  }
  if (places.empty()) return {};
  log_softmax(start);
  log_softmax(end);
  std::vector<Finding> findings;
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t j = i; j < std::min(places.size(), i + longest_answer); ++j) {
      const double p = std::exp(start[i] + end[j]);
      if (findings.size() == best && p <= findings.back().probability) continue;
      const text::Span span{line.encoding.offsets[places[i]].begin, line.encoding.offsets[places[j]].end};
      const auto worse = [&](const Finding& other) { return other.probability < p; };
      findings.insert(std::find_if(findings.begin(), findings.end(), worse),
                      {line.second.substr(span.begin, span.size()), "", p, code_points(span, line.second)});
      if (findings.size() > best) findings.pop_back();
    }
  return findings;
}

std::vector<Finding> fill_masks(const TensorView& logits, const Line& line, const text::Tokenizer& tokenizer,
                                std::int64_t mask, std::size_t best) {
  std::vector<Finding> findings;
  std::size_t masks = 0;
  for (std::size_t i = 0; i < line.encoding.size(); ++i) {
    if (line.encoding.ids[i] != mask) continue;
    std::vector<double> p = probabilities(element(logits, i));
    p.resize(std::min(p.size(), tokenizer.vocabulary_size()));  // tables are often longer than the vocabulary
    for (const std::size_t id : largest(p, best))
      findings.push_back({tokenizer.decode({static_cast<std::int64_t>(id)}, false), "", p[id], {}, masks});
    ++masks;
  }
  if (findings.empty()) throw Error(ErrorKind::data, "text", "has no mask token " + tokenizer.token(mask));
  return findings;
}

std::int64_t mask_token(const text::Tokenizer& tokenizer) {
  for (const char* token : {"[MASK]", "<mask>"})
    if (const auto id = tokenizer.find(token)) return *id;
  throw Error(ErrorKind::data, "tokenizer", "has no mask token: neither [MASK] nor <mask>");
}

Line tokenised(const Model& model, const text::Tokenizer& tokenizer, const std::string& text, std::size_t index) {
  Line line{index, text, "", {}};
  text::EncodeOptions options;
  options.offsets = true;
  if (model.description().task == Task::answer) {
    const std::size_t tab = text.find('\t');
    if (tab == std::string::npos)
      throw Error(ErrorKind::data, "text", "has no tab", "a line is a question, a tab, and the text with the answer");
    line.first = text.substr(0, tab);
    line.second = text.substr(tab + 1);
    line.encoding = tokenizer.encode(line.first, line.second, options);
  } else {
    line.encoding = tokenizer.encode(text, options);
  }
  const std::size_t tokens = line.encoding.size(), most = model.description().max_positions;
  if (tokens > most)
    throw Error(ErrorKind::data, "text",
                "has " + std::to_string(tokens) + " tokens, the model has " + std::to_string(most) + " positions");
  if (tokens == 0) throw Error(ErrorKind::data, "text", "has no tokens");
  return line;
}

TokenBatch batch_of(const Model& model, const std::vector<Line>& lines, std::size_t first, std::size_t last) {
  std::vector<std::vector<std::int64_t>> ids, types;
  for (std::size_t i = first; i < last; ++i) {
    ids.push_back(lines[i].encoding.ids);
    types.push_back(lines[i].encoding.type_ids);
  }
  TokenBatch batch = padded_batch(ids, model.description().tokens.padding.value_or(0));
  const auto& input = model.description().source;
  if (input && (input->types_are_segments || (!input->type_tensor.empty() && input->types > 1)))
    batch.types = padded_batch(types, 0).ids;
  return batch;
}

/// For a model with two streams: nobody sees a mask, and at every place stands a target.
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

LineFindings read_off(const Model& model, const text::Tokenizer& tokenizer, const InferenceResult& result,
                      const TokenBatch& batch, std::size_t row, const Line& line,
                      const TextTaskParameters& parameters) {
  LineFindings found;
  const ModelDescription& description = model.description();
  if (description.task == Task::embed) {
    const TensorView& states = result.encoder ? *result.encoder : *result.decoder;
    const TensorView vectors = pool(states, batch.padding_mask, parameters.pooling);
    found.vector = numbers(element(parameters.normalize ? normalized_rows(vectors) : vectors, row));
    return found;
  }
  const TensorView logits = element(*result.head, row);
  switch (description.task) {
    case Task::classify: found.findings = classify(logits, *description.head, parameters.best); break;
    case Task::label_tokens: found.findings = label_tokens(logits, line, description.head->labels); break;
    case Task::answer: found.findings = answers(logits, line, parameters.best); break;
    default: found.findings = fill_masks(logits, line, tokenizer, mask_token(tokenizer), parameters.best);
  }
  return found;
}

}  // namespace

std::vector<LineFindings> perform(const Model& model, const text::Tokenizer& tokenizer,
                                  const std::vector<std::string>& texts, const TextTaskParameters& parameters,
                                  const Execution& execution) {
  if (model.description().task == Task::generate || model.description().task == Task::score_tokens)
    throw Error(ErrorKind::usage, "task", "is no question about the whole line");
  check_tokenizer(model.description(), tokenizer);
  std::vector<LineFindings> results(texts.size());
  std::vector<Line> lines;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (texts[i].empty()) continue;
    try {
      lines.push_back(tokenised(model, tokenizer, texts[i], i));
    } catch (const Error& error) {
      results[i].error = error;
    }
  }
  std::stable_sort(lines.begin(), lines.end(),
                   [](const Line& a, const Line& b) { return a.encoding.size() < b.encoding.size(); });
  const std::size_t rows = std::max<std::size_t>(1, parameters.batch_rows);
  for (std::size_t first = 0; first < lines.size(); first += rows) {
    const std::size_t last = std::min(first + rows, lines.size());
    TokenBatch batch = batch_of(model, lines, first, last);
    if (model.description().task == Task::fill_mask && model.description().encoder->two_streams)
      hide_masks(batch, mask_token(tokenizer));
    const InferenceResult result = infer(model, batch, std::nullopt, {}, {}, execution);
    for (std::size_t i = first; i < last; ++i) {
      try {
        results[lines[i].index] = read_off(model, tokenizer, result, batch, i - first, lines[i], parameters);
      } catch (const Error& error) {
        results[lines[i].index].error = error;
      }
    }
    if (execution.progress) execution.progress(last, lines.size());
  }
  return results;
}

namespace {

/// (N * frames, labels) to (N, labels).
TensorView mean_of_frames(const TensorView& logits, std::size_t videos) {
  const std::size_t frames = logits.shape[0] / videos;
  return pool(reshaped(logits, {videos, frames, logits.shape[1]}), std::nullopt, Pooling::mean);
}

}  // namespace

std::vector<LineFindings> perform(const Model& model, const TensorView& pixels, const TextTaskParameters& parameters,
                                  const Execution& execution) {
  const InferenceResult result = infer(model, {pixels}, std::nullopt, {}, {}, execution);
  const std::size_t count = pixels.shape[0];
  std::vector<LineFindings> findings(count);
  const bool embeds = model.description().task == Task::embed;
  const TensorView& states = *result.encoder;
  TensorView all = embeds ? pool(reshaped(states, {count, states.size() / count / states.shape[2], states.shape[2]}),
                                 std::nullopt, parameters.pooling)
                          : mean_of_frames(*result.head, count);
  if (embeds && parameters.normalize) all = normalized_rows(all);
  for (std::size_t i = 0; i < count; ++i) {
    if (embeds)
      findings[i].vector = numbers(element(all, i));
    else
      findings[i].findings = classify(element(all, i), *model.description().head, parameters.best);
  }
  return findings;
}

}  // namespace attn
