#pragma once
// The two ways to run a model: lines of text to lines of text, and tensors to tensors. With a trace, all lines are one
// batch, and the trace is complete before the result.

#include "cli/session.hpp"
#include "transformer-run/lines.hpp"
#include "transformer-run/options.hpp"

#include <attn/models/model_folder.hpp>

namespace transformer_run {

/// Answers lines in order, each as soon as all earlier lines are answered.
void run_text(const Options& options, const attn::OpenedModel& opened, Traced& traced, cli::Session& session);

/// The result of a model with a head for every line: labels, answers, filled masks, vectors.
void run_task(const Options& options, const attn::OpenedModel& opened, Traced& traced, cli::Session& session);

/// The same for every picture or video.
void run_pictures(const Options& options, const attn::OpenedModel& opened, Traced& traced, cli::Session& session);

/// The probability of every line under a language model.
void run_scores(const Options& options, const attn::OpenedModel& opened, Traced& traced, cli::Session& session);

/// From ids, or texts as one padded batch, to ids, hidden states, attention maps and logits; or only some stages.
void run_tensors(const Options& options, const attn::OpenedModel& opened, Traced& traced, cli::Session& session);

/// The layers that --encoder names. A note names the tensors that are of none.
attn::TorchLayers open_layers(const Options& options, cli::Session& session);
/// From vectors to vectors, through these layers.
void run_layers(const Options& options, attn::TorchLayers& layers, Traced& traced, cli::Session& session);

/// Are the result the vectors of lines, and nothing else that needs all lines as one batch?
bool makes_vectors_of_lines(const Options& options, const attn::OpenedModel& opened);

/// The vector of every line as a row of one tensor. Rows go to a file as they are made, so that any number of lines
/// can be given; a line with an error that is skipped has zeros.
void run_vectors(const Options& options, const attn::OpenedModel& opened, const Traced& untraced,
                 cli::Session& session);

/// Parameters of generation from the options and the model's special tokens. Throws Error(usage).
attn::TextGenerationParameters generation_parameters(const Options& options, const attn::OpenedModel& opened);

/// Counts answers that ended before --max-new-tokens or --min-new-tokens because the model had no positions left, for
/// one note.
class ShortAnswers {
 public:
  explicit ShortAnswers(const attn::GenerationParameters& generation)
      : least_(generation.rules.min_new_tokens), most_(generation.max_new_tokens) {}
  void count(const attn::Generated& answer);
  void say(cli::Report& report) const;

 private:
  std::size_t least_, most_;  // most_ 0: not set
  std::size_t below_least_ = 0, below_most_ = 0;
};

}  // namespace transformer_run
