// mha: multi-head attention, whole or one stage of it.

#include "cli/attention_options.hpp"
#include "cli/layer_options.hpp"
#include "cli/plans.hpp"
#include "cli/tool.hpp"

#include <attn/layers/multi_head_attention.hpp>
#include <attn/layers/multi_head_inputs.hpp>
#include <attn/layers/relative_positions.hpp>

namespace {

using attn::TensorView;

enum class Part { all, project, attend, merge };

struct Options {
  cli::LayerOptions layer;
  cli::OptionalInput memory{"memory"}, query{"q"}, key{"k"}, value{"v"}, past_key{"keys"}, past_value{"values"};
  std::optional<std::size_t> heads, kv_heads;
  Part stage = Part::all;
  cli::AttentionOptions attention;
  cli::OptionalInput padding_mask{"padding_mask"}, positions{"positions"}, segments{"segments"}, t5_table{"weight"};
  bool zero_attention = false, average = false, rotary = false, t5_causal = false;
  std::optional<std::size_t> t5_max_distance;
  attn::RotaryEncoding rotation;
};

void declare(cli::Command& command, Options& o) {
  command.example("mha x.h5 -w model.safetensors:/transformer.encoder.layers.0.self_attn -o y.h5");
  command.example("mha x.h5 --memory encoded.h5 -w layer.h5:/multihead_attn --heads 4 --emit weights -o y.h5");
  command.example("mha --stage project x.h5 -w layer.h5:/self_attn --heads 4 | attend -o heads.h5");
  cli::add_layer_inputs(command, o.layer,
                        "a prefix with in_proj_weight, out_proj.weight ..., or what other models "
                        "call them, below it");
  command.input("--memory", o.memory, "keys and values come from this, (B, S, d); default: from INPUT");
  command.input("-q,--query", o.query, "what the queries are projected from, instead of INPUT");
  command.input("-k,--key", o.key, "what the keys are projected from");
  command.input("-v,--value", o.value, "what the values are projected from");
  command.option("--heads", o.heads, "H: how many heads; default: as config.json beside the weights says");
  command.option("--kv-heads", o.kv_heads, "N: key and value heads, a divisor of H that shares them; default: H");
  command.option("--stage", o.stage,
                 cli::Choices<Part>{
                     {"all", Part::all}, {"project", Part::project}, {"attend", Part::attend}, {"merge", Part::merge}},
                 "one step alone: project writes q, k, v; attend takes them; merge takes heads (B, H, L, d)");
  command.input("--past-key", o.past_key, "projected keys of the past, (B, N, P, d), as --emit keys wrote them");
  command.input("--past-value", o.past_value, "projected values of the past");
  command.input("--padding-mask", o.padding_mask, "(B, S): not 0 = attend; --mask-invert turns it round too");
  command.flag("--average", o.average, "--emit weights averages them over the heads");
  command.flag("--zero-attention", o.zero_attention, "one more key and value of zeros that no mask excludes");
  command.group("Positions");
  command.flag("--rotary", o.rotary, "turn queries and keys by their positions");
  command.option("--rotary-base", o.rotation.base, "BASE: wavelengths run from 2 pi to BASE * 2 pi");
  command.option("--rotary-width", o.rotation.width, "R: turn the first R coordinates of a head; 0: all");
  command.flag("--rotary-interleaved", o.rotation.interleaved, "pairs are neighbours, not halves");
  command.input("--positions", o.positions, "where the rows stand, (L) or (B, L); default: 0, 1 ... behind the past");
  command.input("--t5-bias", o.t5_table, "T5's relative_attention_bias, (buckets, H)");
  command.option("--t5-max-distance", o.t5_max_distance,
                 "N: from here on all share the last bucket; default: as config.json says, else 128");
  command.flag("--t5-causal", o.t5_causal, "all buckets are for keys before the query, as in a decoder");
  command.input("--segments", o.segments, "XLNet's segment ids, (B, S)");
  cli::add_attention_options(command, o.attention);
  o.layer.output.known_emits = {"weights", "q", "k", "v", "heads", "keys", "values"};
  command.output(o.layer.output);
}

attn::MultiHeadAttention load(const Options& o, const attn::Weights& weights, attn::DType compute,
                              const attn::AttendParameters& pooling, const attn::AttendInputs& given) {
  const cli::ModelConfig config(o.layer.weights);
  attn::MultiHeadParameters p;
  const auto heads = o.heads ? o.heads : config.heads();
  if (!heads)
    throw attn::Error(attn::ErrorKind::usage, "--heads", "is required",
                      "no config.json with it lies beside " + o.layer.weights.text);
  p.heads = *heads;
  p.key_value_heads = o.kv_heads.value_or(o.heads ? 0 : config.key_value_heads().value_or(0));
  p.pooling = pooling;
  p.zero_attention = o.zero_attention;
  if (o.rotary) p.rotary = o.rotation;
  if (!o.rotary && config.rotary_base()) p.rotary = attn::RotaryEncoding{*config.rotary_base(), 0, false, 1};
  if (!p.pooling.scale) p.pooling.scale = config.score_scale();
  auto attention = attn::MultiHeadAttention::load(weights, p, compute);
  attention.set_score_weights({given.bilinear, given.query_weight, given.key_weight, given.score_weight});
  return attention;
}

/// Where q, k or v come from: the first of the operands that is given, else INPUT (its own dataset of them for attend).
TensorView read_first(const Options& o, std::initializer_list<const cli::OptionalInput*> operands,
                      cli::Session& session) {
  for (const cli::OptionalInput* operand : operands)
    if (operand->given()) return session.read(static_cast<const cli::Input&>(*operand));
  cli::Input input = o.layer.input;
  if (o.stage == Part::attend) input.defaults = (*operands.begin())->defaults;
  return session.read(input);
}

attn::MultiHeadMasks masks_of(const Options& o, const attn::AttendInputs& given, cli::Session& session) {
  attn::MultiHeadMasks masks;
  masks.mask = given.mask;
  masks.valid_lens = given.valid_lens;
  masks.bias = given.bias;
  masks.alibi_slopes = given.alibi_slopes;
  masks.sinks = given.sinks;
  masks.padding_mask = session.read(o.padding_mask);
  masks.segments = session.read(o.segments);
  return masks;
}

/// T5's bias beside any other one.
void add_t5_bias(const Options& o, attn::MultiHeadMasks& masks, const attn::RelativeSpan& span, cli::Session& session) {
  const auto table = session.read(o.t5_table);
  if (!table) return;
  attn::RelativeBuckets buckets;
  if (table->rank() == 2) buckets.buckets = table->shape[0];
  const auto configured = cli::ModelConfig(o.layer.weights).relative_max_distance();
  buckets.max_distance = o.t5_max_distance.value_or(configured.value_or(buckets.max_distance));
  buckets.bidirectional = !o.t5_causal;
  const TensorView bias =
      attn::bucketed_bias(*table, buckets, span, attn::compute_dtype(table->dtype)).view("T5's bias");
  masks.bias = masks.bias ? attn::sum_of_biases(*masks.bias, bias) : bias;
}

/// (B, H, L, S) to (B, L, S).
TensorView average_of_heads(const TensorView& weights) {
  const std::size_t batch = weights.shape[0], heads = weights.shape[1], count = weights.shape[2] * weights.shape[3];
  attn::Tensor mean = attn::Tensor::zeros(attn::DType::f64, {batch, weights.shape[2], weights.shape[3]});
  const TensorView wide = attn::cast(weights, attn::DType::f64);
  for (std::size_t b = 0; b < batch; ++b)
    for (std::size_t h = 0; h < heads; ++h)
      for (std::size_t i = 0; i < count; ++i)
        mean.data_as<double>()[b * count + i] +=
            wide.contiguous_data<double>()[(b * heads + h) * count + i] / static_cast<double>(heads);
  return attn::cast(mean.view(), weights.dtype);
}

void run(const Options& o, cli::Session& session) {
  const attn::Execution& execution = session.execution();
  const cli::Output& output = o.layer.output;
  const attn::Weights weights = cli::open_weights(o.layer.weights, session);
  attn::AttendInputs given;
  const attn::AttendParameters pooling = cli::read_attention_options(o.attention, session, given);
  const TensorView x = o.stage == Part::merge ? session.read(o.layer.input) : read_first(o, {&o.query}, session);
  const auto attention = load(o, weights, cli::compute_dtype(x, weights), pooling, given);
  if (o.stage == Part::merge) {
    session.plan(cli::multi_head_plan(x, x, cli::matrix_elements(weights)));
    return cli::write_layer(o.layer, session, x, {{"", attention.merge(x, execution)}});
  }

  const TensorView key = read_first(o, {&o.key, &o.memory, &o.query}, session);
  const TensorView value = read_first(o, {&o.value, &o.memory, &o.key, &o.query}, session);
  session.plan(cli::multi_head_plan(x, key, cli::matrix_elements(weights)));
  attn::KeyValueCache cache;
  if (const auto past = session.read(o.past_key))
    cache.append({*past, session.read(static_cast<const cli::Input&>(o.past_value))});
  const std::size_t past = cache.length();
  const attn::Positions at{static_cast<std::int64_t>(past), session.read(o.positions)};
  TensorView query = x;
  attn::KeyValue memory{key, value};
  if (o.stage != Part::attend) {
    query = attention.project_query(x, execution, at);
    memory = attention.project_memory(key, value, execution, at);
  }
  if (o.stage == Part::project)
    return cli::write_layer(o.layer, session, x, {{"q", query}, {"k", memory.key}, {"v", memory.value}});
  std::vector<cli::Result> results{{"", {}}};
  for (const auto& [name, tensor] : {std::pair{"q", query}, {"k", memory.key}, {"v", memory.value}})
    if (cli::Session::wants(output, name)) results.push_back({name, tensor});
  if (past > 0) {
    cache.append(memory);
    memory = cache.view();
  }

  attn::MultiHeadMasks masks = masks_of(o, given, session);
  add_t5_bias(o, masks, {query.shape[2], memory.key.shape[2], static_cast<std::int64_t>(past)}, session);
  const bool wants_weights = cli::Session::wants(output, "weights");
  const attn::AttendResult pooled = attention.attend_heads(query, memory, masks, {wants_weights}, execution, past);
  cli::note_empty_rows(pooled.empty_rows, pooling.empty, session);
  results[0].tensor = o.stage == Part::attend ? pooled.output : attention.merge(pooled.output, execution);
  if (o.stage == Part::all && x.rank() == 2) results[0].tensor = attn::element(results[0].tensor, 0);
  if (wants_weights) results.push_back({"weights", o.average ? average_of_heads(*pooled.weights) : *pooled.weights});
  if (cli::Session::wants(output, "heads")) results.push_back({"heads", pooled.output});
  if (cli::Session::wants(output, "keys")) results.push_back({"keys", memory.key});
  if (cli::Session::wants(output, "values")) results.push_back({"values", memory.value});
  cli::write_layer(o.layer, session, x, results);
}

}  // namespace

ATTN_TOOL("mha", "multi-head attention: project, split, attend, merge", Options, declare, run)
