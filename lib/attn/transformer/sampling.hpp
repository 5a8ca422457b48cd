#pragma once
// Drawing tokens at random, with the same result on every machine.

#include <array>
#include <cstdint>
#include <vector>

namespace attn {

/// Parameters of drawing. Tokens are taken in order of probability, ties in order of ids.
struct SamplingParameters {
  bool enabled = false;    ///< false: the most probable token, the lowest id among equals
  double temperature = 1;  ///< divisor of logits, > 0
  std::size_t top_k = 0;   ///< only the k best; 0: all
  double top_p = 1;        ///< the fewest tokens whose probabilities reach p
  double min_p = 0;        ///< none below min_p times the probability of the best
  double typical_p =
      1;  ///< in (0, 1]: the fewest tokens with information nearest to its mean that reach p together
  double epsilon = 0;  ///< in [0, 1]: none below this probability, except the best
  double eta = 0;      ///< in [0, 1]: none below min(eta, sqrt(eta) e^-entropy), except the best
  std::uint64_t seed = 0;
};

/// xoshiro256** 1.0 (Blackman and Vigna 2018), seeded by splitmix64: the same numbers on every machine.
class RandomNumbers {
 public:
  /// A separate stream for each (seed, stream).
  RandomNumbers(std::uint64_t seed, std::uint64_t stream);
  explicit RandomNumbers(const std::array<std::uint64_t, 4>& state) : state_(state) {}
  std::uint64_t next();
  double uniform();  ///< in [0, 1), 53 bits

 private:
  std::array<std::uint64_t, 4> state_;
};

/// Divides scores by the temperature, and sets those of tokens that top_k, top_p, min_p, typical_p, epsilon or eta, in
/// this order, exclude to -infinity; each keeps at least `least` tokens. Sources: Fan et al. 2018; Holtzman et al.
/// 2020; Nguyen et al. 2024; Meister et al. 2023; Hewitt et al. 2022.
void leave_probable(std::vector<double>& scores, const SamplingParameters& parameters, std::size_t least);

/// Draws a token with probability softmax(scores / temperature) among those that leave_probable() keeps, at least one.
std::int64_t draw_token(const std::vector<double>& scores, const SamplingParameters& parameters, RandomNumbers& random);

/// Draws `count` of the indices of scores with probability softmax(scores), none twice, in the order of drawing; fewer
/// if fewer are above -infinity.
std::vector<std::size_t> draw_several(const std::vector<double>& scores, std::size_t count, RandomNumbers& random);

}  // namespace attn
