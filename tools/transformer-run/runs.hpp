#pragma once
// The two ways to run a model: lines of text to lines of text, and tensors to tensors.

#include "cli/session.hpp"
#include "transformer-run/opened_model.hpp"
#include "transformer-run/options.hpp"

namespace transformer_run {

/// Answers every line in its order, as soon as those before it are answered.
void run_text(const Options& options, const OpenedModel& opened, cli::Session& session);

/// What a model with a head of its own says of every line: labels, answers, filled masks, vectors.
void run_task(const Options& options, const OpenedModel& opened, cli::Session& session);

/// The same of every picture or video.
void run_pictures(const Options& options, const OpenedModel& opened, cli::Session& session);

/// How probable a language model finds every line.
void run_scores(const Options& options, const OpenedModel& opened, cli::Session& session);

/// Ids, or texts as one padded batch, to ids, hidden states, attention maps and logits; or some stages only. Writes the
/// trace that was asked for; the result itself only where it is tensors.
void run_tensors(const Options& options, const OpenedModel& opened, cli::Session& session);

/// The parameters of generation as the options and the model's special tokens have them. Throws Error(usage).
attn::TextGenerationParameters generation_parameters(const Options& options, const OpenedModel& opened);

}  // namespace transformer_run
