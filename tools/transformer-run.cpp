// transformer-run: a whole model, from text to text, from ids to tensors, or some stages of it.

#include "cli/text_lines.hpp"
#include "cli/tool.hpp"
#include "transformer-run/listing.hpp"
#include "transformer-run/runs.hpp"

#include <algorithm>

namespace transformer_run {
namespace {

/// All lines of standard input as texts of the command line, for a run that needs them twice.
Options with_all_lines(Options options, cli::Session& session) {
  std::vector<std::string> all;
  cli::TextLines source(options.text, session);
  for (auto lines = source.next(1024); !lines.empty(); lines = source.next(1024))
    all.insert(all.end(), lines.begin(), lines.end());
  options.text = std::move(all);
  return options;
}

void run_model(const Options& options, const OpenedModel& opened, cli::Session& session) {
  if (options.wants_tensors() || !options.trace.empty()) run_tensors(options, opened, session);
  if (options.wants_tensors()) return;
  if (opened.sees())
    run_pictures(options, opened, session);
  else if (opened.description.task == attn::Task::score_tokens)
    run_scores(options, opened, session);
  else if (opened.description.task != attn::Task::generate)
    run_task(options, opened, session);
  else
    run_text(options, opened, session);
}

void run(const Options& options, cli::Session& session) {
  check(options, session);
  OpenedModel opened(options.model, options.task);
  check(options, opened.description.task, session);
  const bool some_stages = !options.to.empty() || options.replay.given();
  if (opened.description.task == attn::Task::generate && !options.decoder_ids.given() && !some_stages && !options.list)
    opened.read_generation();
  if (opened.description.task != attn::Task::generate)
    expect_no_generation(options, "this model's head generates no text");
  if (opened.sees() && !options.trace.empty() && !options.wants_tensors() &&
      std::find(options.text.begin(), options.text.end(), "-") != options.text.end())
    throw attn::Error(attn::ErrorKind::usage, "--trace", "would read the pictures of the pipe twice",
                      "add -o for the logits");
  if (options.list)
    for (const std::string& line : list_model(opened.description, opened.weights)) session.print(line);
  else if (!options.trace.empty() && !options.wants_tensors())
    run_model(with_all_lines(options, session), opened, session);
  else
    run_model(options, opened, session);
}

}  // namespace
}  // namespace transformer_run

ATTN_TOOL("transformer-run", "run a whole model: text to text, or ids to hidden states and logits",
          transformer_run::Options, transformer_run::declare, transformer_run::run)
