// mha: multi-head attention, whole or one stage of it.

#include "cli/results/head_attributes.hpp"
#include "cli/tool.hpp"
#include "mha/gradients.hpp"
#include "mha/options.hpp"
#include "mha/pool.hpp"

#include <attn/core/error.hpp>

#include <algorithm>
#include <iterator>

namespace mha {
namespace {

using attn::TensorView;

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
  if (o.layout == attn::Layout::length_batch) return std::nullopt;
  if (std::any_of(std::begin(others), std::end(others), [](const auto* other) { return other->given(); }))
    return std::nullopt;
  if (o.stage == Part::merge && rank == 4) return cli::RowRule{3};
  if (o.stage != Part::all) return std::nullopt;
  const bool has_masks = a.mask.given() || a.bias.given();
  if (rank == 3 && !has_masks) return cli::RowRule{2, {&o.memory}, &a.valid_lens};
  if (rank == 2 && o.memory.given() && !a.valid_lens.given() && a.has_rows())
    return cli::RowRule{1, {&a.mask, &a.bias}, nullptr, {&o.memory}};
  return std::nullopt;
}

/// Throws Error(usage) for operands of attention that the stages project and merge do not use.
void expect_stage(const Options& o) {
  if (o.stage == Part::attend && o.layout == attn::Layout::length_batch)
    throw attn::Error(attn::ErrorKind::usage, "--layout",
                      "is not used: --stage attend reads and writes heads, which are (B, H, L, d)", "leave it out");
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
  command.option("--layout", o.layout,
                 cli::Choices<attn::Layout>{{"batch-first", attn::Layout::batch_first},
                                            {"length-batch", attn::Layout::length_batch}},
                 "axes of sequences: (B, L, d), or (L, B, d) as PyTorch has them without batch_first");
  for (cli::Input* x : {&o.query, &o.past_key, &o.past_value}) x->takes_no_rows = true;
  command.input("--past-key", o.past_key, "projected keys of the past, (B, N, P, d), as written by --emit keys");
  command.input("--past-value", o.past_value, "projected values of the past");
  command.flag("--average", o.average, "average the weights of --emit weights over the heads");
  cli::add_multi_head_options(command, o.attention);
  o.output.known_emits = {"weights", "q", "k", "v", "heads", "keys", "values"};
  o.output.names_all = [&o] { return o.stage == Part::project; };
  command.seldom({"--layout",
                  "--past-key",
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

/// Throws Error(usage) for operands that the stage does not use, and for missing ones.
void check(const Options& o) {
  if (o.past_key.given() != o.past_value.given())
    throw attn::Error(attn::ErrorKind::usage, o.past_key.given() ? "--past-value" : "--past-key",
                      "is required: the past is keys and values");
  if (o.stage != Part::attend && !o.weights.given())
    throw attn::Error(attn::ErrorKind::usage, "--weights", "is required", "see mha --help");
  expect_stage(o);
}

/// Heads (H, L, d) of one sequence as a batch of one.
TensorView as_batch(TensorView heads) {
  if (heads.rank() != 3) return heads;
  heads.strides.insert(heads.strides.begin(), 0);
  heads.shape.insert(heads.shape.begin(), 1);
  return heads;
}

std::size_t count_of(const TensorView& heads) { return heads.shape[heads.rank() - 3]; }

/// The heads that the stage reads; none if it projects them itself.
std::optional<cli::ProjectedHeads> projected_heads(const Options& o, const Sequences& s, cli::Inputs& inputs) {
  if (o.stage == Part::all || o.stage == Part::project) return std::nullopt;
  const std::string shape = (o.attention.heads ? std::to_string(*o.attention.heads) : std::string("H")) + ", L, d)";
  const std::string other_order = "for (B, L, H, d) swap the axes: tconv --axes 0,2,1,3";
  const auto refuse = [&](const TensorView& heads) {
    throw attn::shape_error(heads.name, heads.shape, "(B, " + shape + " or (" + shape,
                            heads.rank() == 4 && o.attention.heads == heads.shape[2] ? other_order : "");
  };
  for (const TensorView* heads : {&s.query, &s.key, &s.value})
    if (heads->rank() != 3 && heads->rank() != 4) refuse(*heads);
  const std::size_t count = count_of(s.query);
  if (o.attention.heads && *o.attention.heads != count) refuse(s.query);
  const std::size_t width = s.query.shape.back();
  if (o.stage == Part::merge) return cli::ProjectedHeads{count, width};
  const std::size_t of_keys = count_of(s.key);
  if (!o.attention.kv_heads && (of_keys == 0 || count % of_keys != 0))
    throw attn::shape_error(s.key.name, s.key.shape,
                            "a number of heads that divides the " + std::to_string(count) + " of " + s.query.name,
                            s.key.rank() == 4 ? other_order : "");
  return cli::ProjectedHeads{count, width, of_keys, cli::handed_scale(source_of(o.query, o), inputs)};
}

attn::DType compute_dtype_of(const Sequences& s, const std::optional<attn::Weights>& weights) {
  const attn::DType keys_and_values = attn::wider(attn::compute_dtype(s.key.dtype), attn::compute_dtype(s.value.dtype));
  const attn::DType data = attn::wider(attn::compute_dtype(s.query.dtype), keys_and_values);
  return weights ? attn::wider(data, weights->compute_dtype()) : data;
}

/// The past of `batch` sequences; a past of one sequence serves all.
std::optional<attn::KeyValue> read_past(const Options& o, std::size_t batch, cli::Inputs& inputs) {
  const auto of_all = [batch](const TensorView& given) {
    TensorView heads = as_batch(given);
    if (heads.rank() == 4 && heads.shape[0] == 1)
      heads = attn::broadcast_to(heads, {batch, heads.shape[1], heads.shape[2], heads.shape[3]});
    return heads;
  };
  const auto keys = inputs.read(o.past_key);
  if (!keys) return std::nullopt;
  return attn::KeyValue{of_all(*keys), of_all(inputs.read(static_cast<const cli::Input&>(o.past_value)))};
}

attn::Positions positions_of(const Options& o, const attn::MultiHeadAttention& attention, std::size_t past,
                             cli::Inputs& inputs) {
  const auto listed = attention.parameters().rotary ? cli::read_positions(o.attention.positions, inputs) : std::nullopt;
  return {static_cast<std::int64_t>(past), listed};
}

/// The input of the stage attend, with keys and values in the dtype of the past that they follow.
Heads given_heads(const Sequences& s, std::size_t past, attn::DType compute) {
  const auto heads = [&](const TensorView& x) { return as_batch(past > 0 ? attn::cast(x, compute) : x); };
  return {as_batch(s.query), {heads(s.key), heads(s.value)}};
}

Heads project(const Options& o, const attn::MultiHeadAttention& attention, const Sequences& s, std::size_t past,
              attn::DType compute, cli::Session& session) {
  if (o.stage == Part::attend) return given_heads(s, past, compute);
  const attn::Positions at = positions_of(o, attention, past, session.inputs);
  attn::Positions of_queries = at;
  of_queries.first += static_cast<std::int64_t>(queries_before(s.query, session));
  return {attention.project_query(s.query, session.execution(), of_queries),
          attention.project_memory(s.key, s.value, session.execution(), at)};
}

attn::KeyValueCache past_of(const std::optional<attn::KeyValue>& before, attn::DType compute) {
  attn::KeyValueCache past;
  if (before) past.append({attn::cast(before->key, compute), attn::cast(before->value, compute)});
  return past;
}

void run(const Options& o, cli::Session& session) {
  check(o);
  const Sequences s = read_sequences(o, session);
  std::optional<attn::Weights> weights;
  if (o.weights.given()) weights = cli::open_weights(o.weights, session.inputs);
  const attn::DType compute = compute_dtype_of(s, weights);
  attn::AttendInputs inputs;
  const auto attention =
      cli::load_multi_head(o.attention, o.weights, compute, projected_heads(o, s, session.inputs), inputs, session);
  expect_one_text(attention, s);
  const bool is_rotary = attention.parameters().rotary.has_value();
  const bool has_past = o.stage == Part::project ? is_rotary : o.stage != Part::merge;
  const auto before = has_past ? read_past(o, is_batch(o, s.key) ? s.key.shape[0] : 1, session.inputs) : std::nullopt;
  if (o.stage == Part::merge && session.gradients.wanted())
    return write_merge_gradients(o, attention, s.query, session);
  if (o.stage == Part::merge)
    return cli::write_layer(o.output, session.results, s.query,
                            {{"", reordered(o, attention.merge(s.query, session.execution()))}});

  attn::KeyValueCache past = past_of(before, compute);
  Heads heads = project(o, attention, s, past.length(), compute, session);
  if (session.gradients.wanted()) {
    const View view =
        o.stage == Part::project ? View{} : view_of(o, attention, inputs, s.query, heads, past.length(), session);
    return write_gradients(o, attention, s, heads, view.masks, view.before,
                           positions_of(o, attention, past.length(), session.inputs), session);
  }
  if (o.stage == Part::project)
    return cli::write_layer(o.output, session.results, s.query, projected(o, attention, s.query, heads));
  pool(o, attention, inputs, s.query, std::move(heads), std::move(past), session);
}

}  // namespace
}  // namespace mha

ATTN_TOOL("mha", "multi-head attention: project, split, attend, merge", mha::Options, mha::declare, mha::run)
