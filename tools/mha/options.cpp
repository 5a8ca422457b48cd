#include "mha/options.hpp"

#include <attn/core/error.hpp>

namespace mha {

void declare(cli::Command& command, Options& o) {
  command.example("mha x.h5 -w model.safetensors:/transformer.encoder.layers.0.self_attn -o y.h5");
  command.example("mha x.h5 --memory encoded.h5 -w layer.h5:/multihead_attn --heads 4 --emit weights -o y.h5");
  command.example("mha --stage project x.h5 -w layer.h5:/self_attn --heads 4 | attend -o heads.h5");
  command.input(o.input, "(B, L, d) or (L, d); datasets y, then x, unless it names another");
  command.input("-w,--weights", o.weights,
                "a prefix with in_proj_weight, out_proj.weight ..., or what other models call them, below it");
  command.input("--memory", o.memory, "keys and values come from this, (B, S, d); default: from INPUT");
  command.input("-q,--query", o.query, "what the queries are projected from, instead of INPUT");
  command.input("-k,--key", o.key, "what the keys are projected from");
  command.input("-v,--value", o.value, "what the values are projected from");
  command.option("--stage", o.stage,
                 cli::Choices<Part>{
                     {"all", Part::all}, {"project", Part::project}, {"attend", Part::attend}, {"merge", Part::merge}},
                 "one step alone: project writes q, k, v; attend takes them; merge takes heads (B, H, L, d); "
                 "of one sequence all are (H, L, d)");
  command.input("--past-key", o.past_key, "projected keys of the past, (B, N, P, d), as --emit keys wrote them");
  command.input("--past-value", o.past_value, "projected values of the past");
  command.flag("--average", o.average, "--emit weights averages them over the heads");
  cli::add_multi_head_options(command, o.attention);
  o.output.known_emits = {"weights", "q", "k", "v", "heads", "keys", "values"};
  o.output.names_all = [&o] { return o.stage == Part::project; };
  command.output(o.output);
}

namespace {

/// Options that belong to one of the steps, by the step.
const std::vector<std::string> of_projecting{"--rotary", "--rotary-base", "--rotary-width", "--rotary-interleaved",
                                             "--positions"};
const std::vector<std::string> of_attending{"--padding-mask",    "--zero-attention", "--average",  "--t5-bias",
                                            "--t5-max-distance", "--t5-causal",      "--segments", "--emit"};

void expect_stage_options(const Options& o, const cli::Session& session) {
  const bool projects = o.stage == Part::all || o.stage == Part::project;
  const bool attends = o.stage == Part::all || o.stage == Part::attend;
  const char* reason = o.stage == Part::project  ? "--stage project writes q, k and v and does no more"
                       : o.stage == Part::attend ? "--stage attend takes q, k and v as they are"
                                                 : "--stage merge joins the heads and does no more";
  if (!projects) session.refuse(of_projecting, reason);
  if (!attends) {
    session.refuse(of_attending, reason);
    session.refuse(o.attention.attention.names, reason);
  }
  if (o.stage == Part::merge) session.refuse({"--past-key", "--past-value"}, reason);
  if (o.past_key.given() != o.past_value.given())
    throw attn::Error(attn::ErrorKind::usage, o.past_key.given() ? "--past-value" : "--past-key",
                      "is required: the past is keys and values");
  if (o.stage != Part::attend && !o.weights.given())
    throw attn::Error(attn::ErrorKind::usage, "--weights", "is required", "see mha --help");
}

/// Operands that would not be read.
void expect_reads(const Options& o, const cli::Session& session) {
  const bool own = o.key.given() || o.value.given(), attends_alone = o.stage == Part::attend;
  if (o.stage == Part::merge) session.refuse({"--key", "--value"}, "--stage merge takes the heads of INPUT");
  if (o.stage == Part::merge || attends_alone) session.refuse({"--memory"}, "nothing is projected", "say -k and -v");
  if (own) session.refuse({"--memory"}, "-k and -v say where keys and values come from", "say either it, or both");
  const bool reads_input = !o.query.given() || (attends_alone && !(o.key.given() && o.value.given()));
  if (!reads_input && !o.input.text.empty())
    throw attn::Error(attn::ErrorKind::usage, "INPUT " + o.input.text, "would not be read, as -q takes its place",
                      "leave it out");
}

}  // namespace

bool is_batch(const Options& o, const attn::TensorView& query) {
  const bool are_heads = o.stage == Part::attend || o.stage == Part::merge;
  return query.rank() > (are_heads ? 3 : 2);
}

void check(const Options& o, const cli::Session& session) {
  if (o.average && !cli::Session::wants(o.output, "weights"))
    throw attn::Error(attn::ErrorKind::usage, "--average", "needs --emit weights");
  expect_stage_options(o, session);
  expect_reads(o, session);
}

}  // namespace mha
