// DistilBERT (Sanh et al. 2019): BERT without token types and without its pooler.

#include <attn/core/error.hpp>
#include <attn/transformer/families/family.hpp>

namespace attn {
namespace {

/// Logits of tokens: dense, activation and norm, then the table of the embedding once more.
HeadDescription language_head(const Settings& config, ModelDescription& model, const BlockDescription& block) {
  HeadDescription head;
  head.dense = "vocab_transform";
  head.activation = block.activation;
  head.norm = "vocab_layer_norm";
  head.norm_parameters = block.norm;
  head.tied = config.flag("tie_word_embeddings", true);
  const std::string table = model.source->tensor + ".weight", own = "vocab_projector.weight";
  head.projection = head.tied ? table : own;
  head.projection_bias = "vocab_projector.bias";
  head.outputs = model.source->vocabulary;
  if (head.tied) model.tied.push_back({table, own});
  return head;
}

/// The head on the vector of the first token.
HeadDescription over_first_token(HeadDescription head) {
  head.over = HeadDescription::Over::first_token;
  head.dense = "pre_classifier";
  head.activation = Activation::relu;
  return head;
}

void read_head(const Settings& config, ModelDescription& model, const BlockDescription& block) {
  const std::string kind = architecture(config);
  if (ends_with(kind, "ForMaskedLM")) {
    model.task = Task::fill_mask;
    model.head = language_head(config, model, block);
  } else if (ends_with(kind, "ForSequenceClassification")) {
    model.task = Task::classify;
    model.head = over_first_token(label_head(config, "classifier", HeadDescription::Over::first_token));
  } else if (ends_with(kind, "ForMultipleChoice")) {
    model.task = Task::choose;
    model.head = over_first_token(choice_head("classifier"));
  } else if (ends_with(kind, "ForTokenClassification")) {
    model.task = Task::label_tokens;
    model.head = token_head(config, "classifier");
  } else if (ends_with(kind, "ForQuestionAnswering")) {
    model.task = Task::answer;
    model.head = answer_head();
  } else if (kind.empty() || ends_with(kind, "Model")) {
    model.task = Task::embed;
  } else {
    throw config.error("architectures", "a model, or one for masked tokens, sequences, choices, tokens or answers");
  }
}

}  // namespace

ModelDescription describe_distilbert(const Settings& config) {
  config.assume(R"({"vocab_size": 30522, "dim": 768, "n_layers": 6, "n_heads": 12, "hidden_dim": 3072,
    "activation": "gelu", "max_position_embeddings": 512})");
  ModelDescription model;
  model.base = "distilbert";
  model.width = extent(config, "dim");
  model.max_positions = extent(config, "max_position_embeddings");
  const std::size_t vocabulary = extent(config, "vocab_size");
  assume_tokens(config, vocabulary, {{"pad_token_id", 0}});
  model.tokens = special_tokens(config, vocabulary);

  BlockDescription block = sized_block(config, model.width, "hidden_dim", "activation", "n_heads");
  block.norm.epsilon = 1e-12;
  block.self_tensors = {"attention", "q_lin", "k_lin", "v_lin", "", "out_lin"};
  block.feed_forward_tensors.prefix = "ffn";
  block.feed_forward_tensors.first = "lin1";
  block.feed_forward_tensors.second = "lin2";
  block.norm_tensors = {"sa_layer_norm", "output_layer_norm"};
  model.encoder = {"encoder", "distilbert.transformer.layer", layer_count(config, "n_layers"), block, "", {}};

  InputDescription input;
  input.tensor = "distilbert.embeddings.word_embeddings";
  input.vocabulary = vocabulary;
  input.positions = PositionKind::learned;
  input.position_tensor = "distilbert.embeddings.position_embeddings";
  input.position_rows = model.max_positions;
  input.norm = "distilbert.embeddings.LayerNorm";
  input.norm_parameters = block.norm;
  model.source = input;

  read_head(config, model, block);
  model.unused = {"distilbert.embeddings.position_ids"};
  add_other_heads(model, {"vocab_transform.", "vocab_layer_norm.", "vocab_projector.", "pre_classifier.", "classifier.",
                          "qa_outputs."});
  // Sinusoidal positions are in the file like learned ones.
  config.skip({"qa_dropout", "seq_classif_dropout", "sinusoidal_pos_embds", "tie_weights_", "tie_word_embeddings"});
  skip_what_changes_nothing(config);
  return model;
}

}  // namespace attn
