#include <attn/transformer/predictions.hpp>

#include <attn/core/error.hpp>
#include <attn/text/unicode.hpp>
#include <attn/transformer/decoding/next_token.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attn {

std::vector<double> to_doubles(const TensorView& x) {
  const TensorView wide = contiguous(cast(x, DType::f64));
  const double* first = wide.contiguous_data<double>();
  return {first, first + wide.size()};
}

std::vector<std::size_t> largest(const std::vector<double>& p, std::size_t k) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), 0);
  k = std::min(k, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(k), order.end(),
                    [&](std::size_t a, std::size_t b) { return p[a] != p[b] ? p[a] > p[b] : a < b; });
  order.resize(k);
  return order;
}

namespace {

constexpr std::size_t longest_answer = 15;  // tokens, as transformers' pipeline has it

std::vector<double> probabilities(const TensorView& logits) {
  std::vector<double> p = to_doubles(logits);
  softmax(p);
  return p;
}

std::vector<double> probabilities(const TensorView& logits, HeadDescription::Probability kind) {
  if (kind == HeadDescription::Probability::softmax) return probabilities(logits);
  std::vector<double> p = to_doubles(logits);
  if (kind == HeadDescription::Probability::sigmoid)
    for (double& x : p) x = sigmoid(x);
  return p;
}

/// A span of bytes of valid text, counted in code points.
text::Span code_points(const text::Span& span, std::string_view text) {
  const std::size_t begin = text::count_code_points(text.substr(0, span.begin));
  return {begin, begin + text::count_code_points(text.substr(span.begin, span.size()))};
}

/// A label of a token, and its place in what is labelled: B, I, E or L, alone S or U; I where none is written.
struct PlacedLabel {
  std::string label;
  char place = 'I';

  /// Inside a span, or the same once more, which tokens of one word often are.
  bool continues(const PlacedLabel& last) const {
    const bool inside = place == 'I' || place == 'E' || place == 'L';
    return label == last.label && place != 'B' &&
           (place == last.place || (inside && (last.place == 'B' || last.place == 'I')));
  }
};

/// E-, L-, S- and U- are places only where there is a B- or I- of the same: "E-mail" is a label.
PlacedLabel placed(const std::string& label, const std::vector<std::string>& labels) {
  if (label.size() < 3 || label[1] != '-') return {label};
  const std::string place = label.substr(0, 1), rest = label.substr(2);
  const auto has = [&](const std::string& start) {
    return std::find(labels.begin(), labels.end(), start + rest) != labels.end();
  };
  const bool spans = has("B-") || has("I-");
  const bool known = std::string(spans ? "BIELSU" : "BI").find(place) != std::string::npos;
  return known ? PlacedLabel{rest, place.front()} : PlacedLabel{label};
}

}  // namespace

std::vector<Prediction> classify(const TensorView& logits, const HeadDescription& head, std::size_t best) {
  const std::vector<std::string>& labels = head.labels;
  const std::vector<double> p = probabilities(logits, head.probability);
  std::vector<Prediction> predictions;
  for (const std::size_t i : largest(p, best)) predictions.push_back({labels[i], "", p[i], {}});
  return predictions;
}

std::vector<Prediction> choose(const std::vector<double>& logits, const std::vector<std::string>& texts,
                               std::size_t best) {
  std::vector<double> p = logits;
  softmax(p);
  std::vector<Prediction> predictions;
  for (const std::size_t i : largest(p, best)) predictions.push_back({texts[i], "", p[i], {}});
  return predictions;
}

std::vector<std::vector<double>> token_probabilities(const TensorView& logits, const Line& line) {
  const bool is_single = logits.shape[1] == 1;
  using Probability = HeadDescription::Probability;
  std::vector<std::vector<double>> all;
  for (std::size_t i = 0; i < line.encoding.size(); ++i) {
    if (line.encoding.origins[i] == text::Origin::added) continue;
    all.push_back(probabilities(element(logits, i), is_single ? Probability::sigmoid : Probability::softmax));
    if (is_single) all.back().insert(all.back().begin(), 1 - all.back().front());
  }
  return all;
}

namespace {

/// p of a word of `count` tokens.
std::vector<double> of_word(const std::vector<double>* p, std::size_t count, Aggregation aggregation) {
  const auto most = [](const std::vector<double>& of_token) {
    return *std::max_element(of_token.begin(), of_token.end());
  };
  if (aggregation == Aggregation::max)
    return *std::max_element(p, p + count, [&](const auto& a, const auto& b) { return most(a) < most(b); });
  std::vector<double> word = *p;
  if (aggregation != Aggregation::average) return word;
  for (std::size_t k = 0; k < word.size(); ++k) {
    for (std::size_t i = 1; i < count; ++i) word[k] += p[i][k];
    word[k] /= static_cast<double>(count);
  }
  return word;
}

}  // namespace

std::vector<Prediction> label_tokens(const std::vector<std::vector<double>>& p, const Line& line,
                                     const std::vector<std::string>& names, Aggregation aggregation,
                                     const std::vector<bool>& continues) {
  const std::vector<std::string> labels = names.size() == 1 ? std::vector<std::string>{"O", names.front()} : names;
  const std::vector<text::Span> places = in_code_points(line.encoding, *line.text);
  std::vector<Prediction> predictions;
  std::vector<text::Span> spans;  // in bytes
  std::size_t words = 0;
  bool open = false;
  PlacedLabel before;
  for (std::size_t i = 0, end = 0; i < p.size(); i = end) {
    for (end = i + 1; aggregation != Aggregation::simple && end < p.size() && continues[end];) ++end;
    const std::vector<double> word = of_word(&p[i], end - i, aggregation);
    const std::size_t id = largest(word, 1).front();
    const PlacedLabel now = placed(labels[id], labels);
    const bool goes_on = open && now.continues(before);
    before = now;
    open = now.label != "O";
    if (!open) continue;
    if (!goes_on) {
      predictions.push_back({"", now.label, 0, {places[i].begin, 0}});
      spans.push_back({line.encoding.offsets[i].begin, 0});
      words = 0;
    }
    spans.back().end = line.encoding.offsets[end - 1].end;
    Prediction& prediction = predictions.back();
    prediction.place.end = places[end - 1].end;
    prediction.probability += (word[id] - prediction.probability) / static_cast<double>(++words);
  }
  for (std::size_t i = 0; i < spans.size(); ++i)
    predictions[i].text = line.text->substr(spans[i].begin, spans[i].size());
  return predictions;
}

namespace {

/// From one token to another.
struct AnswerSpan {
  std::size_t first, last;
  double probability;
};

/// Keeps the best of them, the most probable first.
void add_answer(const AnswerSpan& answer, const Line& line, std::size_t best, std::vector<Prediction>& predictions) {
  const double p = answer.probability;
  if (predictions.size() == best && p <= predictions.back().probability) return;
  const text::Span span{line.encoding.offsets[answer.first].begin, line.encoding.offsets[answer.last].end};
  const auto worse = [&](const Prediction& other) { return other.probability < p; };
  predictions.insert(std::find_if(predictions.begin(), predictions.end(), worse),
                     {line.text->substr(span.begin, span.size()), "", p, code_points(span, *line.text)});
  if (predictions.size() > best) predictions.pop_back();
}

}  // namespace

namespace {

/// The tokens where an answer may start and end, with the probabilities of that.
struct Places {
  std::vector<std::size_t> tokens;
  std::vector<double> start, end;  ///< logarithms
};

/// The tokens of the second text, and the first token if the tokenizer added it, which means no answer.
Places places_of(const TensorView& logits, const Line& line) {
  Places places;
  for (std::size_t i = 0; i < line.encoding.size(); ++i) {
    const text::Origin origin = line.encoding.origins[i];
    if (origin != text::Origin::second && (i > 0 || origin != text::Origin::added)) continue;
    const std::vector<double> both = to_doubles(element(logits, i));
    places.tokens.push_back(i);
    places.start.push_back(both[0]);
    places.end.push_back(both[1]);
  }
  if (places.tokens.empty()) return places;
  log_softmax(places.start);
  log_softmax(places.end);
  return places;
}

bool is_no_answer(const Line& line, std::size_t token) { return line.encoding.origins[token] == text::Origin::added; }

}  // namespace

std::vector<Prediction> answers(const TensorView& logits, const Line& line, std::size_t best) {
  const Places places = places_of(logits, line);
  std::vector<Prediction> predictions;
  for (std::size_t i = 0; i < places.tokens.size(); ++i)
    for (std::size_t j = i; j < std::min(places.tokens.size(), i + longest_answer); ++j)
      if (!is_no_answer(line, places.tokens[i]))
        add_answer({places.tokens[i], places.tokens[j], reproducible_exp(places.start[i] + places.end[j])}, line, best,
                   predictions);
  return predictions;
}

double no_answer(const TensorView& logits, const Line& line) {
  const Places places = places_of(logits, line);
  if (places.tokens.empty() || !is_no_answer(line, places.tokens.front())) return 0;
  return reproducible_exp(places.start.front() + places.end.front());
}

std::vector<Prediction> searched_answers(const TensorView& found, const Line& line, std::size_t best) {
  const TensorView wide = cast(found, DType::f64);
  const auto row = wide.as<double, 2>();
  std::vector<Prediction> predictions;
  for (std::size_t i = 0; i < found.shape[0]; ++i) {
    const AnswerSpan answer{static_cast<std::size_t>(row(i, 0)), static_cast<std::size_t>(row(i, 1)),
                            row(i, 2) * row(i, 3)};
    const bool is_one = answer.first <= answer.last && answer.last - answer.first < longest_answer;
    if (is_one && answer.probability > 0) add_answer(answer, line, best, predictions);
  }
  return predictions;
}

std::vector<Prediction> fill_masks(const TensorView& logits, const Line& line, const text::Tokenizer& tokenizer,
                                   std::int64_t mask, std::size_t best) {
  std::vector<Prediction> predictions;
  std::size_t masks = 0;
  for (std::size_t i = 0; i < line.encoding.size(); ++i) {
    if (line.encoding.ids[i] != mask) continue;
    std::vector<double> p = probabilities(element(logits, i));
    const auto has = [&](std::size_t id) { return tokenizer.has(static_cast<std::int64_t>(id)); };
    p.resize(std::min(p.size(), tokenizer.vocabulary_size()));  // tables are often longer than the vocabulary
    for (std::size_t id = 0; id < p.size(); ++id)
      if (!has(id)) p[id] = -1;  // a gap of the vocabulary
    for (const std::size_t id : largest(p, best))
      if (has(id))
        predictions.push_back({tokenizer.decode({static_cast<std::int64_t>(id)}, false), "", p[id], {}, masks});
    ++masks;
  }
  if (predictions.empty())
    throw Error(ErrorKind::data, "text", "does not contain the mask token '" + tokenizer.token(mask) + "'");
  return predictions;
}

}  // namespace attn
