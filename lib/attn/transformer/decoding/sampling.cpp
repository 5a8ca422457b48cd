#include <attn/transformer/decoding/sampling.hpp>

#include <attn/core/constants.hpp>
#include <attn/transformer/decoding/next_token.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attn {
namespace {

std::uint64_t splitmix64(std::uint64_t& state) {
  std::uint64_t z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

std::uint64_t rotate_left(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

/// Tokens that may be drawn, the most probable first, a weight of 0 for those that a rule has cut.
struct Probable {
  std::vector<std::size_t> ids;
  std::vector<double> logs, weights;  ///< log p up to a constant; weights in proportion to p, 1 for the first

  double total() const { return std::accumulate(weights.begin(), weights.end(), 0.0); }
};

/// The mean of the logarithms under the weights. No logarithm is taken here: those of the C library differ between
/// machines.
double mean_log(const Probable& tokens, double total) {
  double mean = 0;
  for (std::size_t i = 0; i < tokens.ids.size(); ++i)
    if (tokens.weights[i] > 0) mean += tokens.weights[i] / total * tokens.logs[i];
  return mean;
}

/// The tokens that top_k, top_p and min_p leave.
Probable most_probable(const std::vector<double>& scores, const SamplingParameters& parameters, std::size_t least) {
  Probable tokens;
  std::vector<std::size_t>& order = tokens.ids;
  for (std::size_t id = 0; id < scores.size(); ++id)
    if (scores[id] > -infinity) order.push_back(id);
  if (order.empty()) return tokens;
  const auto better = [&](std::size_t a, std::size_t b) {
    return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
  };
  const std::size_t most = parameters.top_k == 0 ? order.size() : std::max(parameters.top_k, least);
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(std::min(most, order.size()));
  std::partial_sort(order.begin(), end, order.end(), better);
  order.erase(end, order.end());

  const double top = scores[order.front()];
  for (const std::size_t id : order) tokens.logs.push_back((scores[id] - top) / parameters.temperature);
  tokens.weights = tokens.logs;
  reproducible_exp(tokens.weights);
  // Both cuts count from the best token.
  const double total = tokens.total();
  std::size_t kept = 1;
  double sum = tokens.weights[0];
  while (kept < order.size() && (kept < least || (tokens.weights[kept] >= parameters.min_p &&
                                                  (parameters.top_p >= 1 || sum < parameters.top_p * total))))
    sum += tokens.weights[kept++];
  order.resize(kept);
  tokens.logs.resize(kept);
  tokens.weights.resize(kept);
  return tokens;
}

/// Sets the weights of all but the most typical to 0.
void leave_typical(double p, std::size_t least, Probable& tokens) {
  if (p >= 1) return;
  const double total = tokens.total(), mean = mean_log(tokens, total);
  std::vector<std::size_t> order(tokens.ids.size());
  std::iota(order.begin(), order.end(), 0);
  const auto distance = [&](std::size_t i) { return std::fabs(tokens.logs[i] - mean); };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return distance(a) < distance(b); });
  double sum = 0;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    const double weight = tokens.weights[order[rank]];
    if (rank >= least && sum >= p * total) tokens.weights[order[rank]] = 0;
    sum += weight;
  }
}

/// Sets the weights to 0 that epsilon and eta find too small, each among what the one before has left.
void leave_large(const SamplingParameters& parameters, std::size_t least, Probable& tokens) {
  const auto cut = [&](double smallest) {
    std::size_t seen = 0;
    for (double& weight : tokens.weights)
      if (weight > 0 && seen++ >= least && weight < smallest) weight = 0;
  };
  if (parameters.epsilon > 0) cut(parameters.epsilon * tokens.total());
  if (parameters.eta <= 0) return;
  // e^-entropy = e^(mean of log p), and log p = logs - log(total).
  const double sum = tokens.total(), of_entropy = reproducible_exp(mean_log(tokens, sum)) / sum;
  cut(std::min(parameters.eta, std::sqrt(parameters.eta) * of_entropy) * sum);
}

Probable probable_tokens(const std::vector<double>& scores, const SamplingParameters& parameters, std::size_t least) {
  Probable tokens = most_probable(scores, parameters, least);
  leave_typical(parameters.typical_p, least, tokens);
  leave_large(parameters, least, tokens);
  return tokens;
}

/// Weights to draw indices from. They are added up in blocks, so that a draw and what it takes away each look at the
/// sums and at one block; nothing is subtracted, which would leave rounding errors where one weight is nearly all.
class Lots {
 public:
  explicit Lots(std::vector<double> weights) : weights_(std::move(weights)) {
    for (std::size_t first = 0; first < weights_.size(); first += block) sums_.push_back(sum_of(first));
  }

  /// An index with probability weight / sum of the weights, one of which is above 0.
  std::size_t draw(RandomNumbers& random) const {
    double left = random.uniform() * std::accumulate(sums_.begin(), sums_.end(), 0.0);
    const std::size_t first = find(sums_, 0, left) * block;
    return find(weights_, first, left);
  }

  void remove(std::size_t i) {
    weights_[i] = 0;
    sums_[i / block] = sum_of(i / block * block);
  }

 private:
  static constexpr std::size_t block = 512;

  double sum_of(std::size_t first) const {
    const auto begin = weights_.begin() + static_cast<std::ptrdiff_t>(first);
    return std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(std::min(block, weights_.size() - first)), 0.0);
  }

  /// The index from `first` on at which the cumulative weights exceed `left`, from which earlier weights are
  /// subtracted; the last one if rounding leaves a rest.
  static std::size_t find(const std::vector<double>& weights, std::size_t first, double& left) {
    std::size_t found = first;
    for (std::size_t i = first; i < weights.size(); ++i) {
      if (weights[i] == 0) continue;
      found = i;
      if (left < weights[i]) break;
      left -= weights[i];
    }
    return found;
  }

  std::vector<double> weights_, sums_;
};

}  // namespace

RandomNumbers::RandomNumbers(std::uint64_t seed, std::uint64_t stream) : state_{} {
  std::uint64_t mixed = seed;
  mixed = splitmix64(mixed) ^ stream;
  for (std::uint64_t& word : state_) word = splitmix64(mixed);
}

RandomNumbers random_numbers(const Prompt& prompt, std::uint64_t seed) {
  std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a of the tokens
  for (const std::int64_t id : prompt.source_ids()) hash = (hash ^ static_cast<std::uint64_t>(id)) * 0x100000001b3u;
  return {seed, hash + prompt.answer};
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

void leave_probable(std::vector<double>& scores, const SamplingParameters& parameters, std::size_t least) {
  const Probable tokens = probable_tokens(scores, parameters, least);
  std::vector<double> left(scores.size(), -infinity);
  for (std::size_t i = 0; i < tokens.ids.size(); ++i)
    if (tokens.weights[i] > 0) left[tokens.ids[i]] = scores[tokens.ids[i]] / parameters.temperature;
  scores = std::move(left);
}

std::int64_t draw_token(const std::vector<double>& scores, const SamplingParameters& parameters,
                        RandomNumbers& random) {
  const Probable tokens = probable_tokens(scores, parameters, 1);
  if (tokens.ids.empty()) return best_token(scores);
  return static_cast<std::int64_t>(tokens.ids[Lots(tokens.weights).draw(random)]);
}

std::vector<std::size_t> draw_several(const std::vector<double>& scores, std::size_t count, RandomNumbers& random) {
  const double top = scores.empty() ? 0 : *std::max_element(scores.begin(), scores.end());
  std::vector<std::size_t> possible, drawn;
  std::vector<double> p, weights;
  for (const double score : scores) p.push_back(score - top);
  reproducible_exp(p);
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (!(p[i] > 0)) continue;
    possible.push_back(i);
    weights.push_back(p[i]);
  }
  Lots lots(std::move(weights));
  for (std::size_t n = std::min(count, possible.size()); n > 0; --n) {
    const std::size_t i = lots.draw(random);
    drawn.push_back(possible[i]);
    lots.remove(i);
  }
  return drawn;
}

}  // namespace attn
