#include "cli/options/multi_head.hpp"

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/layers/multi_head_inputs.hpp>

#include <algorithm>

namespace cli {

void add_multi_head_options(Command& command, MultiHeadOptions& o) {
  command.option("--heads", o.heads, "H: number of heads (default from config.json)");
  command.option("--kv-heads", o.kv_heads, "N: number of key-value heads, a divisor of H (default H)");
  command.flag("--transposed", o.transposed, "read weights that are stored as (in, out)");
  command.input("--padding-mask", o.padding_mask,
                "mask of the keys, (B, S), with --mask-type and --mask-invert as --mask");
  command.flag("--zero-attention", o.zero_attention, "add a last key and value of zeros that no mask excludes");
  command.group("Positions");
  command.flag("--rotary", o.rotary, "rotate queries and keys by their positions (default from config.json)");
  command.option("--base|--rotary-base", o.rotary_base,
                 "BASE: base of the wavelengths, 2 pi to BASE * 2 pi (default from config.json, else 10000)");
  command.option("--rotary-width", o.rotary_width,
                 "R: number of leading coordinates of a head to rotate; 0 is all (default from config.json, else 0)");
  command.flag("--rotary-interleaved", o.rotary_interleaved,
               "rotate pairs of neighbouring coordinates, not pairs from the two halves");
  command.input("--positions", o.positions, "positions of the rows, (L) or (B, L) (default 0, 1 ... after the past)");
  command.input("--t5-bias", o.t5_table, "T5's relative_attention_bias, (buckets, H) (default from the weights)");
  command.option("--t5-max-distance", o.t5_max_distance,
                 "N: distance from which all keys share the last bucket (default from config.json, else 128)");
  command.flag("--t5-causal", o.t5_causal, "use all buckets for keys before the query (default for T5's decoder)");
  command.input("--segments", o.segments, "XLNet's segment ids, (B, S)");
  add_attention_options(command, o.attention);
}

namespace {

bool lies_in(const Input& operand, const char* part) {
  return !operand.text.empty() && attn::io::parse_operand(operand.text).dataset.find(part) != std::string::npos;
}

/// The encoding of config.json, overridden by options.
std::optional<attn::RotaryEncoding> rotary_of(const MultiHeadOptions& o, std::optional<attn::RotaryEncoding> rotary) {
  if (!rotary && o.rotary) rotary = attn::RotaryEncoding();
  if (!rotary) return rotary;
  rotary->base = o.rotary_base.value_or(rotary->base);
  rotary->width = o.rotary_width.value_or(rotary->width);
  rotary->interleaved = o.rotary_interleaved;
  return rotary;
}

/// T5's decoder is recognised by its names.
bool is_causal_t5(const Input& operand) { return lies_in(operand, "decoder") && lies_in(operand, "SelfAttention"); }

/// T5's table of biases and its buckets: from the operand, from the layer, or from the first layer of its stack.
struct RelativeTable {
  attn::TensorView table;
  attn::RelativeBuckets buckets;
};

/// Throws Error(usage) if the layer has the names of T5 and MPNet and its file holds a table, which is then the one of
/// all layers of its stack.
void expect_no_shared_table(const Input& weights, Inputs& inputs) {
  const Inputs::Group group = inputs.open(weights);
  if (!attn::Weights(*group.source, group.prefix).has("q.weight")) return;
  std::string layer = group.prefix, nearest;
  std::replace(layer.begin(), layer.end(), '/', '.');
  const auto shared = [&layer](const std::string& name) {
    return std::mismatch(layer.begin(), layer.end(), name.begin(), name.end()).first - layer.begin();
  };
  const attn::Weights all(*group.source);
  for (const std::string& name : all.names())
    if (attn::ends_with(name, "relative_attention_bias.weight") && name.find("EncDecAttention") == std::string::npos &&
        (nearest.empty() || shared(name) > shared(nearest)))
      nearest = name;
  if (nearest.empty()) return;
  throw attn::Error(
      attn::ErrorKind::usage, "--t5-bias",
      "is required: the layers of " + weights.text + " share biases that lie elsewhere in the file",
      "give --t5-bias " + inputs.parse(weights.text).source + ":/" + all.info(nearest)->name + ", or others as --bias");
}

std::optional<RelativeTable> read_relative_table(const MultiHeadOptions& o, const Input& weights, Session& session) {
  const ModelConfig of_layer(weights), of_table(o.t5_table);
  const auto* const layer = of_layer.family<attn::AttentionWiring>();
  const attn::RelativeBiasDescription* family = of_table.family<attn::RelativeBiasDescription>();
  if (family == nullptr && layer != nullptr && layer->relative_bias) family = &*layer->relative_bias;
  std::optional<attn::TensorView> table = read_weight(o.t5_table, session.inputs);
  if (!table && layer != nullptr && layer->relative_bias) {
    table = of_layer.read(layer->relative_bias->tensor, session.inputs);
    if (!table && !o.attention.bias.given())
      throw attn::Error(attn::ErrorKind::input, weights.text,
                        "needs " + layer->relative_bias->tensor + ", which is not in its file", "give it as --t5-bias");
  } else if (!table && layer == nullptr && !weights.text.empty() && !lies_in(weights, "EncDecAttention")) {
    // Old files also have a table for cross-attention, which T5 does not use.
    table = open_weights(weights, session.inputs).find("relative_attention_bias.weight");
    if (!table && !o.attention.bias.given()) expect_no_shared_table(weights, session.inputs);
  }
  if (!table) return std::nullopt;
  auto distance = o.t5_max_distance;
  if (!distance && family == nullptr) distance = of_layer.relative_max_distance();
  if (!distance && family == nullptr) distance = of_table.relative_max_distance();
  const bool is_causal = o.t5_causal || (family == nullptr && (is_causal_t5(weights) || is_causal_t5(o.t5_table)));
  const attn::RelativeBuckets buckets = buckets_of(*table, family, distance, is_causal);
  return RelativeTable{*table, buckets};
}

}  // namespace

attn::MultiHeadAttention load_multi_head(const MultiHeadOptions& o, const Input& weights, attn::DType compute,
                                         const std::optional<ProjectedHeads>& projected, attn::AttendInputs& inputs,
                                         Session& session) {
  const ModelConfig config(weights);
  const auto* const family = config.family<attn::AttentionWiring>();
  attn::MultiHeadParameters p = family == nullptr ? attn::MultiHeadParameters{} : family->parameters;
  const attn::MultiHeadParameters of_family = p;
  const auto heads = o.heads             ? o.heads
                     : projected         ? std::optional(projected->heads)
                     : family != nullptr ? std::optional(p.heads)
                                         : config.heads();
  if (!heads)
    throw attn::Error(attn::ErrorKind::usage, "--heads", "is required",
                      "no config.json with it is beside " + weights.text);
  // Read config.json only for the settings that are needed: a damaged one must not stop runs that need none.
  const bool projects = !projected, attends = projects || projected->key_value_heads;
  p.heads = *heads;
  if (o.kv_heads)
    p.key_value_heads = *o.kv_heads;
  else if (projected && projected->key_value_heads)
    p.key_value_heads = *projected->key_value_heads;
  else if (family == nullptr)
    p.key_value_heads = o.heads ? 0 : config.key_value_heads().value_or(0);
  else if (p.heads != of_family.heads)
    p.key_value_heads = 0;
  p.pooling = read_attention_options(o.attention, session, inputs);
  if (!p.pooling.window) p.pooling.window = of_family.pooling.window;
  if (!p.pooling.scale && projected) p.pooling.scale = projected->score_scale;
  if (!p.pooling.scale && attends) p.pooling.scale = of_family.pooling.scale;
  p.zero_attention = o.zero_attention;
  p.rotary.reset();
  std::optional<attn::Weights> opened;
  if (!weights.text.empty()) opened = open_weights(weights, session.inputs);
  const auto layout = o.transposed ? std::optional(attn::WeightLayout::in_out) : std::nullopt;
  auto attention = !opened             ? attn::MultiHeadAttention(p, {})
                   : family != nullptr ? attn::MultiHeadAttention::load(*opened, family->tensors, p, compute, layout)
                                       : attn::MultiHeadAttention::load(*opened, p, compute, layout);
  const std::size_t width =
      projected ? projected->width : attention.weights().projection->query.out_features() / p.heads;
  std::string angles;  // of old Llamas, which the options or config.json replace
  if (projects)
    if (const auto rotary = rotary_of(o, family == nullptr ? config.rotary(width) : of_family.rotary)) {
      attention.set_rotary(*rotary);
      angles = "rotary_emb.inv_freq";
    }
  if (family == nullptr && attends && attention.weights().relative)
    attention.set_longest_distance(config.longest_distance());
  const auto& relative = attention.weights().relative;
  if (o.segments.given() && !(relative && relative->segment_table))
    throw attn::Error(attn::ErrorKind::usage, "--segments", "is not read: these weights have none",
                      "it is for XLNet's seg_embed and r_s_bias");
  attention.set_score_weights({inputs.bilinear, inputs.query_weight, inputs.key_weight, inputs.score_weight});
  if (opened) config.expect_all_read<attn::AttentionWiring>(session.inputs, session.report, angles);
  return attention;
}

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
  const auto relative = read_relative_table(o, weights, session);
  if (!relative) return masks;
  const attn::TensorView& table = relative->table;
  if (table.shape[1] != heads)
    throw attn::shape_error(table.name, table.shape,
                            "(buckets, " + std::to_string(heads) + ") = a number for each bucket and head");
  const attn::TensorView bias =
      attn::bucketed_bias(table, relative->buckets, span, attn::compute_dtype(table.dtype)).view("T5's bias");
  masks.bias = masks.bias ? attn::sum_of_biases(*masks.bias, bias) : bias;
  return masks;
}

}  // namespace cli
