#pragma once
// Generation: sequences of tokens from a model that scores the next token.

#include <attn/core/execution.hpp>
#include <attn/core/tensor.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ATTN_API attn {

/// A model that continues sequences, one row each: the interface for the searches below.
class Continuation {
 public:
  virtual ~Continuation() = default;

  /// Appends tokens to each row (the same number to every row) and returns the logits after the last one,
  /// (rows, vocabulary), f32 or f64.
  virtual TensorView advance(const std::vector<std::vector<std::int64_t>>& tokens) = 0;

  /// From now on row i continues the former row rows[i]: rows may vanish, move and be duplicated.
  virtual void select(const std::vector<std::size_t>& rows) = 0;
};

/// The end of beam search.
enum class EarlyStopping : std::uint8_t {
  no,    ///< when no running beam is better, at its present length, than the worst finished one
  yes,   ///< as soon as there are as many finished sequences as beams
  never  ///< when no running beam can become better at any length
};

/// Up to this exponent, length^penalty is finite for every length.
inline constexpr double most_length_penalty = 50;

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

/// How tokens are chosen. The initialisers are the defaults of the tool.
struct GenerationParameters {
  std::size_t max_new_tokens = 0;        ///< 0: as many as the model has positions
  std::size_t max_length = 0;            ///< limit of prompt and new tokens together; 0: none
  std::vector<std::int64_t> end_tokens;  ///< any of them ends generation; empty: only the maximum does
  std::optional<std::int64_t> filling;   ///< padding of rows that end early; none: the model's padding token
  std::vector<std::string> stop;         ///< end before the first of these texts, if tokens become text
  std::size_t beams = 1;                 ///< more than 1: beam search
  double length_penalty = 1;             ///< beams: score = sum of log-probabilities / length^penalty
  EarlyStopping early_stopping = EarlyStopping::no;
  std::size_t num_return = 1;   ///< sequences for each input; beams or sampling
  NextTokenRules rules;         ///< rules for the next token
  SamplingParameters sampling;  ///< sampling instead of the best token
  bool renormalize = false;     ///< beams: normalise log-probabilities again after rules and cuts

  bool ends_with(std::int64_t id) const;
};

/// The tokens before the first generated token, n >= 1.
struct Prompt {
  std::vector<std::int64_t> ids;
  std::vector<std::int64_t> source = {};  ///< input of the encoder; without an encoder, the ids
  std::size_t answer = 0;                 ///< index of the answer among several

  const std::vector<std::int64_t>& source_ids() const noexcept { return source.empty() ? ids : source; }
};

/// One generated sequence.
struct Generated {
  std::vector<std::int64_t> ids;  ///< generated tokens, with the end token, without the prompt
  bool ended = false;             ///< by an end token or by `stop`, not by the maximum
  double score = 0;               ///< sum of log-probabilities of the tokens, for beams / length^penalty
  bool is_cut = false;            ///< ended by the maximum or by the positions of the model
};

/// Called with each token as soon as it is chosen, in beam search with each candidate for a beam; true ends that
/// sequence.
using TokenHook = std::function<bool(std::size_t row, const std::vector<std::int64_t>& generated)>;

/// Greedy search or sampling for a batch of rows with prompts of equal length; threads share the rows.
///
/// returns one sequence for each row, the same as for that row alone: rows that have ended leave the batch.
std::vector<Generated> generate_token_by_token(Continuation& model, const std::vector<Prompt>& prompts,
                                               const GenerationParameters& parameters, const TokenHook& hook = {},
                                               const Execution& execution = {});

/// Throws Error(usage) naming the option that is out of range or contradicts another.
void validate(const GenerationParameters& parameters);

}  // namespace attn
