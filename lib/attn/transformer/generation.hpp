#pragma once
// Generation: from a model that scores the next token to sequences of tokens.

#include <attn/core/execution.hpp>
#include <attn/core/tensor.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ATTN_API attn {

/// A model that continues sequences, one row each: what the searches below need of it.
class Continuation {
 public:
  virtual ~Continuation() = default;

  /// Appends tokens to each row (the same number to every row) and returns the logits after the last one,
  /// (rows, vocabulary), f32 or f64.
  virtual TensorView advance(const std::vector<std::vector<std::int64_t>>& tokens) = 0;

  /// From now on row i continues what was row rows[i]: rows may vanish, move and be doubled.
  virtual void select(const std::vector<std::size_t>& rows) = 0;
};

/// When beam search stops looking for better sequences.
enum class EarlyStopping : std::uint8_t {
  no,    ///< when no running beam is better than the worst finished one at its present length
  yes,   ///< as soon as there are as many finished sequences as beams
  never  ///< when no running beam could become better at any length
};

/// With exponents of that size length^penalty is a number for every length.
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
  std::size_t max_new_tokens = 0;        ///< 0: as many as the model has positions for
  std::size_t max_length = 0;            ///< of the prompt and these together; 0: no other limit
  std::vector<std::int64_t> end_tokens;  ///< generation ends with any of them; empty: never before the maximum
  std::optional<std::int64_t> filling;   ///< of rows that end before others; none: the model's padding token
  std::vector<std::string> stop;         ///< and before the first of these texts, where tokens become text
  std::size_t beams = 1;                 ///< more than 1: beam search
  double length_penalty = 1;             ///< beams: score = sum of log-probabilities / length^penalty
  EarlyStopping early_stopping = EarlyStopping::no;
  std::size_t num_return = 1;   ///< sequences for each input; beams or sampling
  NextTokenRules rules;         ///< what may come next
  SamplingParameters sampling;  ///< drawn at random instead of the best
  bool renormalize = false;     ///< beams: what rules and cuts leave of a step's scores become log-probabilities again

  bool ends_with(std::int64_t id) const;
};

/// What stands before the first generated token, n >= 1 tokens.
struct Prompt {
  std::vector<std::int64_t> ids;
  std::vector<std::int64_t> source = {};  ///< what the encoder read; where there is none, the ids
  std::size_t answer = 0;                 ///< which of several answers to it is drawn

  const std::vector<std::int64_t>& source_ids() const noexcept { return source.empty() ? ids : source; }
};

/// One generated sequence.
struct Generated {
  std::vector<std::int64_t> ids;  ///< what was generated, the end token included, the prompt not
  bool ended = false;             ///< by an end token or by `stop`, not by the maximum
  double score = 0;               ///< sum of the tokens' log-probabilities, for beams / length^penalty
  bool is_cut = false;            ///< it would have gone on behind the maximum, or if the model had more positions
};

/// Told of each token as soon as it is chosen, by beam search of each candidate for a beam; true ends that sequence.
using TokenHook = std::function<bool(std::size_t row, const std::vector<std::int64_t>& generated)>;

/// Greedy search or sampling for a batch of rows that share the length of their prompt; threads share the rows.
///
/// returns  one sequence a row. Every row gets what it would get alone: rows that have ended leave the batch.
std::vector<Generated> generate_token_by_token(Continuation& model, const std::vector<Prompt>& prompts,
                                               const GenerationParameters& parameters, const TokenHook& hook = {},
                                               const Execution& execution = {});

/// Throws Error(usage) naming the option that is out of range or contradicts another.
void validate(const GenerationParameters& parameters);

}  // namespace attn
