#pragma once
// The choice of the next token: rules that forbid or punish.

#include <attn/transformer/generation.hpp>

#include <cstdint>
#include <vector>

namespace attn {

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
