#pragma once
// The choice of the next token: rules that forbid or punish.

#include <attn/core/tensor.hpp>

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
  std::vector<std::vector<std::int64_t>> bad_words;  ///< sequences of tokens that never occur, but for end tokens alone
  std::optional<std::int64_t> forced_first;          ///< the second token: the first new one behind a start token
  std::vector<std::int64_t> forced_last;             ///< the tokens, all alike, at the maximum length; none: any
  std::optional<LengthDecay> length_decay;
  std::vector<std::int64_t> suppressed;        ///< tokens that never occur
  std::vector<std::int64_t> suppressed_first;  ///< tokens that are not the first new one that is not forced
};

/// What the rules look at.
struct TokenHistory {
  const std::vector<std::int64_t>& ids;  ///< prompt and generated tokens
  std::size_t generated;                 ///< how many of them were generated
  std::size_t max_new_tokens;
  const std::vector<std::int64_t>& end_tokens;
  const std::vector<std::int64_t>& source;  ///< what the encoder read, or the prompt
};

/// Scores become the logits of that row, in double. Throws Error(data) when one is NaN.
void read_scores(const TensorView& logits, std::size_t row, std::vector<double>& scores);

/// Applies the rules to the scores (logits or log-probabilities) of all tokens, in place.
void apply(const NextTokenRules& rules, const TokenHistory& history, std::vector<double>& scores);

/// The token with the highest score, the first among equals; NaN never wins.
std::int64_t best_token(const std::vector<double>& scores);

}  // namespace attn
