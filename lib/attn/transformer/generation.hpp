#pragma once
// Generation: sequences of tokens from a model that scores the next token.

#include <attn/core/execution.hpp>
#include <attn/core/tensor.hpp>
#include <attn/transformer/next_token.hpp>
#include <attn/transformer/sampling.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace attn {

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

/// Parameters of generation. The initialisers are the defaults of the tool.
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

/// Random numbers for the answer to a prompt, which depend on its tokens: a text draws the same alone and in a batch,
/// and the first of many answers is the same as a single one.
RandomNumbers random_numbers(const Prompt& prompt, std::uint64_t seed);

/// Throws Error(usage) that names an option out of range or in conflict with another.
void validate(const GenerationParameters& parameters);

}  // namespace attn
