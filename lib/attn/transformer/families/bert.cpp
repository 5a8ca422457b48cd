// BERT (Devlin et al. 2019) and RoBERTa (Liu et al. 2019): post-norm encoders with learned positions and token types.
// Which head they carry is said by the first of `architectures`.

#include <attn/core/error.hpp>
#include <attn/transformer/families/family.hpp>

namespace attn {
namespace {

/// A map over the first token's vector, dense and tanh first: BERT's pooler, RoBERTa's classification head.
HeadDescription first_token_head(const std::string& dense) {
  HeadDescription head;
  head.over = HeadDescription::Over::first_token;
  head.dense = dense;
  head.activation = Activation::tanh;
  return head;
}

void project(HeadDescription& head, const std::string& map, std::size_t outputs) {
  head.projection = map + ".weight";
  head.projection_bias = map + ".bias";
  head.outputs = outputs;
}

}  // namespace

ModelDescription describe_bert(const Settings& config) {
  const bool roberta = config.text("model_type") == "roberta";
  ModelDescription model;
  model.base = roberta ? "roberta" : "bert";
  model.width = extent(config, "hidden_size");
  const std::string base = model.base + ".";
  const std::size_t vocabulary = extent(config, "vocab_size");
  model.tokens = special_tokens(config, vocabulary);

  BlockDescription block;
  block.width = model.width;
  block.hidden_width = extent(config, "intermediate_size");
  block.activation = activation_of(config, "hidden_act");
  block.norm.epsilon = config.number("layer_norm_eps", 0, 1);
  block.self_attention.heads = dividing_heads(config, "num_attention_heads", model.width);
  block.head_width = model.width / block.self_attention.heads;
  block.self_tensors = {"attention", "self.query", "self.key", "self.value", "", "output.dense"};
  block.feed_forward_tensors.first = "intermediate.dense";
  block.feed_forward_tensors.second = "output.dense";
  block.norm_tensors = {"attention.output.LayerNorm", "output.LayerNorm"};
  model.encoder = {"encoder", base + "encoder.layer", layer_count(config, "num_hidden_layers"), block, "", {}};

  InputDescription input;
  input.tensor = base + "embeddings.word_embeddings";
  input.vocabulary = vocabulary;
  input.positions = PositionKind::learned;
  input.position_tensor = base + "embeddings.position_embeddings";
  input.position_rows = extent(config, "max_position_embeddings");
  input.type_tensor = base + "embeddings.token_type_embeddings";
  input.types = extent(config, "type_vocab_size");
  input.norm = base + "embeddings.LayerNorm";
  input.norm_parameters = block.norm;
  if (roberta) {
    input.rule = PositionRule::real_only;
    if (!model.tokens.padding) throw config.error("pad_token_id", "a token: positions are counted from it");
    input.position_offset = static_cast<std::size_t>(*model.tokens.padding);
    if (input.position_rows <= input.position_offset + 1)
      throw config.error("max_position_embeddings", "more than pad_token_id + 1");
  }
  model.max_positions = input.position_rows - (roberta ? input.position_offset + 1 : 0);
  model.source = input;

  const std::string kind = architecture(config);
  HeadDescription head;
  if (ends_with(kind, "ForMaskedLM") || ends_with(kind, "ForPreTraining")) {
    model.task = Task::fill_mask;
    head.dense = roberta ? "lm_head.dense" : "cls.predictions.transform.dense";
    head.activation = roberta ? Activation::gelu : block.activation;
    head.norm = roberta ? "lm_head.layer_norm" : "cls.predictions.transform.LayerNorm";
    head.norm_parameters = block.norm;
    head.tied = config.flag("tie_word_embeddings", true);
    head.projection = head.tied ? input.tensor + ".weight"
                      : roberta ? "lm_head.decoder.weight"
                                : "cls.predictions.decoder.weight";
    head.projection_bias = roberta ? "lm_head.bias" : "cls.predictions.bias";
    head.outputs = vocabulary;
    const std::string decoder = roberta ? "lm_head.decoder." : "cls.predictions.decoder.";
    if (head.tied) model.tied.push_back({head.projection, decoder + "weight"});
    model.tied.push_back({head.projection_bias, decoder + "bias"});
  } else if (ends_with(kind, "ForSequenceClassification")) {
    model.task = Task::classify;
    head = first_token_head(roberta ? "classifier.dense" : base + "pooler.dense");
    head.labels = labels_of(config);
    head.probability = probability_of(config, head.labels.size());
    project(head, roberta ? "classifier.out_proj" : "classifier", head.labels.size());
  } else if (ends_with(kind, "ForTokenClassification")) {
    model.task = Task::label_tokens;
    head.labels = labels_of(config);
    project(head, "classifier", head.labels.size());
  } else if (ends_with(kind, "ForQuestionAnswering")) {
    model.task = Task::answer;
    head.labels = {"start", "end"};
    project(head, "qa_outputs", 2);
  } else if (kind.empty() || (ends_with(kind, "Model") && !ends_with(kind, "LMHeadModel"))) {
    model.task = Task::embed;
    head = first_token_head(base + "pooler.dense");
    head.result = "pooler_output";
    head.may_be_missing = true;
  } else {
    throw config.error("architectures", "a model, or one for masked tokens, sequences, tokens or answers");
  }
  model.head = head;
  const std::string positions = config.text("position_embedding_type", "absolute");
  if (positions != "absolute") throw config.error("position_embedding_type", "absolute");
  if (config.flag("add_cross_attention", false)) throw config.error("add_cross_attention", "false");
  if (config.flag("is_decoder", false)) throw config.error("is_decoder", "false");
  config.skip({"tie_word_embeddings", "directionality", "pooler_fc_size", "pooler_num_attention_heads",
               "pooler_num_fc_layers", "pooler_size_per_head", "pooler_type"});
  model.unused = {base + "embeddings.position_ids", base + "embeddings.token_type_ids", base + "pooler.*",
                  "cls.seq_relationship.*"};
  add_other_heads(model, {"cls.predictions.", "lm_head.", "classifier.", "qa_outputs."});
  skip_what_changes_nothing(config);
  return model;
}

}  // namespace attn
