#include "cli/text_lines.hpp"
#include "transformer-run/lines.hpp"
#include "transformer-run/plan.hpp"
#include "transformer-run/runs.hpp"

#include <attn/text/lines.hpp>
#include <attn/transformer/findings_json.hpp>

namespace transformer_run {
namespace {

/// "PERPLEXITY<tab>LOG-PROBABILITY<tab>TOKENS", or each token with its log-probability.
std::string shown(const attn::TokenScores& scores, const attn::text::Tokenizer& tokenizer, const Options& options) {
  const int digits = options.output.options.precision == 0 ? 6 : options.output.options.precision;
  if (options.task == "perplexity")
    return number_text(scores.perplexity(), digits) + '\t' + number_text(scores.sum(), digits) + '\t' +
           std::to_string(scores.log_probabilities.size());
  std::string text;
  for (std::size_t i = 0; i < scores.log_probabilities.size(); ++i)
    text += (i > 0 ? "\t" : "") + attn::text::one_line(tokenizer.token(scores.ids[i + 1]), true) + '\t' +
            number_text(scores.log_probabilities[i], digits);
  return text;
}

}  // namespace

void run_scores(const Options& options, const OpenedModel& opened, cli::Session& session) {
  const attn::Model model = opened.load(session.dtype());
  const attn::text::Tokenizer tokenizer = opened.tokenizer();
  check_tokenizer(opened.description, tokenizer);
  plan(opened, model.dtype(), {}, {1, opened.description.max_positions, opened.description.max_positions}, session);
  cli::TextLines source(options.text, session);
  std::size_t done = 0;
  for (auto lines = source.next(1); !lines.empty(); lines = source.next(1))
    for (const std::string& line : lines) {
      ++done;
      std::string result;
      try {
        if (!line.empty()) {
          const auto scores = score_tokens(model, tokenizer.encode(line).ids, options.stride, session.execution());
          result = options.json ? to_json(scores, tokenizer) : shown(scores, tokenizer, options);
        }
      } catch (const attn::Error& error) {
        if (error.kind() == attn::ErrorKind::usage) throw;
        handle(error, done, options, session);
      }
      session.print(result);
    }
}

}  // namespace transformer_run
