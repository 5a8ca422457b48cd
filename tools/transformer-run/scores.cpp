#include "cli/numbers.hpp"
#include "transformer-run/lines.hpp"
#include "transformer-run/runs.hpp"
#include "transformer-run/source_batch.hpp"

#include <attn/text/lines.hpp>
#include <attn/transformer/inference.hpp>
#include <attn/transformer/text_task.hpp>

namespace transformer_run {
namespace {

/// "PERPLEXITY<tab>LOG-PROBABILITY<tab>TOKENS", or each token with its log-probability.
std::string shown(const attn::TokenScores& scores, const attn::text::Tokenizer& tokenizer, const Options& options) {
  const int digits = options.output.options.precision == 0 ? 6 : options.output.options.precision;
  if (options.task == "perplexity")
    return cli::number_text(scores.perplexity(), digits) + '\t' + cli::number_text(scores.sum(), digits) + '\t' +
           std::to_string(scores.log_probabilities.size());
  std::string text;
  for (std::size_t i = 0; i < scores.log_probabilities.size(); ++i)
    text += (i > 0 ? "\t" : "") + attn::text::one_line(tokenizer.token(scores.ids[i + 1]), true) + '\t' +
            cli::number_text(scores.log_probabilities[i], digits);
  return text;
}

/// The scores of all lines in one pass, for a trace.
std::vector<attn::TokenScores> scores_of_pass(const std::vector<std::string>& lines, const attn::Model& model,
                                              const attn::text::Tokenizer& tokenizer,
                                              const attn::Execution& execution) {
  const auto rows = tokens_of_lines(lines, model.description(), tokenizer, 0);
  const attn::TokenBatch batch = attn::padded_batch(rows, model.description().tokens.padding.value_or(0));
  const attn::InferenceResult pass = infer(model, batch, std::nullopt, {}, {}, execution);
  std::vector<attn::TokenScores> scores;
  for (std::size_t b = 0; b < rows.size(); ++b) scores.push_back(scores_of(element(*pass.head, b), rows[b]));
  return scores;
}

}  // namespace

void run_scores(const Options& options, const attn::OpenedModel& opened, Traced& traced, cli::Session& session) {
  const attn::Model model = opened.load(session.dtype());
  const attn::text::Tokenizer tokenizer = opened.tokenizer();
  check_tokenizer(opened.description, tokenizer);
  LineRun run(options, opened, 1, traced, session);
  session.results.end_dry_run();
  attn::text::EncodeOptions encode;
  encode.truncation.max_length = options.max_length.value_or(0);
  const std::size_t positions = opened.description.max_positions;
  std::optional<std::size_t> windowed;  // the first line longer than the positions, if --stride is not given
  const auto scores_of_line = [&](const std::string& line, std::size_t number, bool& has_unknown) {
    const attn::text::Encoding tokens = tokenizer.encode(line, encode);
    const std::vector<std::int64_t>& ids = tokens.ids;
    has_unknown = tokens.has_unknown;
    const bool is_long = !options.stride && ids.size() > positions;
    if (is_long && !windowed) windowed = number;
    return score_tokens(model, ids, is_long ? positions / 2 : options.stride.value_or(0), session.execution());
  };
  run.each(
      [&](const std::vector<std::string>& lines, const std::vector<std::size_t>& numbers) {
        std::vector<attn::TokenScores> passed;
        if (traced.is_traced()) passed = scores_of_pass(lines, model, tokenizer, traced.execution());
        traced.commit();
        std::vector<LineResult> results(lines.size());
        for (std::size_t i = 0; i < lines.size(); ++i) {
          if (lines[i].empty()) continue;
          try {
            const auto scores =
                traced.is_traced() ? passed[i] : scores_of_line(lines[i], numbers[i], results[i].has_unknown);
            results[i].text = options.json ? to_json(scores, tokenizer) : shown(scores, tokenizer, options);
          } catch (const attn::Error& error) {
            if (error.kind() == attn::ErrorKind::usage) throw;
            results[i].error = error;
          }
        }
        return results;
      },
      [&](const std::string& result) { session.results.print(result); });
  if (windowed)
    session.report.note("line " + std::to_string(*windowed) + " is longer than the " + std::to_string(positions) +
                        " positions of the model: read in windows that move on by " + std::to_string(positions / 2) +
                        " tokens; --stride N sets the step, --max-length N cuts");
}

}  // namespace transformer_run
