// Llama (Touvron et al. 2023): a pre-norm decoder with RMS norms, rotary positions, grouped queries and a gated
// feed-forward network.

#include <attn/core/error.hpp>
#include <attn/transformer/families/family.hpp>

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

/// What a config.json says of the sequences that the positions are stretched to.
struct Lengths {
  double most;                     ///< max_position_embeddings
  std::optional<double> original;  ///< original_max_position_embeddings, beside the object or in it
};

/// How many coordinates of a head are turned: partial_rotary_factor of them, the first ones.
void read_turned_part(const Settings& fields, std::size_t head_width, RotaryEncoding& rotary) {
  const char* const field = "partial_rotary_factor";
  if (!fields.has(field)) return;
  rotary.width = static_cast<std::size_t>(static_cast<double>(head_width) * fields.number(field, 0, 1));
  if (rotary.width == 0 || rotary.width % 2 != 0)
    throw fields.error(field,
                       "a part that is an even number of the " + std::to_string(head_width) + " coordinates of a head");
}

std::vector<double> factors_of(const Settings& fields, const std::string& name, std::size_t pairs) {
  std::vector<double> factors = fields.numbers(name);
  const bool all_positive = std::all_of(factors.begin(), factors.end(), [](double f) { return f > 0; });
  if (factors.size() != pairs || !all_positive)
    throw fields.error(name, std::to_string(pairs) + " positive numbers, one for each pair that is turned");
  return factors;
}

RotaryScaling yarn_of(const Settings& fields, double factor, double original) {
  RotaryScaling s;
  s.factor = factor;
  s.original_length = original;
  s.fast = fields.number("beta_fast", 1e-9, 1e9, 32);
  s.slow = fields.number("beta_slow", 1e-9, 1e9, 1);
  s.truncate = fields.flag("truncate", true);
  const double mscale = fields.number("mscale", 0, 1e6, 0), all = fields.number("mscale_all_dim", 0, 1e6, 0);
  const bool both = mscale != 0 && all != 0;
  s.attention_factor =
      fields.number("attention_factor", 0, 1e6,
                    both ? yarn_magnitude(factor, mscale) / yarn_magnitude(factor, all) : yarn_magnitude(factor));
  return s;
}

RotaryScaling longrope_of(const Settings& fields, double factor, double original, std::size_t pairs) {
  RotaryScaling s;
  s.kind = RotaryScalingKind::longrope;
  s.factor = factor;
  s.original_length = original;
  s.short_factors = factors_of(fields, "short_factor", pairs);
  s.long_factors = factors_of(fields, "long_factor", pairs);
  s.attention_factor =
      fields.number("attention_factor", 0, 1e6, factor <= 1 ? 1 : std::sqrt(1 + std::log(factor) / std::log(original)));
  return s;
}

RotaryScaling llama3_of(const Settings& fields, double original) {
  RotaryScaling s;
  s.kind = RotaryScalingKind::llama3;
  s.factor = fields.number("factor", 1, 1e6);
  s.original_length = original;
  s.slow = fields.number("low_freq_factor", 1e-9, 1e9);
  s.fast = fields.number("high_freq_factor", 1e-9, 1e9);
  if (s.fast <= s.slow) throw fields.error("high_freq_factor", "more than low_freq_factor");
  return s;
}

/// The kind of scaling that an object names.
void read_scaling(const Settings& fields, const Lengths& lengths, std::size_t head_width, RotaryEncoding& rotary) {
  read_turned_part(fields, head_width, rotary);
  rotary.base = fields.number("rope_theta", 1, 1e12, rotary.base);
  const std::string type = fields.text("rope_type", fields.text("type", "default"));
  const double inside = fields.number("original_max_position_embeddings", 2, 1e12, lengths.most);
  const double original = lengths.original.value_or(inside);
  if (type == "linear") {
    rotary.scaling = fields.number("factor", 1, 1e6);
  } else if (type == "dynamic") {
    RotaryScaling s;
    s.kind = RotaryScalingKind::dynamic;
    s.factor = fields.number("factor", 1, 1e6);
    s.original_length = lengths.most;
    rotary.stretching = s;
  } else if (type == "yarn") {
    rotary.stretching = yarn_of(fields, fields.number("factor", 1, 1e6, lengths.most / original), original);
  } else if (type == "longrope") {
    rotary.stretching =
        longrope_of(fields, fields.number("factor", 1e-6, 1e6, lengths.most / original), original, rotary.width / 2);
  } else if (type == "llama3") {
    rotary.stretching = llama3_of(fields, original);
  } else if (type != "default") {
    throw fields.error(fields.has("rope_type") ? "rope_type" : "type",
                       "default, linear, dynamic, yarn, llama3 or longrope");
  }
  fields.skip({"rope_type", "type"});
  fields.expect_nothing_else();
}

/// rope_theta and the kind of scaling, from the new field or the two old ones.
RotaryEncoding rotary_of(const Settings& config, std::size_t head_width) {
  RotaryEncoding rotary;
  rotary.width = head_width;
  read_turned_part(config, head_width, rotary);
  Lengths lengths{config.number("max_position_embeddings", 1, 1e12), std::nullopt};
  if (config.has("original_max_position_embeddings"))
    lengths.original = config.number("original_max_position_embeddings", 2, 1e12);
  rotary.base = config.number("rope_theta", 1, 1e12, rotary.base);
  for (const char* field : {"rope_parameters", "rope_scaling"})
    if (config.has(field)) read_scaling(config.object(field), lengths, head_width, rotary);
  config.skip({"rope_parameters", "rope_scaling"});
  return rotary;
}

/// How long the sequences are that the model was made for: what transformers only warns beyond.
std::size_t usual_length(const Settings& config, const RotaryEncoding& rotary) {
  const auto said = static_cast<double>(extent(config, "max_position_embeddings"));
  double length = said * rotary.scaling;
  if (const auto& s = rotary.stretching)
    length = std::max(said, s->factor * (s->original_length > 0 ? s->original_length : said));
  return static_cast<std::size_t>(std::min(length, static_cast<double>(largest_extent)));
}

}  // namespace

ModelDescription describe_llama(const Settings& config) {
  config.assume(R"({"vocab_size": 32000, "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32,
    "intermediate_size": 11008, "hidden_act": "silu", "rms_norm_eps": 1e-6, "max_position_embeddings": 2048})");
  ModelDescription model;
  model.base = "model";
  model.width = extent(config, "hidden_size");
  model.max_positions = largest_extent;  // angles have no end
  const std::size_t vocabulary = extent(config, "vocab_size");

  BlockDescription block;
  block.width = model.width;
  block.hidden_width = extent(config, "intermediate_size");
  block.activation = activation_of(config, "hidden_act");
  block.norm = {NormKind::rms, config.number("rms_norm_eps", 0, 1)};
  block.norm_first = true;
  MultiHeadParameters& attention = block.self_attention;
  attention.heads = extent(config, "num_attention_heads");
  attention.key_value_heads =
      config.has("num_key_value_heads") ? extent(config, "num_key_value_heads") : attention.heads;
  if (attention.heads % attention.key_value_heads != 0)
    throw config.error("num_key_value_heads", "a divisor of num_attention_heads = " + std::to_string(attention.heads));
  attention.pooling.causal = true;
  if (config.has("head_dim"))
    block.head_width = extent(config, "head_dim");
  else
    block.head_width = model.width / dividing_heads(config, "num_attention_heads", model.width);
  if (block.head_width % 2 != 0) throw config.error("head_dim", "an even width: rotary positions turn pairs");
  attention.rotary = rotary_of(config, block.head_width);
  model.usual_positions = usual_length(config, *attention.rotary);
  const bool attention_bias = config.flag("attention_bias", false);
  block.self_tensors = {"self_attn",          "q_proj",       "k_proj",      "v_proj", "", "o_proj",
                        WeightLayout::out_in, attention_bias, attention_bias};
  block.feed_forward_tensors = {
      "mlp", "up_proj", "down_proj", "gate_proj", WeightLayout::out_in, config.flag("mlp_bias", false)};
  block.norm_tensors = {"input_layernorm", "post_attention_layernorm"};
  model.decoder = {"decoder", "model.layers", layer_count(config, "num_hidden_layers"), block, "model.norm", {}};

  InputDescription input;
  input.tensor = "model.embed_tokens";
  input.vocabulary = vocabulary;
  model.target = input;

  assume_tokens(config, vocabulary, {{"bos_token_id", 1}, {"eos_token_id", 2}});
  model.tokens = special_tokens(config, vocabulary);
  set_decoder_head(config, model, {"model.embed_tokens.weight", config.flag("tie_word_embeddings", false), "score"});
  model.unused = {"model.layers.*.self_attn.rotary_emb.inv_freq", "model.rotary_emb.inv_freq"};
  add_other_heads(model, {"lm_head.", "score.", "qa_outputs."});
  skip_what_changes_nothing(config);
  return model;
}

}  // namespace attn
