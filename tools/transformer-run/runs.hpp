#pragma once
// The two ways to run a model: lines of text to lines of text, and tensors to tensors. Where a trace is
// asked for all lines are one batch, and it is there before the result.

#include "cli/session.hpp"
#include "transformer-run/options.hpp"
#include "transformer-run/trace_file.hpp"

#include <attn/api/opened_model.hpp>

namespace transformer_run {

/// Answers every line in its order, as soon as those before it are answered.
void run_text(const Options& options, const attn::OpenedModel& opened, Traced& traced, cli::Session& session);

/// What a model with a head of its own says of every line: labels, answers, filled masks, vectors.
void run_task(const Options& options, const attn::OpenedModel& opened, Traced& traced, cli::Session& session);

/// The same of every picture or video.
void run_pictures(const Options& options, const attn::OpenedModel& opened, Traced& traced, cli::Session& session);

/// How probable a language model finds every line.
void run_scores(const Options& options, const attn::OpenedModel& opened, Traced& traced, cli::Session& session);

/// Ids, or texts as one padded batch, to ids, hidden states, attention maps and logits; or some stages only.
void run_tensors(const Options& options, const attn::OpenedModel& opened, Traced& traced, cli::Session& session);

/// The parameters of generation as the options and the model's special tokens have them. Throws Error(usage).
attn::TextGenerationParameters generation_parameters(const Options& options, const attn::OpenedModel& opened);

/// Answers that had to end before --max-new-tokens or even --min-new-tokens, as there was no more room behind their
/// prompts: counted, and said in one note.
class ShortAnswers {
 public:
  explicit ShortAnswers(const attn::GenerationParameters& generation)
      : least_(generation.rules.min_new_tokens), most_(generation.max_new_tokens) {}
  void count(const attn::Generated& answer);
  void say(cli::Session& session) const;

 private:
  std::size_t least_, most_;  // most_ 0: nothing was asked for
  std::size_t below_least_ = 0, below_most_ = 0;
};

}  // namespace transformer_run
