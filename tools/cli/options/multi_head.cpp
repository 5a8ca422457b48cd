#include "cli/options/multi_head.hpp"

#include <attn/core/error.hpp>
#include <attn/layers/multi_head_inputs.hpp>

namespace cli {

void add_multi_head_options(Command& command, MultiHeadOptions& o) {
  command.option("--heads", o.heads, "H: how many heads; default: as config.json beside the weights says");
  command.option("--kv-heads", o.kv_heads, "N: key and value heads, a divisor of H that shares them; default: H");
  command.flag("--transposed", o.transposed, "weights are stored as (in, out)");
  command.input("--padding-mask", o.padding_mask,
                "(B, S), integers: not 0 = attend, --mask-invert turns it round too; floats: added");
  command.flag("--zero-attention", o.zero_attention, "one more key and value of zeros that no mask excludes");
  command.group("Positions");
  command.flag("--rotary", o.rotary, "turn queries and keys by their positions; default: as config.json says");
  command.option("--base|--rotary-base", o.rotary_base,
                 "BASE: wavelengths run from 2 pi to BASE * 2 pi; default: as config.json says, else 10000");
  command.option("--rotary-width", o.rotary_width,
                 "R: turn the first R coordinates of a head; 0: all; default: as config.json says, else all");
  command.flag("--rotary-interleaved", o.rotary_interleaved, "pairs are neighbours, not halves");
  command.input("--positions", o.positions, "where the rows stand, (L) or (B, L); default: 0, 1 ... behind the past");
  command.input("--t5-bias", o.t5_table,
                "T5's relative_attention_bias, (buckets, H); default: that below the prefix of the weights");
  command.option("--t5-max-distance", o.t5_max_distance,
                 "N: from here on all share the last bucket; default: as config.json says, else 128");
  command.flag("--t5-causal", o.t5_causal,
               "all buckets are for keys before the query, as in a decoder; default: where the prefix is in T5's");
  command.input("--segments", o.segments, "XLNet's segment ids, (B, S)");
  add_attention_options(command, o.attention);
}

namespace {

bool lies_in(const Input& operand, const char* part) {
  return !operand.text.empty() && attn::io::parse_operand(operand.text).dataset.find(part) != std::string::npos;
}

constexpr const char* bias_name = "relative_attention_bias.weight";

/// Does T5's table of biases lie below the prefix? Old files have one with cross-attention too, which is not used.
bool has_own_table(const Input& operand, const attn::Weights& weights) {
  return weights.has(bias_name) && !lies_in(operand, "EncDecAttention");
}

/// As config.json has it, but for what options say.
std::optional<attn::RotaryEncoding> rotary_of(const MultiHeadOptions& o, const ModelConfig& config,
                                              std::size_t head_width) {
  auto rotary = config.rotary(head_width);
  if (!rotary && o.rotary) rotary = attn::RotaryEncoding();
  if (!rotary) return rotary;
  rotary->base = o.rotary_base.value_or(rotary->base);
  rotary->width = o.rotary_width.value_or(rotary->width);
  rotary->interleaved = o.rotary_interleaved;
  return rotary;
}

}  // namespace

attn::MultiHeadAttention load_multi_head(const MultiHeadOptions& o, const Input& weights, attn::DType compute,
                                         const std::optional<ProjectedHeads>& projected, attn::AttendInputs& inputs,
                                         Session& session) {
  const ModelConfig config(weights);
  const auto heads = o.heads ? o.heads : projected ? std::optional(projected->heads) : config.heads();
  if (!heads)
    throw attn::Error(attn::ErrorKind::usage, "--heads", "is required",
                      "no config.json with it lies beside " + weights.text);
  // The configuration is asked by who needs its answer alone: it may be damaged, and nobody else has to know.
  const bool projects = !projected, attends = projects || projected->key_value_heads;
  attn::MultiHeadParameters p;
  p.heads = *heads;
  if (o.kv_heads)
    p.key_value_heads = *o.kv_heads;
  else if (projected && projected->key_value_heads)
    p.key_value_heads = *projected->key_value_heads;
  else if (!o.heads)
    p.key_value_heads = config.key_value_heads().value_or(0);
  p.pooling = read_attention_options(o.attention, session, inputs);
  if (!p.pooling.scale && projected) p.pooling.scale = projected->score_scale;
  p.zero_attention = o.zero_attention;
  std::optional<attn::Weights> opened;
  if (!weights.text.empty()) opened = open_weights(weights, session.inputs);
  const auto layout = o.transposed ? std::optional(attn::WeightLayout::in_out) : std::nullopt;
  auto attention =
      opened ? attn::MultiHeadAttention::load(*opened, p, compute, layout) : attn::MultiHeadAttention(p, {});
  const std::size_t width =
      projected ? projected->width : attention.weights().projection->query.out_features() / p.heads;
  if (attends && !p.pooling.scale)
    if (const auto scale = config.score_scale(width)) attention.set_score_scale(*scale);
  if (projects)
    if (const auto rotary = rotary_of(o, config, width)) attention.set_rotary(*rotary);
  if (attends && attention.weights().relative) attention.set_longest_distance(config.longest_distance());
  const auto& relative = attention.weights().relative;
  if (o.segments.given() && !(relative && relative->segment_table))
    throw attn::Error(attn::ErrorKind::usage, "--segments", "is not read: these weights have none",
                      "it is for XLNet's seg_embed and r_s_bias");
  attention.set_score_weights({inputs.bilinear, inputs.query_weight, inputs.key_weight, inputs.score_weight});
  return attention;
}

namespace {

/// T5's table of biases: the operand's, or that of the layer itself.
std::optional<attn::TensorView> t5_table(const MultiHeadOptions& o, const Input& weights, Session& session) {
  if (o.t5_table.given() || weights.text.empty()) return read_weight(o.t5_table, session.inputs);
  const attn::Weights opened = open_weights(weights, session.inputs);
  if (has_own_table(weights, opened)) return opened.find(bias_name);
  if (!o.attention.bias.given() && lies_in(weights, "SelfAttention") && ModelConfig(weights).is_t5())
    session.report.note(weights.text +
                        ": has no relative bias, which T5 keeps with the first layer for all; --t5-bias takes it");
  return std::nullopt;
}

/// T5's decoder says so by its names.
bool is_causal_t5(const Input& operand) { return lies_in(operand, "decoder") && lies_in(operand, "SelfAttention"); }

/// Of T5's buckets: as is said, or configured. The table is of the model too, where a stage needs none of its weights.
std::optional<std::size_t> max_distance(const MultiHeadOptions& o, const Input& weights) {
  if (o.t5_max_distance) return o.t5_max_distance;
  const auto beside_weights = ModelConfig(weights).relative_max_distance();
  return beside_weights ? beside_weights : ModelConfig(o.t5_table).relative_max_distance();
}

}  // namespace

attn::MultiHeadMasks read_masks(const MultiHeadOptions& o, const Input& weights, const attn::AttendInputs& inputs,
                                const attn::RelativeSpan& span, std::size_t heads, Session& session) {
  attn::MultiHeadMasks masks;
  masks.mask = inputs.mask;
  masks.valid_lens = inputs.valid_lens;
  masks.bias = inputs.bias;
  masks.alibi_slopes = inputs.alibi_slopes;
  masks.sinks = inputs.sinks;
  masks.padding_mask = session.read(o.padding_mask);
  masks.segments = session.read(o.segments);
  const auto table = t5_table(o, weights, session);
  if (!table) return masks;
  if (table->rank() != 2 || table->shape[1] != heads)
    throw attn::shape_error(table->name, table->shape,
                            "(buckets, " + std::to_string(heads) + ") = a number for each bucket and head");
  attn::RelativeBuckets buckets;
  buckets.buckets = table->shape[0];
  buckets.max_distance = max_distance(o, weights).value_or(buckets.max_distance);
  buckets.bidirectional = !(o.t5_causal || is_causal_t5(weights) || is_causal_t5(o.t5_table));
  const attn::DType compute = attn::compute_dtype(table->dtype);
  const attn::TensorView bias = attn::bucketed_bias(*table, buckets, span, compute).view("T5's bias");
  masks.bias = masks.bias ? attn::sum_of_biases(*masks.bias, bias) : bias;
  return masks;
}

}  // namespace cli
