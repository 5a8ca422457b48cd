#include <attn/transformer/decoding/next_token.hpp>

#include <attn/core/constants.hpp>
#include <attn/core/error.hpp>
#include <attn/core/shape.hpp>
#include <attn/simd/reproducible.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

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

double reproducible_exp(double x) {
  double y = 0;
  simd::reproducible_kernels(native_isa()).exp(&x, &y, 1);
  return y;
}

void reproducible_exp(std::vector<double>& x, Isa isa) {
  simd::reproducible_kernels(isa).exp(x.data(), x.data(), x.size());
}

double reproducible_log(double x) {
  constexpr double sqrt_half = 0.70710678118654752440, ln2_high = 0x1.62e42fee00000p-1, ln2_low = 0x1.a39ef35793c76p-33;
  // x = 2^n m with m from sqrt(1/2) to sqrt(2), f = m - 1, s = f / (2 + f): log m = 2 atanh s = f - f^2 / 2 + s (f^2 /
  // 2
  // + 2 s^2 / 3 + 2 s^4 / 5 + ...), of which f and f^2 / 2 are by far the largest. n times the high part of ln 2 is
  // exact.
  int n = 0;
  double m = std::frexp(x, &n);
  if (m < sqrt_half) {
    m *= 2;
    --n;
  }
  const double f = m - 1, s = f / (2 + f), square = s * s, half_square = f * f / 2;
  double series = 0;
  for (int k = 23; k >= 3; k -= 2) series = (series + 2.0 / k) * square;
  return n * ln2_high - ((half_square - (s * (half_square + series) + n * ln2_low)) - f);
}

double reproducible_power(double x, double p) {
  double whole = 0;
  const double rest = std::modf(std::fabs(p), &whole);
  double power = rest > 0 ? 1 / reproducible_exp(-rest * reproducible_log(x)) : 1;
  for (auto n = static_cast<std::uint64_t>(whole); n > 0; n /= 2, x *= x)
    if (n % 2 == 1) power *= x;
  return p < 0 ? 1 / power : power;
}

void log_softmax(std::vector<double>& scores, Isa isa) {
  const simd::ReproducibleKernels& kernels = simd::reproducible_kernels(isa);
  const double top = kernels.largest(scores.data(), scores.size());
  const double lse = top + reproducible_log(kernels.sum_of_exp(scores.data(), scores.size(), top));
  for (double& score : scores) score -= lse;
}

void softmax(std::vector<double>& scores, Isa isa) {
  log_softmax(scores, isa);
  reproducible_exp(scores, isa);
}

double sigmoid(double x) {
  const double e = reproducible_exp(-std::fabs(x));
  return (x < 0 ? e : 1) / (1 + e);
}

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
      if (std::isfinite(score)) score += std::fabs(score) * (reproducible_power(rules.length_decay->factor, late) - 1);
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
