// ModernBERT (Warner et al. 2024): a pre-norm encoder with rotary positions and a gated feed-forward network; most
// layers see only the tokens nearby.

#include <attn/core/error.hpp>
#include <attn/transformer/description.hpp>
#include <attn/transformer/families/family.hpp>

namespace attn {
namespace {

/// Dense, activation and norm, before the map of every head.
void set_prediction_head(const Settings& config, HeadDescription& head, const BlockDescription& block) {
  head.dense = "head.dense";
  head.dense_bias = config.flag("classifier_bias", false);
  head.activation = activation_of(config, "classifier_activation");
  head.norm = "head.norm";
  head.norm_parameters = block.norm;
}

void read_modernbert_head(const Settings& config, ModelDescription& model) {
  const std::string kind = architecture(config);
  const auto over = config.at("classifier_pooling")
                        .choice<HeadDescription::Over>(
                            {{"cls", HeadDescription::Over::first_token}, {"mean", HeadDescription::Over::mean}});
  HeadDescription head;
  if (kind.empty() || ends_with(kind, "Model")) {
    model.task = Task::embed;
    return;
  }
  if (ends_with(kind, "ForMaskedLM")) {
    model.task = Task::fill_mask;
    head.tied = config.flag("tie_word_embeddings", true);
    head.projection = head.tied ? model.source->tensor + ".weight" : "decoder.weight";
    if (head.tied) model.tied.push_back({head.projection, "decoder.weight"});
    if (config.flag("decoder_bias", true)) head.projection_bias = "decoder.bias";
    head.outputs = model.source->vocabulary;
  } else if (ends_with(kind, "ForSequenceClassification")) {
    model.task = Task::classify;
    head = label_head(config, "classifier", over);
  } else if (ends_with(kind, "ForTokenClassification")) {
    model.task = Task::label_tokens;
    head = token_head(config, "classifier");
  } else if (ends_with(kind, "ForQuestionAnswering")) {
    model.task = Task::answer;
    head = answer_head("classifier");
  } else if (ends_with(kind, "ForMultipleChoice")) {
    model.task = Task::choose;
    head = choice_head("classifier");
    head.over = over;
  } else {
    throw config.error("architectures", "a model, or one for masked tokens, sequences, choices, tokens or answers");
  }
  set_prediction_head(config, head, model.encoder->block);
  model.head = head;
}

}  // namespace

ModelDescription describe_modernbert(const Settings& config) {
  config.assume(R"({"vocab_size": 50368, "hidden_size": 768, "num_hidden_layers": 22, "num_attention_heads": 12,
    "intermediate_size": 1152, "hidden_activation": "gelu", "max_position_embeddings": 8192, "norm_eps": 1e-5,
    "global_rope_theta": 160000, "local_attention": 128, "classifier_pooling": "cls", "classifier_activation": "gelu"})");
  ModelDescription model;
  model.base = "model";
  model.width = extent(config, "hidden_size");
  model.max_positions = extent(config, "max_position_embeddings");
  const std::size_t vocabulary = extent(config, "vocab_size");

  BlockDescription block =
      sized_block(config, model.width, "intermediate_size", "hidden_activation", "num_attention_heads");
  block.norm.epsilon = config.number("norm_eps", 0, 1);
  block.norm.bias = config.flag("norm_bias", false);
  block.norm_first = true;
  block.self_attention.rotary = whole_rotary_of(config, block.head_width, "global_rope_theta");
  const bool attention_bias = config.flag("attention_bias", false);
  block.self_tensors = {"attn", "", "", "", "Wqkv", "Wo", WeightLayout::out_in, attention_bias, attention_bias};
  block.feed_forward_tensors = {"mlp", "Wi", "Wo", "Wi", WeightLayout::out_in, config.flag("mlp_bias", false)};
  block.norm_tensors = {"attn_norm", "mlp_norm"};
  StackDescription stack{"encoder", "model.layers",     layer_count(config, "num_hidden_layers"),
                         block,     "model.final_norm", {}};
  stack.own_blocks.assign(stack.layers, block);
  if (stack.layers > 0) stack.own_blocks.front().norm_tensors.front().clear();  // the embeddings have been normed
  const auto every = static_cast<std::size_t>(config.integer("global_attn_every_n_layers", 1, most_layers, 3));
  const auto side = static_cast<std::int64_t>(extent(config, "local_attention")) / 2;
  set_windows(stack, windowed_layers(config, stack.layers, [&](std::size_t layer) { return layer % every != 0; }),
              {side, side}, local_rotary_of(config, block.head_width, "local_rope_theta", true));
  model.encoder = stack;

  InputDescription input;
  input.tensor = "model.embeddings.tok_embeddings";
  input.vocabulary = vocabulary;
  input.norm = "model.embeddings.norm";
  input.norm_parameters = block.norm;
  model.source = input;
  assume_tokens(config, vocabulary, {{"pad_token_id", 50283}, {"bos_token_id", 50281}, {"eos_token_id", 50282}});
  model.tokens = special_tokens(config, vocabulary);
  read_modernbert_head(config, model);
  add_other_heads(model, {"head.", "decoder.", "classifier."});
  config.skip({"tie_word_embeddings", "classifier_bias", "classifier_activation", "classifier_pooling", "decoder_bias",
               "layer_norm_eps", "rope_theta", "initializer_cutoff_factor", "deterministic_flash_attn",
               "reference_compile", "repad_logits_with_grad", "sparse_prediction", "sparse_pred_ignore_index"});
  skip_what_changes_nothing(config, true);
  return model;
}

}  // namespace attn
