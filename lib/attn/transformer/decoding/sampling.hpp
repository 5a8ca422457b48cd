#pragma once
// Tokens drawn at random, with the same result on every machine.

#include <array>
#include <cstdint>
#include <vector>

namespace attn {

/// How a token is drawn. Tokens are taken in the order of their probability, ties in the order of their ids.
struct SamplingParameters {
  bool enabled = false;    ///< false: the most probable token, the lowest id among equals
  double temperature = 1;  ///< > 0: logits are divided by it
  std::size_t top_k = 0;   ///< only the k best; 0: all
  double top_p = 1;        ///< the fewest tokens whose probabilities reach p
  double min_p = 0;        ///< none below min_p times the best one's probability
  double typical_p =
      1;  ///< in (0, 1]: those whose information is nearest to the mean of it, the fewest that reach p together
  double epsilon = 0;  ///< in [0, 1]: none below that probability, but for the best
  double eta = 0;      ///< in [0, 1]: none below min(eta, sqrt(eta) e^-entropy), but for the best
  std::uint64_t seed = 0;
};

/// xoshiro256** 1.0 (Blackman and Vigna 2018), seeded by splitmix64: the same numbers on every machine.
class RandomNumbers {
 public:
  /// A stream of its own for each (seed, stream).
  RandomNumbers(std::uint64_t seed, std::uint64_t stream);
  explicit RandomNumbers(const std::array<std::uint64_t, 4>& state) : state_(state) {}
  std::uint64_t next();
  double uniform();  ///< in [0, 1), 53 bits

 private:
  std::array<std::uint64_t, 4> state_;
};

/// Scores become scores / temperature where top_k, top_p, min_p, typical_p, epsilon and eta leave the token, one after
/// the other, and -infinity elsewhere; each leaves `least` tokens at least. Sources: Fan et al. 2018; Holtzman et al.
/// 2020; Nguyen et al. 2024; Meister et al. 2023; Hewitt et al. 2022.
void leave_probable(std::vector<double>& scores, const SamplingParameters& parameters, std::size_t least);

/// Draws a token with probability softmax(scores / temperature) among those that leave_probable() leaves, one at least.
std::int64_t draw_token(const std::vector<double>& scores, const SamplingParameters& parameters, RandomNumbers& random);

/// Draws `count` of the indices of scores with probability softmax(scores), none twice; fewer where fewer are above
/// -infinity. In the order they are drawn.
std::vector<std::size_t> draw_several(const std::vector<double>& scores, std::size_t count, RandomNumbers& random);

}  // namespace attn
