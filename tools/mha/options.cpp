#include "mha/options.hpp"

#include <attn/core/error.hpp>

namespace mha {

void declare(cli::Command& command, Options& o) {
  command.usage("-w OPERAND [OPTION]... [INPUT]");
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
  command.seldom({"--past-key", "--past-value", "--average", "--kv-heads", "--transposed", "--zero-attention",
                  "--base", "--rotary-width", "--rotary-interleaved", "--positions", "--t5-bias",
                  "--t5-max-distance", "--t5-causal", "--segments", "--score", "--scale", "--bandwidth", "--window",
                  "--alibi", "--normalize", "--softcap", "--m", "--wq", "--wk", "--wv", "--mask-type",
                  "--mask-invert", "--causal-bottom-right", "--bias", "--alibi-slopes", "--sinks", "--empty"});
  command.output(o.output);
}

namespace {

/// Operands of attention, which other stages would read and not use.
void expect_stage(const Options& o) {
  if (o.stage == Part::all || o.stage == Part::attend) return;
  const std::string detail = o.stage == Part::project
                                 ? "is not used: --stage project writes q, k and v and does no more"
                                 : "is not used: --stage merge joins the heads and does no more";
  const cli::AttentionOptions& a = o.attention.attention;
  for (const cli::OptionalInput* operand : {&a.mask, &a.valid_lens, &a.bias, &a.alibi_slopes, &a.sinks, &a.bilinear,
                                            &a.query_weight, &a.key_weight, &a.score_weight, &o.attention.segments})
    if (operand->given()) throw attn::Error(attn::ErrorKind::usage, operand->option, detail, "leave it out");
  if (!o.output.emit.empty()) throw attn::Error(attn::ErrorKind::usage, "--emit", detail, "leave it out");
}

}  // namespace

bool is_batch(const Options& o, const attn::TensorView& query) {
  const bool are_heads = o.stage == Part::attend || o.stage == Part::merge;
  return query.rank() > (are_heads ? 3 : 2);
}

void check(const Options& o) {
  if (o.past_key.given() != o.past_value.given())
    throw attn::Error(attn::ErrorKind::usage, o.past_key.given() ? "--past-value" : "--past-key",
                      "is required: the past is keys and values");
  if (o.stage != Part::attend && !o.weights.given())
    throw attn::Error(attn::ErrorKind::usage, "--weights", "is required", "see mha --help");
  expect_stage(o);
}

}  // namespace mha
