#include "transformer-run/generation_options.hpp"

#include "cli/numbers.hpp"

namespace transformer_run {

void add_generation_options(cli::Command& command, attn::GenerationParameters& p) {
  using attn::EarlyStopping;
  command.group("Generation");
  command.option("--max-new-tokens", p.max_new_tokens, "N: at most so many tokens; 0: all that the model can");
  command.option("--min-new-tokens", p.rules.min_new_tokens, "N: no end token before that many");
  command.option("--beams", p.beams, "N: beam search with so many beams; 1: the best token at each step");
  command.option("--length-penalty", p.length_penalty,
                 "P: beams are ranked by the sum of log-probabilities / length^P");
  command.option("--early-stopping", p.early_stopping,
                 {{"no", EarlyStopping::no}, {"yes", EarlyStopping::yes}, {"never", EarlyStopping::never}},
                 "beams end when no better one is likely, when there are N, or when none is possible");
  command.option("--num-return", p.num_return, "N: answers to each input, of beams or samples, the best first");
  command.flag("--sample", p.sampling.enabled, "draw tokens at random by their probabilities");
  command.option("--temperature", p.sampling.temperature, "T: samples; logits are divided by it, > 0");
  command.option("--top-k", p.sampling.top_k, "K: samples; only the K most probable tokens; 0: all");
  command.option("--top-p", p.sampling.top_p, "P: samples; only the fewest tokens that have probability P together");
  command.option("--min-p", p.sampling.min_p, "P: samples; only tokens with P times the best one's probability");
  command.option("--seed", "0", "N: samples; equal logits and seed give equal tokens on every machine",
                 [&p](const std::string& word) { p.sampling.seed = cli::parse_size("--seed", word); });
  command.option("--repetition-penalty", p.rules.repetition_penalty,
                 "P: scores of tokens that occur already are divided by it, multiplied where negative");
  command.option("--no-repeat-ngram", p.rules.no_repeat_ngram, "N: no N tokens in a row occur twice; 0: they may");
}

std::string generation_option_in_use(const attn::GenerationParameters& p) {
  const attn::GenerationParameters none;
  if (p.max_new_tokens != none.max_new_tokens) return "--max-new-tokens";
  if (p.rules.min_new_tokens != none.rules.min_new_tokens) return "--min-new-tokens";
  if (p.beams != none.beams) return "--beams";
  if (p.length_penalty != none.length_penalty) return "--length-penalty";
  if (p.early_stopping != none.early_stopping) return "--early-stopping";
  if (p.num_return != none.num_return) return "--num-return";
  if (p.sampling.enabled) return "--sample";
  if (p.sampling.temperature != none.sampling.temperature) return "--temperature";
  if (p.sampling.top_k != none.sampling.top_k) return "--top-k";
  if (p.sampling.top_p != none.sampling.top_p) return "--top-p";
  if (p.sampling.min_p != none.sampling.min_p) return "--min-p";
  if (p.sampling.seed != none.sampling.seed) return "--seed";
  if (p.rules.repetition_penalty != none.rules.repetition_penalty) return "--repetition-penalty";
  if (p.rules.no_repeat_ngram != none.rules.no_repeat_ngram) return "--no-repeat-ngram";
  return "";
}

}  // namespace transformer_run
