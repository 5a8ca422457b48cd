#include "mha/options.hpp"

#include <attn/core/error.hpp>

#include <algorithm>
#include <iterator>

namespace mha {

namespace {

/// A sequence of a batch needs no other one, nor do its heads, and a query of a sequence with keys of its own no other
/// query, where nothing is given whose rows may be those of another axis.
std::optional<cli::RowRule> by_rows(const Options& o, std::size_t rank) {
  const cli::AttentionOptions& a = o.attention.attention;
  const cli::OptionalInput* const others[] = {&o.query,
                                              &o.key,
                                              &o.value,
                                              &o.past_key,
                                              &o.attention.padding_mask,
                                              &o.attention.positions,
                                              &o.attention.segments};
  if (std::any_of(std::begin(others), std::end(others), [](const auto* other) { return other->given(); }))
    return std::nullopt;
  if (o.stage == Part::merge && rank == 4) return cli::RowRule{3};
  if (o.stage != Part::all) return std::nullopt;
  const bool has_masks = a.mask.given() || a.bias.given();
  if (rank == 3 && !has_masks) return cli::RowRule{2, {&o.memory}, &a.valid_lens};
  const bool has_type = !a.mask.given() || a.parameters.mask_type != attn::MaskType::automatic;
  const bool has_rows = o.memory.given() && !a.valid_lens.given() && has_type && !a.parameters.causal_bottom_right;
  if (rank == 2 && has_rows) return cli::RowRule{1, {&a.mask, &a.bias}};
  return std::nullopt;
}

}  // namespace

void declare(cli::Command& command, Options& o) {
  command.usage("-w OPERAND [OPTION]... [INPUT]");
  command.example("mha x.h5 -w model.safetensors:/transformer.encoder.layers.0.self_attn -o y.h5");
  command.example("mha x.h5 --memory encoded.h5 -w layer.h5:/multihead_attn --heads 4 --emit weights -o y.h5");
  command.example("mha --stage project x.h5 -w layer.h5:/self_attn --heads 4 | attend -o heads.h5");
  command.input(o.input, "sequence (B, L, d) or (L, d), or q, k and v for --stage attend");
  command.input("-w,--weights", o.weights,
                "prefix of the weights: in_proj_weight, out_proj.weight ..., or the names of other models");
  command.input("--memory", o.memory, "source of keys and values, (B, S, d) (default INPUT)");
  command.input("-q,--query", o.query, "source of the queries, instead of INPUT");
  command.input("-k,--key", o.key, "source of the keys");
  command.input("-v,--value", o.value, "source of the values");
  command.option("--stage", o.stage,
                 cli::Choices<Part>{
                     {"all", Part::all}, {"project", Part::project}, {"attend", Part::attend}, {"merge", Part::merge}},
                 "step to compute; q, k, v and heads are (B, H, L, d)");
  for (cli::Input* x : {&o.query, &o.past_key, &o.past_value}) x->takes_no_rows = true;
  command.input("--past-key", o.past_key, "projected keys of the past, (B, N, P, d), as written by --emit keys");
  command.input("--past-value", o.past_value, "projected values of the past");
  command.flag("--average", o.average, "average the weights of --emit weights over the heads");
  cli::add_multi_head_options(command, o.attention);
  o.output.known_emits = {"weights", "q", "k", "v", "heads", "keys", "values"};
  o.output.names_all = [&o] { return o.stage == Part::project; };
  command.seldom({"--past-key",
                  "--past-value",
                  "--average",
                  "--kv-heads",
                  "--transposed",
                  "--zero-attention",
                  "--base",
                  "--rotary-width",
                  "--rotary-interleaved",
                  "--positions",
                  "--t5-bias",
                  "--t5-max-distance",
                  "--t5-causal",
                  "--segments",
                  "--score",
                  "--scale",
                  "--bandwidth",
                  "--window",
                  "--alibi",
                  "--normalize",
                  "--softcap",
                  "--m",
                  "--wq",
                  "--wk",
                  "--wv",
                  "--mask-type",
                  "--mask-invert",
                  "--causal-bottom-right",
                  "--bias",
                  "--alibi-slopes",
                  "--sinks",
                  "--empty"});
  o.output.rows_of = &o.input;
  o.output.by_rows = [&o](std::size_t rank) { return by_rows(o, rank); };
  o.output.has_gradients = true;
  command.output(o.output);
}

namespace {

/// Throws Error(usage) for operands of attention that the stages project and merge do not use.
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

attn::TensorView as_given(const Options& o, const attn::TensorView& query, const attn::TensorView& x) {
  return is_batch(o, query) ? x : attn::element(x, 0);
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
