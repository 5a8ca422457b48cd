#pragma once
// The choice of the next token: rules that forbid or punish, and drawing at random with the same result on every
// machine.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace attn {

/// What is added to the score of the last token of a sequence where all before it are there.
struct SequenceBias {
  std::vector<std::int64_t> ids;
  double bias = 0;
};

/// Ending becomes more probable: |score| (factor^n - 1) is added to an end token's score, n tokens after `start`.
struct LengthDecay {
  std::size_t start = 0;
  double factor = 1;
};

/// What may come next, given what is already there. Applied in this order.
struct NextTokenRules {
  std::vector<SequenceBias> biases;
  double source_repetition_penalty = 1;    ///< scores of tokens of the source: multiplied if > 0, divided if < 0
  double repetition_penalty = 1;           ///< scores of tokens that occur already: divided if > 0, multiplied if < 0
  std::size_t no_repeat_ngram = 0;         ///< no n tokens in a row occur twice; 0: allowed
  std::size_t no_repeat_source_ngram = 0;  ///< and none that occur in the source
  std::size_t min_new_tokens = 0;          ///< no end token before that many
  std::size_t min_length = 0;              ///< and none before that many with the prompt
  std::vector<std::vector<std::int64_t>> bad_words;  ///< sequences of tokens that never occur
  std::optional<std::int64_t> forced_first;          ///< the first new token
  std::optional<std::int64_t> forced_last;           ///< the token at the maximum length
  std::optional<LengthDecay> length_decay;
  std::vector<std::int64_t> suppressed;        ///< tokens that never occur
  std::vector<std::int64_t> suppressed_first;  ///< tokens that are not the first new one
  bool renormalize = false;                    ///< scores become log-probabilities at the end
};

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

/// What the rules look at.
struct TokenHistory {
  const std::vector<std::int64_t>& ids;  ///< prompt and generated tokens
  std::size_t generated;                 ///< how many of them were generated
  std::size_t max_new_tokens;
  const std::vector<std::int64_t>& end_tokens;
  const std::vector<std::int64_t>& source;  ///< what the encoder read, or the prompt
};

/// Applies the rules to the scores (logits or log-probabilities) of all tokens, in place.
void apply(const NextTokenRules& rules, const TokenHistory& history, std::vector<double>& scores);

/// The token with the highest score, the first among equals; NaN never wins.
std::int64_t best_token(const std::vector<double>& scores);

/// Draws a token with probability softmax(scores / temperature) among those that top_k, top_p, min_p, typical_p,
/// epsilon and eta leave, one after the other. Sources: Fan et al. 2018; Holtzman et al. 2020; Nguyen et al. 2024;
/// Meister et al. 2023; Hewitt et al. 2022.
std::int64_t draw_token(const std::vector<double>& scores, const SamplingParameters& parameters, RandomNumbers& random);

/// scores - log sum exp(scores), in place.
void log_softmax(std::vector<double>& scores);

}  // namespace attn
