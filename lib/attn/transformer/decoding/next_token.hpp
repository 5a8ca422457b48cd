#pragma once
// The choice of the next token: probabilities from logits, and rules that forbid or punish.

#include <attn/core/isa.hpp>
#include <attn/transformer/generation.hpp>

#include <cstdint>
#include <vector>

namespace attn {

// Probabilities have the same bits on every machine: drawn tokens and ranked sequences must not depend on the exp and
// log of the C library.

/// e^x for x <= 0, within 2 ulp; 0 below -700, NaN for NaN.
double reproducible_exp(double x);
/// The same for all elements, in place.
void reproducible_exp(std::vector<double>& x, Isa isa = native_isa());

/// The natural logarithm of a finite x > 0, within 2 ulp; NaN for NaN.
double reproducible_log(double x);

/// x^p of x >= 1, or of x >= 0 where p is whole, |p| <= 2^31: by products for the whole part of p, exp(p log x) for the
/// rest. Within 1e-14 of it for |p| <= 50 where it is finite.
double reproducible_power(double x, double p);

/// scores - log sum exp(scores), in place.
void log_softmax(std::vector<double>& scores, Isa isa = native_isa());

/// Probabilities, exp of the above.
void softmax(std::vector<double>& scores, Isa isa = native_isa());

/// 1 / (1 + e^-x)
double sigmoid(double x);

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
