#include <attn/transformer/generation.hpp>

#include <attn/core/error.hpp>
#include <attn/transformer/decoding/next_token.hpp>
#include <attn/transformer/decoding/sampling.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace attn {
namespace {

using Tokens = std::vector<std::int64_t>;

/// Whether the rules leave a token.
bool leaves_any(const std::vector<double>& scores) {
  return std::any_of(scores.begin(), scores.end(),
                     [](double score) { return score > -std::numeric_limits<double>::infinity(); });
}

/// One row of greedy search or sampling.
struct Row {
  std::size_t index;  ///< in the batch as it was given
  Tokens history;     ///< prompt and generated tokens
  RandomNumbers random;
};

/// The next token of a row.
struct Choice {
  std::int64_t id;
  double log_probability;
};

/// Nothing where the rules leave nothing. Room for the scores is handed in.
std::optional<Choice> choose_token(const TensorView& logits, std::size_t i, const TokenHistory& history,
                                   const GenerationParameters& parameters, RandomNumbers& random, Isa isa,
                                   std::vector<double>& scores) {
  read_scores(logits, i, scores);
  apply(parameters.rules, history, scores);
  if (!leaves_any(scores)) return std::nullopt;
  const std::int64_t id =
      parameters.sampling.enabled ? draw_token(scores, parameters.sampling, random) : best_token(scores);
  log_softmax(scores, isa);
  return Choice{id, scores[static_cast<std::size_t>(id)]};
}

}  // namespace

bool GenerationParameters::ends_with(std::int64_t id) const {
  return std::find(end_tokens.begin(), end_tokens.end(), id) != end_tokens.end();
}

void validate(const GenerationParameters& p) {
  const auto require = [](bool holds, const char* option, const char* detail) {
    if (!holds) throw Error(ErrorKind::usage, option, detail);
  };
  require(p.beams >= 1, "--beams", "must be at least 1");
  require(p.num_return >= 1, "--num-return", "must be at least 1");
  require(p.beams == 1 || p.num_return <= p.beams, "--num-return", "cannot exceed --beams");
  require(p.beams > 1 || p.num_return == 1 || p.sampling.enabled, "--num-return",
          "greedy search finds one sequence; give --beams or --sample too");
  require(std::abs(p.length_penalty) <= most_length_penalty, "--length-penalty", "must be from -50 to 50");
  require(p.sampling.temperature > 0 && std::isfinite(p.sampling.temperature), "--temperature",
          "must be above 0 and finite");
  require(p.sampling.top_p > 0 && p.sampling.top_p <= 1, "--top-p", "must be above 0 and at most 1");
  require(p.sampling.min_p >= 0 && p.sampling.min_p <= 1, "--min-p", "must be from 0 to 1");
  require(p.sampling.typical_p > 0 && p.sampling.typical_p <= 1, "typical_p", "must be above 0 and at most 1");
  require(p.sampling.epsilon >= 0 && p.sampling.epsilon <= 1, "epsilon", "must be from 0 to 1");
  require(p.sampling.eta >= 0 && p.sampling.eta <= 1, "eta", "must be from 0 to 1");
  require(p.rules.repetition_penalty > 0 && std::isfinite(p.rules.repetition_penalty), "--repetition-penalty",
          "must be above 0 and finite");
  require(p.max_length == 0 || p.rules.min_length <= p.max_length, "min_length", "cannot exceed max_length");
  require(p.max_new_tokens == 0 || p.rules.min_new_tokens <= p.max_new_tokens, "--min-new-tokens",
          "cannot exceed --max-new-tokens");
}

std::vector<Generated> generate_token_by_token(Continuation& model, const std::vector<Prompt>& prompts,
                                               const GenerationParameters& parameters, const TokenHook& hook,
                                               const Execution& execution) {
  std::vector<Generated> results(prompts.size());
  std::vector<Row> rows;
  for (std::size_t i = 0; i < prompts.size(); ++i)
    rows.push_back({i, prompts[i].ids, random_numbers(prompts[i], parameters.sampling.seed)});
  std::vector<Tokens> next;
  for (const Prompt& prompt : prompts) next.push_back(prompt.ids);
  std::vector<std::vector<double>> scores(execution.threads());

  for (std::size_t step = 0; step < parameters.max_new_tokens && !rows.empty(); ++step) {
    const TensorView logits = model.advance(next);
    std::vector<std::optional<Choice>> choices(rows.size());
    execution.parallel(rows.size(), [&](std::size_t i, std::size_t worker) {
      const TokenHistory history{rows[i].history, step, parameters.max_new_tokens, parameters.end_tokens,
                                 prompts[rows[i].index].source_ids()};
      choices[i] = choose_token(logits, i, history, parameters, rows[i].random, execution.isa, scores[worker]);
    });
    std::vector<std::size_t> going_on;
    next.clear();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (!choices[i]) continue;
      Row& row = rows[i];
      Generated& result = results[row.index];
      const std::int64_t id = choices[i]->id;
      result.score += choices[i]->log_probability;
      result.ids.push_back(id);
      row.history.push_back(id);
      const bool stopped = hook && hook(row.index, result.ids);
      result.ended = stopped || parameters.ends_with(id);
      if (result.ended) continue;
      going_on.push_back(i);
      next.push_back({id});
    }
    if (going_on.size() < rows.size()) {
      model.select(going_on);
      std::vector<Row> left;
      for (const std::size_t i : going_on) left.push_back(std::move(rows[i]));
      rows = std::move(left);
    }
  }
  return results;
}

}  // namespace attn
