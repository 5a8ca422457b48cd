// BERT (Devlin et al. 2019) and RoBERTa (Liu et al. 2019): post-norm encoders with learned positions and token types.
// Which head they carry is said by the first of `architectures`.

#include <attn/core/error.hpp>
#include <attn/transformer/families/bert.hpp>

namespace attn {
namespace {

/// The head on the vector of the first token: BERT's pooler, RoBERTa's classification head.
HeadDescription over_first_token(HeadDescription head, const std::string& dense) {
  head.over = HeadDescription::Over::first_token;
  head.dense = dense;
  head.activation = Activation::tanh;
  return head;
}

/// Logits of tokens: dense, activation and norm, then the table of the embedding once more.
HeadDescription language_head(const Settings& config, ModelDescription& model, const BlockDescription& block,
                              const InputDescription& input, const BertKind& kind) {
  HeadDescription head;
  head.dense = kind.dense;
  head.dense_outputs = input.width;
  head.activation = kind.has_gelu ? Activation::gelu : block.activation;
  head.norm = kind.norm;
  head.norm_parameters = block.norm;
  head.tied = config.flag("tie_word_embeddings", true);
  const std::string decoder = kind.decoder + ".";
  head.projection = (head.tied ? input.tensor + "." : decoder) + "weight";
  head.outputs = input.vocabulary;
  head.projection_bias = head.tied ? kind.bias : decoder + "bias";
  if (head.tied) {
    model.tied.push_back({head.projection, decoder + "weight"});
    model.tied.push_back({kind.bias, decoder + "bias"});
  } else {
    model.unused.push_back(kind.bias);
  }
  return head;
}

bool is_language_model(const Settings& config) {
  const std::string kind = architecture(config);
  return ends_with(kind, "LMHeadModel") || ends_with(kind, "ForCausalLM");
}

void read_head(const Settings& config, ModelDescription& model, const BlockDescription& block,
               const InputDescription& input, const BertKind& kind) {
  const std::string name = architecture(config);
  HeadDescription head;
  if (ends_with(name, "ForPreTraining") && !kind.discriminator.empty()) {
    model.task = Task::label_tokens;
    head = token_head(config, kind.discriminator + ".dense_prediction");
    head.labels = {"replaced"};
    head.outputs = 1;
    head.dense = kind.discriminator + ".dense";
    head.activation = block.activation;
  } else if (ends_with(name, "ForMaskedLM") || ends_with(name, "ForPreTraining")) {
    model.task = Task::fill_mask;
    head = language_head(config, model, block, input, kind);
  } else if (is_language_model(config) && kind.may_decode) {
    head = language_head(config, model, block, input, kind);
  } else if (ends_with(name, "ForSequenceClassification")) {
    model.task = Task::classify;
    head = over_first_token(label_head(config, kind.classifier, HeadDescription::Over::first_token),
                            kind.classifier_dense);
    head.activation = kind.classifier_activation;
  } else if (ends_with(name, "ForNextSentencePrediction")) {
    model.task = Task::classify;
    head = over_first_token(answer_head(), kind.pooler);
    head.labels = {"next", "random"};
    head.projection = "cls.seq_relationship.weight";
    head.projection_bias = "cls.seq_relationship.bias";
  } else if (ends_with(name, "ForMultipleChoice") && !kind.pooler.empty()) {
    model.task = Task::choose;
    head = over_first_token(choice_head("classifier"), kind.pooler);
  } else if (ends_with(name, "ForTokenClassification")) {
    model.task = Task::label_tokens;
    head = token_head(config, "classifier");
  } else if (ends_with(name, "ForQuestionAnswering")) {
    model.task = Task::answer;
    head = answer_head();
  } else if (name.empty() || (ends_with(name, "Model") && !ends_with(name, "LMHeadModel"))) {
    model.task = Task::embed;
    if (kind.pooler.empty()) return;
    head = over_first_token({}, kind.pooler);
    head.result = "pooler_output";
    head.may_be_missing = true;
  } else {
    throw config.error("architectures",
                       "a model, or one for masked tokens, sequences, pairs, choices, tokens, answers or causal "
                       "language modelling");
  }
  model.head = head;
}

/// position_embedding_type: positions that are added to the words, or distances that scores know of.
void read_positions(const Settings& config, ModelDescription& model, BlockDescription& block, InputDescription& input) {
  const auto type = config.find("position_embedding_type");
  if (!type) return;
  block.self_attention.distances =
      type->choice<LearnedDistances>({{"absolute", LearnedDistances::none},
                                      {"relative_key", LearnedDistances::of_query},
                                      {"relative_key_query", LearnedDistances::of_query_and_key}});
  if (block.self_attention.distances == LearnedDistances::none) return;
  block.self_tensors.distances = "self.distance_embedding";
  block.self_tensors.farthest = input.position_rows;
  model.unused.push_back(input.position_tensor + ".*");  // which files hold all the same
  input.positions = PositionKind::none;
}

}  // namespace

ModelDescription describe_bert_kind(const Settings& config, const BertKind& kind) {
  config.assume(R"({"vocab_size": 30522, "hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12,
    "intermediate_size": 3072, "hidden_act": "gelu", "max_position_embeddings": 512, "type_vocab_size": 2,
    "layer_norm_eps": 1e-12})");
  ModelDescription model;
  model.base = kind.base;
  model.width = extent(config, "hidden_size");
  const std::string base = model.base + ".";
  const std::size_t vocabulary = extent(config, "vocab_size");
  if (kind.counts_real_tokens)
    assume_tokens(config, vocabulary, {{"pad_token_id", 1}, {"bos_token_id", 0}, {"eos_token_id", 2}});
  else
    assume_tokens(config, vocabulary, {{"pad_token_id", 0}});
  model.tokens = special_tokens(config, vocabulary);

  BlockDescription block = sized_block(config, model.width, "intermediate_size", "hidden_act", "num_attention_heads");
  block.norm.epsilon = config.number("layer_norm_eps", 0, 1);
  if (config.has("head_dim") && extent(config, "head_dim") != block.head_width)
    throw config.error("head_dim", "hidden_size / num_attention_heads");
  block.self_tensors = {"attention", "self.query", "self.key", "self.value", "", "output.dense"};
  block.feed_forward_tensors.first = "intermediate.dense";
  block.feed_forward_tensors.second = "output.dense";
  block.norm_tensors = {"attention.output.LayerNorm", "output.LayerNorm"};

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
  if (!kind.embedding_map.empty()) {
    input.width = extent(config, "embedding_size");
    input.projection = kind.embedding_map;
  }
  if (kind.counts_real_tokens) {
    // Also while generating, as it was trained: generate() of transformers 5.23 counts from row 0, its forward not.
    input.rule = PositionRule::real_only;
    if (!model.tokens.padding) throw config.error("pad_token_id", "a token: positions are counted from it");
    input.position_offset = static_cast<std::size_t>(*model.tokens.padding);
    if (input.position_rows <= input.position_offset + 1)
      throw config.error("max_position_embeddings", "more than pad_token_id + 1");
  }
  model.max_positions = input.position_rows - (kind.counts_real_tokens ? input.position_offset + 1 : 0);
  read_positions(config, model, block, input);

  const std::string layers = base + "encoder.layer";
  const std::size_t count = layer_count(config, "num_hidden_layers");
  // Without is_decoder a language model sees its prompt as a whole, and of what it adds only what is before.
  const bool causal = config.flag("is_decoder", false);
  if (causal && !kind.may_decode) throw config.error("is_decoder", "false");
  if (causal || (is_language_model(config) && kind.may_decode)) {
    block.self_attention.pooling.causal = causal;
    model.decoder = {"decoder", layers, count, block, "", {}};
    model.target = input;
  } else {
    model.encoder = {"encoder", layers, count, block, "", {}};
    model.source = input;
  }
  read_head(config, model, block, input, kind);
  if (config.flag("add_cross_attention", false)) throw config.error("add_cross_attention", "false");
  config.skip({"tie_word_embeddings", "directionality", "pooler_fc_size", "pooler_num_attention_heads",
               "pooler_num_fc_layers", "pooler_size_per_head", "pooler_type"});
  for (const char* buffer : {"embeddings.position_ids", "embeddings.token_type_ids", "pooler.*"})
    model.unused.push_back(base + buffer);
  add_other_heads(model, {"cls.predictions.", "cls.seq_relationship.", "lm_head.", "classifier.", "qa_outputs."});
  skip_what_changes_nothing(config);
  return model;
}

ModelDescription describe_bert(const Settings& config) {
  BertKind bert{"bert",
                "cls.predictions.transform.dense",
                "cls.predictions.transform.LayerNorm",
                "cls.predictions.decoder",
                "cls.predictions.bias",
                false,
                "bert.pooler.dense",
                "bert.pooler.dense",
                "classifier"};
  bert.may_decode = true;
  return describe_bert_kind(config, bert);
}

BertKind roberta_kind(const std::string& base) {
  BertKind roberta{base, "lm_head.dense",        "lm_head.layer_norm", "lm_head.decoder",    "lm_head.bias",
                   true, base + ".pooler.dense", "classifier.dense",   "classifier.out_proj"};
  roberta.counts_real_tokens = true;
  return roberta;
}

ModelDescription describe_roberta(const Settings& config) {
  BertKind roberta = roberta_kind("roberta");
  roberta.may_decode = true;
  return describe_bert_kind(config, roberta);
}

}  // namespace attn
