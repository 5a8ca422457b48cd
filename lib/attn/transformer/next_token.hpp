#pragma once
// Rules for the next token, which forbid or penalise tokens.

#include <attn/core/tensor.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace attn {

/// A bias for the score of the last token of a sequence, if all earlier tokens of the sequence precede it.
struct SequenceBias {
  std::vector<std::int64_t> ids;
  double bias = 0;
};

/// Makes an end more probable: adds |score| (factor^n - 1) to the score of an end token, n tokens after `start`.
struct LengthDecay {
  std::size_t start = 0;
  double factor = 1;
};

/// Rules for the next token, given earlier tokens. Applied in this order.
struct NextTokenRules {
  std::vector<SequenceBias> biases;
  double source_repetition_penalty = 1;    ///< scores of tokens of the source: multiplied if > 0, divided if < 0
  double repetition_penalty = 1;           ///< scores of tokens that already occur: divided if > 0, multiplied if < 0
  std::size_t no_repeat_ngram = 0;         ///< no sequence of n tokens occurs twice; 0: allowed
  std::size_t no_repeat_source_ngram = 0;  ///< and none that occur in the source
  std::size_t min_new_tokens = 0;          ///< no end token before this number
  std::size_t min_length = 0;              ///< and none before this number including the prompt
  std::vector<std::vector<std::int64_t>> bad_words;  ///< sequences of tokens that never occur, except single end tokens
  std::optional<std::int64_t> forced_first;          ///< the second token: the first new one after a start token
  std::vector<std::int64_t> forced_last;             ///< tokens allowed at the maximum length; empty: any
  std::optional<LengthDecay> length_decay;
  std::vector<std::int64_t> suppressed;        ///< tokens that never occur
  std::vector<std::int64_t> suppressed_first;  ///< tokens that are not the first unforced new one
};

/// Input of the rules.
struct TokenHistory {
  const std::vector<std::int64_t>& ids;  ///< prompt and generated tokens
  std::size_t generated;                 ///< number of generated tokens
  std::size_t max_new_tokens;
  const std::vector<std::int64_t>& end_tokens;
  const std::vector<std::int64_t>& source;  ///< input of the encoder, or the prompt
};

/// Sets scores to the logits of that row, in double. Throws Error(data) if one is NaN.
void read_scores(const TensorView& logits, std::size_t row, std::vector<double>& scores);

/// Applies the rules to the scores (logits or log-probabilities) of all tokens, in place.
void apply(const NextTokenRules& rules, const TokenHistory& history, std::vector<double>& scores);

/// The token with the highest score, the first among equals; NaN never wins.
std::int64_t best_token(const std::vector<double>& scores);

}  // namespace attn
