// Llama (Touvron et al. 2023): a pre-norm decoder with RMS norms, rotary positions, grouped queries and a gated
// feed-forward network.

#include <attn/core/error.hpp>
#include <attn/transformer/description.hpp>
#include <attn/transformer/families/family.hpp>

#include <algorithm>
#include <cmath>

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

/// The fields and tensors that Llama shares with its kin; `has_windows`: some layers may see only so far.
ModelDescription describe_kin(const Settings& config, bool has_windows) {
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
  attention.rotary = whole_rotary_of(config, block.head_width);
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
  skip_what_changes_nothing(config, has_windows);
  return model;
}

/// A token sees so many tokens before it, itself included.
Window window_before(const Settings& config) {
  return {static_cast<std::int64_t>(extent(config, "sliding_window")) - 1, -1};
}

/// Qwen: windows in the layers from max_window_layers on.
void read_late_windows(const Settings& config, StackDescription& stack) {
  const bool uses_windows = config.flag("use_sliding_window", false) && config.has("sliding_window");
  const auto first = static_cast<std::size_t>(config.integer("max_window_layers", 0, most_layers, 28));
  const std::vector<bool> windowed =
      windowed_layers(config, stack.layers, [&](std::size_t layer) { return uses_windows && layer >= first; });
  if (uses_windows)
    set_windows(stack, windowed, window_before(config));
  else if (std::find(windowed.begin(), windowed.end(), true) != windowed.end())
    throw config.error("use_sliding_window", "true: layer_types names windowed layers");
  config.skip({"sliding_window"});
}

}  // namespace

ModelDescription describe_llama(const Settings& config) { return describe_kin(config, false); }

/// A Llama with a window in every layer.
ModelDescription describe_mistral(const Settings& config) {
  ModelDescription model = describe_kin(config, false);
  if (config.has("sliding_window")) model.decoder->block.self_attention.pooling.window = window_before(config);
  return model;
}

/// A Llama with biases where queries, keys and values are made.
ModelDescription describe_qwen2(const Settings& config) {
  ModelDescription model = describe_kin(config, true);
  model.decoder->block.self_tensors.bias = true;
  read_late_windows(config, *model.decoder);
  return model;
}

/// A Llama with norms of queries and keys.
ModelDescription describe_qwen3(const Settings& config) {
  ModelDescription model = describe_kin(config, true);
  BlockDescription& block = model.decoder->block;
  block.self_attention.head_norm = block.norm;
  block.self_tensors.query_norm = "q_norm";
  block.self_tensors.key_norm = "k_norm";
  read_late_windows(config, *model.decoder);
  return model;
}

/// Gemma 3 (Gemma Team 2025): norms on both sides of each sublayer and of queries and keys, all with a gain of 1 +
/// weight; most layers have a window, and rotary positions of their own. Without the causal mask it is an encoder.
ModelDescription describe_gemma3(const Settings& config) {
  ModelDescription model = describe_kin(config, true);
  StackDescription& stack = *model.decoder;
  BlockDescription& block = stack.block;
  block.activation = activation_of(config, "hidden_activation");
  block.norm.adds_one = true;
  block.self_attention.head_norm = block.norm;
  block.self_attention.pooling.scale = 1 / std::sqrt(config.number("query_pre_attn_scalar", 1e-9, 1e9));
  block.self_tensors.query_norm = "q_norm";
  block.self_tensors.key_norm = "k_norm";
  block.norm_tensors = {"input_layernorm", "pre_feedforward_layernorm"};
  block.output_norm_tensors = {"post_attention_layernorm", "post_feedforward_layernorm"};
  model.target->scale = std::sqrt(static_cast<double>(model.width));

  const bool sees_all = config.flag("use_bidirectional_attention", false);
  block.self_attention.pooling.causal = !sees_all;
  const auto width = static_cast<std::int64_t>(extent(config, "sliding_window"));
  // The pattern is only a name for layer_types since version 5.
  const char* const field = config.has("sliding_window_pattern") ? "sliding_window_pattern" : "_sliding_window_pattern";
  const auto pattern = static_cast<std::size_t>(config.integer(field, 1, most_layers, 6));
  set_windows(stack,
              windowed_layers(config, stack.layers, [&](std::size_t layer) { return (layer + 1) % pattern != 0; }),
              sees_all ? Window{width / 2, width / 2} : Window{width - 1, -1},
              local_rotary_of(config, block.head_width, "rope_local_base_freq", false));
  if (!sees_all) return model;
  if (model.task != Task::embed) throw config.error("use_bidirectional_attention", "false for a model that generates");
  model.encoder = std::move(model.decoder);
  model.encoder->name = "encoder";
  model.source = std::move(model.target);
  model.decoder.reset();
  model.target.reset();
  return model;
}

}  // namespace attn
