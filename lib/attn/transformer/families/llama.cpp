// Llama (Touvron et al. 2023): a pre-norm decoder with RMS norms, rotary positions, grouped queries and a gated
// feed-forward network.

#include <attn/core/error.hpp>
#include <attn/transformer/families/family.hpp>

namespace attn {
namespace {

/// rope_theta and the kind of scaling, from the new field or the two old ones.
RotaryEncoding rotary_of(const Settings& config) {
  RotaryEncoding rotary;
  const auto read = [&](const Settings& fields) {
    rotary.base = fields.number("rope_theta", 1, 1e12, rotary.base);
    const std::string type = fields.text("rope_type", fields.text("type", "default"));
    if (type == "linear")
      rotary.scaling = fields.number("factor", 1, 1e6);
    else if (type != "default")
      throw fields.error("rope_type", "default or linear");
    fields.expect_nothing_else();
  };
  rotary.base = config.number("rope_theta", 1, 1e12, rotary.base);
  for (const char* field : {"rope_parameters", "rope_scaling"})
    if (config.has(field)) read(config.object(field));
  config.skip({"rope_parameters", "rope_scaling"});
  return rotary;
}

}  // namespace

ModelDescription describe_llama(const Settings& config) {
  ModelDescription model;
  model.base = "model";
  model.width = extent(config, "hidden_size");
  model.max_positions = extent(config, "max_position_embeddings");
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
  attention.rotary = rotary_of(config);
  if (config.has("head_dim"))
    block.head_width = extent(config, "head_dim");
  else
    block.head_width = model.width / dividing_heads(config, "num_attention_heads", model.width);
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

  HeadDescription head;
  head.tied = config.flag("tie_word_embeddings", false);
  head.projection = head.tied ? "model.embed_tokens.weight" : "lm_head.weight";
  head.outputs = vocabulary;
  model.head = head;
  model.tokens = special_tokens(config, vocabulary);
  model.unused = {"model.layers.*.self_attn.rotary_emb.inv_freq"};
  if (head.tied) model.unused.emplace_back("lm_head.weight");
  skip_what_changes_nothing(config);
  return model;
}

}  // namespace attn
