// BART (Lewis et al. 2020): a post-norm encoder-decoder with learned positions that start at row 2 and a norm over the
// embeddings; and Marian.

#include <attn/core/error.hpp>
#include <attn/transformer/families/family.hpp>

#include <cmath>

namespace attn {
namespace {

StackDescription stack_of(const Settings& config, const std::string& name, std::size_t width) {
  BlockDescription block =
      sized_block(config, width, name + "_ffn_dim", "activation_function", name + "_attention_heads");
  block.norm.epsilon = 1e-5;
  block.self_tensors = {"self_attn", "q_proj", "k_proj", "v_proj", "", "out_proj"};
  block.feed_forward_tensors.first = "fc1";
  block.feed_forward_tensors.second = "fc2";
  block.norm_tensors = {"self_attn_layer_norm", "final_layer_norm"};
  if (name == "decoder") {
    block.cross_attention = block.self_attention;
    block.cross_tensors = block.self_tensors;
    block.cross_tensors.prefix = "encoder_attn";
    block.self_attention.pooling.causal = true;
    block.norm_tensors.insert(block.norm_tensors.begin() + 1, "encoder_attn_layer_norm");
  }
  return {name, "model." + name + ".layers", layer_count(config, name + "_layers"), block, "", {}};
}

/// BartForCausalLM: the decoder alone, without the cross-attention in the files.
void read_decoder_alone(ModelDescription& model) {
  model.encoder.reset();
  model.source.reset();
  BlockDescription& block = model.decoder->block;
  block.cross_attention.reset();
  block.norm_tensors.erase(block.norm_tensors.begin() + 1);
  for (const char* names : {"model.encoder.*", "model.decoder.layers.*.encoder_attn*"})
    model.unused.emplace_back(names);
}

/// Logits of tokens: the table of the embedding once more, or a map of its own.
HeadDescription language_head(const Settings& config, std::size_t vocabulary) {
  HeadDescription head;
  head.tied = config.flag("tie_word_embeddings", true);
  head.projection = head.tied ? "model.shared.weight" : "lm_head.weight";
  head.outputs = vocabulary;
  return head;
}

void read_head(const Settings& config, ModelDescription& model, std::size_t vocabulary) {
  const std::string kind = architecture(config);
  HeadDescription head;
  if (ends_with(kind, "ForSequenceClassification")) {
    model.task = Task::classify;
    model.decoder_reads_source = true;
    head = classification_head(config);
  } else if (ends_with(kind, "ForQuestionAnswering")) {
    model.task = Task::answer;
    model.decoder_reads_source = true;
    head = answer_head();
  } else if (ends_with(kind, "ForCausalLM")) {
    head = language_head(config, vocabulary);
    read_decoder_alone(model);
  } else if (kind.empty() || ends_with(kind, "ForConditionalGeneration") || ends_with(kind, "MTModel") ||
             ends_with(kind, "ForMaskedLM")) {
    if (ends_with(kind, "ForMaskedLM")) {  // as transformers' pipeline asks the same class
      model.task = Task::fill_mask;
      model.decoder_reads_source = true;
    }
    head = language_head(config, vocabulary);
    head.projection_bias = "final_logits_bias";
  } else if (ends_with(kind, "Model")) {
    model.task = Task::embed;
    return;
  } else {
    throw config.error("architectures",
                       "BartModel, or Bart for conditional generation, causal language modelling, "
                       "sequences or answers");
  }
  model.head = head;
}

/// Marian has no norm over the embeddings, and positions of sines and cosines, which some files hold all the same.
ModelDescription describe_encoder_decoder(const Settings& config, bool is_marian) {
  config.assume(R"({"vocab_size": 50265, "d_model": 1024, "encoder_layers": 12, "encoder_attention_heads": 16,
    "encoder_ffn_dim": 4096, "decoder_layers": 12, "decoder_attention_heads": 16, "decoder_ffn_dim": 4096,
    "activation_function": "gelu", "max_position_embeddings": 1024, "num_labels": 3})");
  ModelDescription model;
  model.base = "model";
  model.width = extent(config, "d_model");
  model.max_positions = extent(config, "max_position_embeddings");
  const std::size_t vocabulary = extent(config, "vocab_size");
  model.encoder = stack_of(config, "encoder", model.width);
  model.decoder = stack_of(config, "decoder", model.width);

  const bool is_tied = config.flag("tie_word_embeddings", true);
  const auto input = [&](const std::string& stack) {
    InputDescription in;
    in.tensor = is_tied ? "model.shared" : "model." + stack + ".embed_tokens";
    if (!is_tied) in.shared_tensor = "model.shared";
    in.vocabulary = vocabulary;
    in.scale = config.flag("scale_embedding", false) ? std::sqrt(static_cast<double>(model.width)) : 1;
    if (is_marian) {
      in.positions = PositionKind::sinusoidal;
      in.sinusoids = SinusoidLayout::halves;
      return in;
    }
    in.positions = PositionKind::learned;
    in.position_tensor = "model." + stack + ".embed_positions";
    in.position_offset = 2;
    in.position_rows = model.max_positions + in.position_offset;
    in.norm = "model." + stack + ".layernorm_embedding";
    in.norm_parameters.epsilon = 1e-5;
    return in;
  };
  model.source = input("encoder");
  model.target = input("decoder");
  assume_tokens(config, vocabulary,
                {{"pad_token_id", 1},
                 {"bos_token_id", 0},
                 {"eos_token_id", 2},
                 {"decoder_start_token_id", 2},
                 {"forced_eos_token_id", 2}});
  model.tokens = special_tokens(config, vocabulary);
  if (is_tied)
    model.tied = {{"model.shared.weight", "model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight",
                   "lm_head.weight"}};
  else
    model.unused = {"model.shared.weight"};
  read_head(config, model, vocabulary);
  add_other_heads(model, {"classification_head.", "qa_outputs.", "lm_head.", "final_logits_bias"});
  config.skip({"tie_word_embeddings", "scale_embedding", "add_bias_logits", "num_hidden_layers"});
  for (const char* field : {"normalize_before", "add_final_layer_norm", "do_blenderbot_90_layernorm"})
    if (config.flag(field, false)) throw config.error(field, "false");
  for (const auto& [field, value] :
       {std::pair("normalize_embedding", !is_marian), std::pair("static_position_embeddings", is_marian)})
    if (config.flag(field, value) != value) throw config.error(field, value ? "true" : "false");
  if (is_marian) {
    model.unused.emplace_back("model.*coder.embed_positions.weight");
    if (!config.flag("share_encoder_decoder_embeddings", true))
      throw config.error("share_encoder_decoder_embeddings", "true");
    const auto rows = static_cast<std::int64_t>(vocabulary);
    config.integer("decoder_vocab_size", rows, rows, rows);
    config.skip({"extra_pos_embeddings"});
  } else {
    config.integer("extra_pos_embeddings", 2, 2, 2);
  }
  skip_what_changes_nothing(config);
  return model;
}

}  // namespace

ModelDescription describe_bart(const Settings& config) { return describe_encoder_decoder(config, false); }

/// Marian (Junczys-Dowmunt et al. 2018), the translators of OPUS-MT.
ModelDescription describe_marian(const Settings& config) { return describe_encoder_decoder(config, true); }

}  // namespace attn
