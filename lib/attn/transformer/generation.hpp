#pragma once
// Generation: from a model that scores the next token to sequences of tokens.

#include <attn/core/execution.hpp>
#include <attn/core/tensor.hpp>
#include <attn/transformer/decoding/next_token.hpp>
#include <attn/transformer/decoding/sampling.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace attn {

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

/// What draws the answer to a prompt. Its tokens decide: a text draws the same alone and in a batch, and the first of
/// many answers is the one that would come alone.
RandomNumbers random_numbers(const Prompt& prompt, std::uint64_t seed);

/// Throws Error(usage) naming the option that is out of range or contradicts another.
void validate(const GenerationParameters& parameters);

}  // namespace attn
