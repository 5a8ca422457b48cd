// Llama (Touvron et al. 2023): a pre-norm decoder with RMS norms, rotary positions, grouped queries and a gated
// feed-forward network.

#include <attn/core/error.hpp>
#include <attn/transformer/attention_settings.hpp>
#include <attn/transformer/families/family.hpp>

#include <algorithm>

namespace attn {
namespace {

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

/// A Llama whose tokens see so many before them, themselves included.
ModelDescription describe_mistral(const Settings& config) {
  ModelDescription model = describe_llama(config);
  if (config.has("sliding_window"))
    model.decoder->block.self_attention.pooling.window =
        Window{static_cast<std::int64_t>(extent(config, "sliding_window")) - 1, -1};
  return model;
}

/// A Llama with biases where queries, keys and values are made.
ModelDescription describe_qwen2(const Settings& config) {
  ModelDescription model = describe_llama(config);
  model.decoder->block.self_tensors.bias = true;
  if (config.flag("use_sliding_window", false))
    throw config.error("use_sliding_window", "false", "layers with windows beside layers without are not supported");
  config.skip({"sliding_window", "max_window_layers"});
  return model;
}

}  // namespace attn
