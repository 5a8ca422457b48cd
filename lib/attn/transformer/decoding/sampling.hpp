#pragma once
// Drawing tokens at random, with the same result on every machine.

#include <attn/transformer/generation.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace attn {

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

/// What draws the answer to a prompt. Its tokens decide: a text draws the same alone and in a batch, and the first of
/// many answers is the one that would come alone.
RandomNumbers random_numbers(const Prompt& prompt, std::uint64_t seed);

/// Scores become scores / temperature where top_k, top_p, min_p, typical_p, epsilon and eta leave the token, one after
/// the other, and -infinity elsewhere; each leaves `least` tokens at least. Sources: Fan et al. 2018; Holtzman et al.
/// 2020; Nguyen et al. 2024; Meister et al. 2023; Hewitt et al. 2022.
void leave_probable(std::vector<double>& scores, const SamplingParameters& parameters, std::size_t least);

/// Draws a token with probability softmax(scores / temperature) among those that leave_probable() keeps, at least one.
std::int64_t draw_token(const std::vector<double>& scores, const SamplingParameters& parameters, RandomNumbers& random);

/// Draws `count` of the indices of scores with probability softmax(scores), none twice, in the order of drawing; fewer
/// if fewer are above -infinity.
std::vector<std::size_t> draw_several(const std::vector<double>& scores, std::size_t count, RandomNumbers& random);

}  // namespace attn
