// GPT-2 (Radford et al. 2019): a pre-norm decoder with learned positions; maps are stored as (in, out), queries, keys
// and values in one.

#include <attn/core/error.hpp>
#include <attn/transformer/description.hpp>
#include <attn/transformer/families/family.hpp>

namespace attn {

ModelDescription describe_gpt2(const Settings& config) {
  config.assume(R"({"vocab_size": 50257, "n_positions": 1024, "n_embd": 768, "n_layer": 12, "n_head": 12,
    "activation_function": "gelu_new", "layer_norm_epsilon": 1e-5})");
  ModelDescription model;
  model.base = "transformer";
  model.width = extent(config, "n_embd");
  model.max_positions = extent(config, "n_positions");
  const std::size_t vocabulary = extent(config, "vocab_size");

  BlockDescription block;
  block.width = model.width;
  block.hidden_width = config.has("n_inner") ? extent(config, "n_inner") : 4 * model.width;
  block.activation = activation_of(config, "activation_function");
  block.norm.epsilon = config.number("layer_norm_epsilon", 0, 1);
  block.norm_first = true;
  block.self_attention.heads = dividing_heads(config, "n_head", model.width);
  block.self_attention.pooling.causal = true;
  const ScoreScaling scaling = score_scaling_of(config);
  block.self_attention.pooling.scale = scaling.scale;
  block.head_width = model.width / block.self_attention.heads;
  block.self_tensors = {"attn", "", "", "", "c_attn", "c_proj", WeightLayout::in_out};
  block.feed_forward_tensors = {"mlp", "c_fc", "c_proj", "", WeightLayout::in_out};
  block.norm_tensors = {"ln_1", "ln_2"};
  model.decoder = {"decoder", "transformer.h", layer_count(config, "n_layer"), block, "transformer.ln_f", {}};
  model.decoder->scale_by_layer = scaling.by_layer;

  InputDescription input;
  input.tensor = "transformer.wte";
  input.vocabulary = vocabulary;
  input.positions = PositionKind::learned;
  input.position_tensor = "transformer.wpe";
  input.position_rows = model.max_positions;
  model.target = input;

  assume_tokens(config, vocabulary, {{"bos_token_id", 50256}, {"eos_token_id", 50256}});
  model.tokens = special_tokens(config, vocabulary);
  set_decoder_head(config, model, {"transformer.wte.weight", config.flag("tie_word_embeddings", true), "classifier"});
  model.unused = {"transformer.h.*.attn.bias", "transformer.h.*.attn.masked_bias"};
  add_other_heads(model, {"lm_head.", "score.", "classifier.", "qa_outputs.", "multiple_choice_head."});

  if (config.flag("add_cross_attention", false)) throw config.error("add_cross_attention", "false");
  config.skip({"reorder_and_upcast_attn", "summary_activation", "summary_first_dropout", "summary_proj_to_labels",
               "summary_type", "summary_use_proj"});
  skip_what_changes_nothing(config);
  return model;
}

}  // namespace attn
