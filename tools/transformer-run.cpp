// transformer-run: a whole model, from text to text, from ids to tensors, or some stages of it.

#include "cli/tool.hpp"
#include "transformer-run/listing.hpp"
#include "transformer-run/runs.hpp"

namespace transformer_run {
namespace {

void run(const Options& options, cli::Session& session) {
  check(options);
  const OpenedModel opened(options.model);
  if (options.list)
    for (const std::string& line : list_model(opened.description, attn::Weights(*opened.weights))) session.print(line);
  else if (options.wants_tensors())
    run_tensors(options, opened, session);
  else if (opened.description.task != attn::Task::generate)
    run_task(options, opened, session);
  else
    run_text(options, opened, session);
}

}  // namespace
}  // namespace transformer_run

ATTN_TOOL("transformer-run", "run a whole model: text to text, or ids to hidden states and logits",
          transformer_run::Options, transformer_run::declare, transformer_run::run)
