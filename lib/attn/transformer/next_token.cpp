#include <attn/transformer/next_token.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace attn {
namespace {

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

std::uint64_t splitmix64(std::uint64_t& state) {
  std::uint64_t z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

std::uint64_t rotate_left(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

/// e^x for x <= 0 from additions and multiplications alone. The C library's exp differs in the last bit from one
/// processor to the next, and a drawn token must not.
double portable_exp(double x) {
  if (!(x > -700)) return x <= -700 ? 0 : x;
  constexpr double ln2_high = 0x1.62e42fefa3800p-1, ln2_low = 0x1.ef35793c76730p-45;
  const double n = std::nearbyint(x * 0x1.71547652b82fep+0);
  const double r = (x - n * ln2_high) - n * ln2_low;  // |r| <= ln 2 / 2: the Taylor series to r^13 is exact to 1e-17
  double sum = 1;
  for (int k = 13; k >= 1; --k) sum = 1 + r * sum / k;
  return std::ldexp(sum, static_cast<int>(n));
}

void forbid(std::vector<double>& scores, std::int64_t id) {
  if (id >= 0 && static_cast<std::size_t>(id) < scores.size()) scores[static_cast<std::size_t>(id)] = minus_infinity;
}

void force(std::vector<double>& scores, std::int64_t id) {
  std::fill(scores.begin(), scores.end(), minus_infinity);
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

RandomNumbers::RandomNumbers(std::uint64_t seed, std::uint64_t stream) : state_{} {
  std::uint64_t mixed = seed;
  mixed = splitmix64(mixed) ^ stream;
  for (std::uint64_t& word : state_) word = splitmix64(mixed);
}

std::uint64_t RandomNumbers::next() {
  const std::uint64_t result = rotate_left(state_[1] * 5, 7) * 9;
  const std::uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = rotate_left(state_[3], 45);
  return result;
}

double RandomNumbers::uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

void apply(const NextTokenRules& rules, const TokenHistory& history, std::vector<double>& scores) {
  for (const auto& [ids, bias] : rules.biases)
    if (is_begun(ids, history.ids)) scores[static_cast<std::size_t>(ids.back())] += bias;
  punish_repetitions(1 / rules.source_repetition_penalty, history.source, scores);
  punish_repetitions(rules.repetition_penalty, history.ids, scores);
  forbid_ngrams_of(history.ids, rules.no_repeat_ngram, history.ids, scores);
  forbid_ngrams_of(history.source, rules.no_repeat_source_ngram, history.ids, scores);
  for (const std::vector<std::int64_t>& word : rules.bad_words)
    if (is_begun(word, history.ids)) forbid(scores, word.back());
  if (history.generated < rules.min_new_tokens || history.ids.size() < rules.min_length)
    for (const std::int64_t id : history.end_tokens) forbid(scores, id);
  if (rules.forced_first && history.generated == 0) force(scores, *rules.forced_first);
  if (rules.forced_last && history.generated + 1 == history.max_new_tokens) force(scores, *rules.forced_last);
  if (rules.length_decay && history.generated > rules.length_decay->start) {
    const auto late = static_cast<double>(history.generated - rules.length_decay->start);
    for (const std::int64_t id : history.end_tokens) {
      double& score = scores[static_cast<std::size_t>(id)];
      if (std::isfinite(score)) score += std::fabs(score) * (std::pow(rules.length_decay->factor, late) - 1);
    }
  }
  for (const std::int64_t id : rules.suppressed) forbid(scores, id);
  if (history.generated == 0)
    for (const std::int64_t id : rules.suppressed_first) forbid(scores, id);
  if (rules.renormalize) log_softmax(scores);
}

std::int64_t best_token(const std::vector<double>& scores) {
  std::size_t best = 0;
  for (std::size_t id = 1; id < scores.size(); ++id)
    if (scores[id] > scores[best] || std::isnan(scores[best])) best = id;
  return static_cast<std::int64_t>(best);
}

namespace {

/// The mean of the logarithms under the weights, each a logarithm up to a constant. No logarithm is taken here: those
/// of the C library differ between machines.
double mean_log(const std::vector<double>& logs, const std::vector<double>& weights, double total) {
  double mean = 0;
  for (std::size_t i = 0; i < logs.size(); ++i)
    if (weights[i] > 0) mean += weights[i] / total * logs[i];
  return mean;
}

/// Sets the weights of all but the most typical to 0.
void leave_typical(double p, const std::vector<double>& logs, std::vector<double>& weights) {
  if (p >= 1) return;
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0), mean = mean_log(logs, weights, total);
  std::vector<std::size_t> order(weights.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return std::fabs(logs[a] - mean) < std::fabs(logs[b] - mean); });
  double sum = 0;
  for (const std::size_t i : order) {
    const double weight = weights[i];
    if (sum >= p * total) weights[i] = 0;
    sum += weight;
  }
}

/// Sets the weights to 0 that are too small, each rule among what the one before has left.
void leave_probable(const SamplingParameters& parameters, const std::vector<double>& logs,
                    std::vector<double>& weights) {
  const auto cut = [&](double least) {
    const auto best = std::max_element(weights.begin(), weights.end());
    for (auto weight = weights.begin(); weight != weights.end(); ++weight)
      if (weight != best && *weight < least) *weight = 0;
  };
  const auto total = [&] { return std::accumulate(weights.begin(), weights.end(), 0.0); };
  if (parameters.epsilon > 0) cut(parameters.epsilon * total());
  if (parameters.eta <= 0) return;
  // e^-entropy = e^(mean of log p), and log p = logs - log(total).
  const double sum = total(), of_entropy = portable_exp(mean_log(logs, weights, sum)) / sum;
  cut(std::min(parameters.eta, std::sqrt(parameters.eta) * of_entropy) * sum);
}

}  // namespace

std::int64_t draw_token(const std::vector<double>& scores, const SamplingParameters& parameters,
                        RandomNumbers& random) {
  std::vector<std::size_t> order;
  for (std::size_t id = 0; id < scores.size(); ++id)
    if (scores[id] > minus_infinity) order.push_back(id);
  if (order.empty()) return best_token(scores);
  const auto better = [&](std::size_t a, std::size_t b) {
    return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
  };
  const bool some = parameters.top_k > 0 && parameters.top_k < order.size();
  const auto end = some ? order.begin() + static_cast<std::ptrdiff_t>(parameters.top_k) : order.end();
  std::partial_sort(order.begin(), end, order.end(), better);
  order.erase(end, order.end());

  const double top = scores[order.front()];
  std::vector<double> weights(order.size());
  double total = 0;
  for (std::size_t i = 0; i < order.size(); ++i)
    total += weights[i] = portable_exp((scores[order[i]] - top) / parameters.temperature);

  // Both cuts count from the best token, which always stays.
  std::size_t kept = 1;
  double sum = weights[0];
  while (kept < order.size() && weights[kept] >= parameters.min_p &&
         (parameters.top_p >= 1 || sum < parameters.top_p * total))
    sum += weights[kept++];

  order.resize(kept);
  weights.resize(kept);
  std::vector<double> logs;
  for (const std::size_t id : order) logs.push_back((scores[id] - top) / parameters.temperature);
  leave_typical(parameters.typical_p, logs, weights);
  leave_probable(parameters, logs, weights);

  double left = random.uniform() * std::accumulate(weights.begin(), weights.end(), 0.0);
  std::size_t drawn = 0;
  for (std::size_t i = 0; i < kept; ++i) {
    if (weights[i] == 0) continue;
    drawn = i;
    if (left < weights[i]) break;
    left -= weights[i];
  }
  return static_cast<std::int64_t>(order[drawn]);
}

void log_softmax(std::vector<double>& scores) {
  const double top = scores.empty() ? 0 : *std::max_element(scores.begin(), scores.end());
  double total = 0;
  for (const double score : scores) total += std::exp(score - top);
  const double lse = top + std::log(total);
  for (double& score : scores) score -= lse;
}

}  // namespace attn
