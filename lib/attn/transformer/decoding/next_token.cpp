#include <attn/transformer/decoding/next_token.hpp>

#include <attn/core/constants.hpp>
#include <attn/core/error.hpp>
#include <attn/core/shape.hpp>
#include <attn/transformer/decoding/probability.hpp>

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

void forbid(std::vector<double>& scores, std::int64_t id) {
  if (id >= 0 && static_cast<std::size_t>(id) < scores.size()) scores[static_cast<std::size_t>(id)] = -infinity;
}

/// Nothing but one of these ids may come.
void force(std::vector<double>& scores, const std::vector<std::int64_t>& ids) {
  std::fill(scores.begin(), scores.end(), -infinity);
  for (const std::int64_t id : ids)
    if (id >= 0 && static_cast<std::size_t>(id) < scores.size()) scores[static_cast<std::size_t>(id)] = 0;
}

void punish_repetitions(double penalty, const std::vector<std::int64_t>& ids, std::vector<double>& scores) {
  if (penalty == 1) return;
  std::vector<std::int64_t> seen(ids);
  std::sort(seen.begin(), seen.end());
  seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
  for (const std::int64_t id : seen) {
    if (static_cast<std::size_t>(id) >= scores.size()) continue;  // of a source with another vocabulary
    double& score = scores[static_cast<std::size_t>(id)];
    score = score < 0 ? score * penalty : score / penalty;
  }
}

/// Forbids each token that would complete n tokens in a row that occur in `text`, which may be ids itself.
void forbid_ngrams_of(const std::vector<std::int64_t>& text, std::size_t n, const std::vector<std::int64_t>& ids,
                      std::vector<double>& scores) {
  if (n == 0 || ids.size() + 1 < n) return;
  const auto tail = ids.end() - static_cast<std::ptrdiff_t>(n - 1);
  for (std::size_t start = 0; start + n <= text.size(); ++start) {
    const auto first = text.begin() + static_cast<std::ptrdiff_t>(start);
    if (std::equal(tail, ids.end(), first)) forbid(scores, text[start + n - 1]);
  }
}

/// Do the ids end with all of the word but its last token?
bool is_begun(const std::vector<std::int64_t>& word, const std::vector<std::int64_t>& ids) {
  return word.size() <= ids.size() + 1 &&
         std::equal(word.begin(), word.end() - 1, ids.end() - static_cast<std::ptrdiff_t>(word.size() - 1));
}

}  // namespace

void read_scores(const TensorView& logits, std::size_t row, std::vector<double>& scores) {
  const TensorView of_row = contiguous(element(logits, row));
  bool has_nan = false;
  visit_compute_dtype(of_row.dtype, [&](auto element) {
    const auto* first = of_row.contiguous_data<decltype(element)>();
    scores.resize(of_row.size());
    for (std::size_t id = 0; id < scores.size(); ++id) {
      scores[id] = static_cast<double>(first[id]);
      has_nan |= std::isnan(first[id]);
    }
  });
  if (has_nan)
    throw Error(ErrorKind::data, "logits", "have values that are NaN, so no token is the best",
                "are the weights finite? --trace FILE shows where it begins");
}

void apply(const NextTokenRules& rules, const TokenHistory& history, std::vector<double>& scores) {
  for (const auto& [ids, bias] : rules.biases)
    if (is_begun(ids, history.ids)) scores[static_cast<std::size_t>(ids.back())] += bias;
  punish_repetitions(1 / rules.source_repetition_penalty, history.source, scores);
  punish_repetitions(rules.repetition_penalty, history.ids, scores);
  forbid_ngrams_of(history.ids, rules.no_repeat_ngram, history.ids, scores);
  forbid_ngrams_of(history.source, rules.no_repeat_source_ngram, history.ids, scores);
  for (const std::vector<std::int64_t>& word : rules.bad_words) {
    const bool is_end =
        word.size() == 1 && std::count(history.end_tokens.begin(), history.end_tokens.end(), word[0]) > 0;
    if (!is_end && is_begun(word, history.ids)) forbid(scores, word.back());
  }
  if (history.generated < rules.min_new_tokens || history.ids.size() < rules.min_length)
    for (const std::int64_t id : history.end_tokens) forbid(scores, id);
  if (rules.forced_first && history.ids.size() == 1) force(scores, {*rules.forced_first});
  if (!rules.forced_last.empty() && history.generated + 1 == history.max_new_tokens) force(scores, rules.forced_last);
  if (rules.length_decay && history.generated > rules.length_decay->start) {
    const auto late = static_cast<double>(history.generated - rules.length_decay->start);
    for (const std::int64_t id : history.end_tokens) {
      double& score = scores[static_cast<std::size_t>(id)];
      if (std::isfinite(score)) score += std::fabs(score) * (portable_power(rules.length_decay->factor, late) - 1);
    }
  }
  for (const std::int64_t id : rules.suppressed) forbid(scores, id);
  const bool is_forced = rules.forced_first && history.ids.size() == history.generated + 1;
  if (history.generated == (is_forced ? 1 : 0))
    for (const std::int64_t id : rules.suppressed_first) forbid(scores, id);
}

std::int64_t best_token(const std::vector<double>& scores) {
  std::size_t best = 0;
  for (std::size_t id = 1; id < scores.size(); ++id)
    if (scores[id] > scores[best] || std::isnan(scores[best])) best = id;
  return static_cast<std::int64_t>(best);
}

}  // namespace attn
