// transformer-run: runs a whole model, from text to text or from ids to tensors, or some of its stages.

#include "cli/tool.hpp"
#include "transformer-run/listing.hpp"
#include "transformer-run/runs.hpp"

namespace transformer_run {
namespace {

void run_model(const Options& options, const attn::OpenedModel& opened, cli::Session& session) {
  Traced traced(options, session.execution());
  if (options.chat && opened.description.task != attn::Task::generate)
    throw attn::Error(attn::ErrorKind::usage, "--chat", "is for models that generate");
  const bool makes_rows = options.wants_tensors() && makes_vectors_of_lines(options, opened);
  if ((options.resume || options.shard) && !makes_rows && (options.wants_tensors() || opened.sees()))
    throw attn::Error(attn::ErrorKind::usage, options.resume ? "--resume" : "--shard",
                      "is for lines of text, with lines or vectors as the result");
  if (makes_rows)
    run_vectors(options, opened, traced, session);
  else if (options.wants_tensors())
    run_tensors(options, opened, traced, session);
  else if (opened.sees())
    run_pictures(options, opened, traced, session);
  else if (opened.description.task == attn::Task::score_tokens)
    run_scores(options, opened, traced, session);
  else if (opened.description.task != attn::Task::generate)
    run_task(options, opened, traced, session);
  else
    run_text(options, opened, traced, session);
}

void run(const Options& options, cli::Session& session) {
  check(options, session);
  attn::OpenedModel opened(options.model, options.task);
  const bool some_stages = !options.to.empty() || options.replay.given();
  if (opened.description.task == attn::Task::generate && !options.decoder_ids.given() && !some_stages && !options.list)
    opened.read_generation();
  if (options.list)
    for (const std::string& line : list_model(opened.description, opened.weights)) session.results.print(line);
  else
    run_model(options, opened, session);
}

}  // namespace
}  // namespace transformer_run

ATTN_TOOL("transformer-run", "run a whole model: text to text, or ids to hidden states and logits",
          transformer_run::Options, transformer_run::declare, transformer_run::run)
