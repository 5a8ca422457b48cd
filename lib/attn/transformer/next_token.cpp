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
  std::vector<std::int64_t> seen(ids);
  std::sort(seen.begin(), seen.end());
  seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
  for (const std::int64_t id : seen) {
    double& score = scores[static_cast<std::size_t>(id)];
    score = score < 0 ? score * penalty : score / penalty;
  }
}

/// Forbids each token that would complete an n-gram that occurs already.
void forbid_repeated_ngrams(std::size_t n, const std::vector<std::int64_t>& ids, std::vector<double>& scores) {
  if (ids.size() + 1 < n) return;
  const auto tail = ids.end() - static_cast<std::ptrdiff_t>(n - 1);
  for (std::size_t start = 0; start + n <= ids.size(); ++start) {
    const auto first = ids.begin() + static_cast<std::ptrdiff_t>(start);
    if (std::equal(tail, ids.end(), first)) forbid(scores, ids[start + n - 1]);
  }
}

/// Forbids the last token of a word where all before it are there.
void forbid_last_of(const std::vector<std::int64_t>& word, const std::vector<std::int64_t>& ids,
                    std::vector<double>& scores) {
  if (word.size() > ids.size() + 1) return;
  if (std::equal(word.begin(), word.end() - 1, ids.end() - static_cast<std::ptrdiff_t>(word.size() - 1)))
    forbid(scores, word.back());
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
  if (rules.repetition_penalty != 1) punish_repetitions(rules.repetition_penalty, history.ids, scores);
  if (rules.no_repeat_ngram > 0) forbid_repeated_ngrams(rules.no_repeat_ngram, history.ids, scores);
  for (const std::vector<std::int64_t>& word : rules.bad_words) forbid_last_of(word, history.ids, scores);
  if (history.generated < rules.min_new_tokens || history.ids.size() < rules.min_length)
    for (const std::int64_t id : history.end_tokens) forbid(scores, id);
  if (rules.forced_first && history.generated == 0) force(scores, *rules.forced_first);
  if (rules.forced_last && history.generated + 1 == history.max_new_tokens) force(scores, *rules.forced_last);
  for (const std::int64_t id : rules.suppressed) forbid(scores, id);
  if (history.generated == 0)
    for (const std::int64_t id : rules.suppressed_first) forbid(scores, id);
}

std::int64_t best_token(const std::vector<double>& scores) {
  std::size_t best = 0;
  for (std::size_t id = 1; id < scores.size(); ++id)
    if (scores[id] > scores[best] || std::isnan(scores[best])) best = id;
  return static_cast<std::int64_t>(best);
}

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

  double left = random.uniform() * sum;
  for (std::size_t i = 0; i + 1 < kept; ++i) {
    if (left < weights[i]) return static_cast<std::int64_t>(order[i]);
    left -= weights[i];
  }
  return static_cast<std::int64_t>(order[kept - 1]);
}

void log_softmax(std::vector<double>& scores) {
  const double top = scores.empty() ? 0 : *std::max_element(scores.begin(), scores.end());
  double total = 0;
  for (const double score : scores) total += std::exp(score - top);
  const double lse = top + std::log(total);
  for (double& score : scores) score -= lse;
}

}  // namespace attn
