// model_type "bert" and "roberta": one encoder, norm last; learned positions and token types are added to the ids'
// vectors and normalised; a head by `architectures`. RoBERTa counts positions from its padding id and calls its heads
// otherwise (Devlin et al. 2018; Liu et al. 2019).

#include <attn/core/error.hpp>
#include <attn/transformer/families/family.hpp>

namespace attn {
namespace {

/// Where both families differ.
struct Dialect {
  const char* model_type;  ///< also the prefix of tensors
  const char* class_name;  ///< the beginning of the names in `architectures`
  bool roberta;
};

InputDescription describe_input(const Settings& config, const Dialect& dialect, std::size_t max_positions,
                                const NormParameters& norm) {
  const auto extent = [&](const char* field) {
    return static_cast<std::size_t>(config.integer(field, 1, largest_extent));
  };
  InputDescription input;
  input.tensor = "embeddings.word_embeddings";
  input.vocabulary = extent("vocab_size");
  input.positions = PositionKind::learned;
  input.learned = {"embeddings.position_embeddings", max_positions};
  if (dialect.roberta)
    input.positions_skip = config.integer("pad_token_id", 0, static_cast<std::int64_t>(max_positions) - 2, 1);
  input.types = TableDescription{"embeddings.token_type_embeddings", extent("type_vocab_size")};
  input.norm = NamedNorm{"embeddings.LayerNorm", norm};
  return input;
}

/// The labels of id2label in the order of their numbers.
std::vector<std::string> describe_labels(const Settings& config) {
  std::vector<std::string> labels;
  const auto named = config.dictionary("id2label");
  for (std::size_t i = 0; i < named.size(); ++i) {
    const auto found = named.find(std::to_string(i));
    if (found == named.end()) throw config.error("id2label", "a label for each number from 0 on");
    labels.push_back(found->second);
  }
  if (labels.empty())  // what transformers takes when nothing is said
    for (std::int64_t i = 0, count = config.integer("num_labels", 1, largest_extent, 2); i < count; ++i)
      labels.push_back("LABEL_" + std::to_string(i));
  return labels;
}

ModelDescription describe(const Settings& config, const Dialect& dialect) {
  const auto extent = [&](const char* field) {
    return static_cast<std::size_t>(config.integer(field, 1, largest_extent));
  };
  ModelDescription model;
  model.model_type = dialect.model_type;
  model.optional_prefix = std::string(dialect.model_type) + ".";
  model.unused = {"embeddings.position_ids", "embeddings.token_type_ids", "cls.seq_relationship.",
                  "cls.predictions.decoder.", "lm_head.decoder."};
  model.width = extent("hidden_size");
  const std::size_t table = extent("max_position_embeddings");

  BlockDescription block;
  block.width = model.width;
  block.hidden_width = extent("intermediate_size");
  block.norm.epsilon = config.number("layer_norm_eps", 0, 1, 1e-12);
  try {
    block.activation = activation_from_name(config.text("hidden_act", "gelu"));
  } catch (const Error& error) {
    throw config.error("hidden_act", "a known activation", error.detail());
  }
  block.self_attention.heads = extent("num_attention_heads");
  if (model.width % block.self_attention.heads != 0)
    throw config.error("num_attention_heads", "a divisor of hidden_size = " + std::to_string(model.width));
  block.names = {"attention",
                 {},
                 {"self.query", "self.key", "self.value", "output.dense"},
                 "intermediate.dense",
                 "output.dense",
                 {"attention.output.LayerNorm", "output.LayerNorm"}};
  const auto layers = static_cast<std::size_t>(config.integer("num_hidden_layers", 0, most_layers));
  model.encoder = {"encoder", "encoder", layers, block, false, "layer"};
  model.source = describe_input(config, dialect, table, block.norm);
  // Positions before the padding id's successor are never a token's.
  model.max_positions = dialect.roberta ? table - static_cast<std::size_t>(*model.source->positions_skip) - 1 : table;

  if (config.text("position_embedding_type", "absolute") != "absolute")
    throw config.error("position_embedding_type", "absolute");
  if (config.flag("is_decoder", false)) throw config.error("is_decoder", "false");
  if (config.flag("add_cross_attention", false)) throw config.error("add_cross_attention", "false");

  const std::vector<std::string> labels = describe_labels(config);
  const std::vector<std::string> architectures = config.texts("architectures");
  const std::string name = architectures.empty() ? std::string(dialect.class_name) + "Model" : architectures.front();
  const auto is = [&](const char* ending) { return name == std::string(dialect.class_name) + ending; };
  const DenseDescription pooler{"pooler.dense", Activation::tanh};
  const auto classifier = [&](const char* tensor) {
    HeadDescription head;
    head.tensor = tensor;
    head.vocabulary = labels.size();
    model.labels = labels;
    return head;
  };
  if (is("ForMaskedLM") || is("ForPreTraining")) {
    if (!config.flag("tie_word_embeddings", true)) throw config.error("tie_word_embeddings", "true");
    HeadDescription head;
    head.tensor = model.source->tensor;
    head.tied = true;
    head.vocabulary = model.source->vocabulary;
    const NormParameters norm = block.norm;
    if (dialect.roberta) {
      head.dense = DenseDescription{"lm_head.dense", Activation::gelu, NamedNorm{"lm_head.layer_norm", norm}};
      head.bias = "lm_head.bias";
    } else {
      head.dense = DenseDescription{"cls.predictions.transform.dense", block.activation,
                                    NamedNorm{"cls.predictions.transform.LayerNorm", norm}};
      head.bias = "cls.predictions.bias";
    }
    model.head = head;
    model.unused.push_back("pooler.");
  } else if (is("ForSequenceClassification")) {
    model.head = classifier(dialect.roberta ? "classifier.out_proj" : "classifier");
    model.head->first_token = true;
    model.head->dense = dialect.roberta ? DenseDescription{"classifier.dense", Activation::tanh} : pooler;
    if (dialect.roberta) model.unused.push_back("pooler.");
  } else if (is("ForTokenClassification")) {
    model.head = classifier("classifier");
    model.unused.push_back("pooler.");
  } else if (is("ForQuestionAnswering")) {
    model.head = classifier("qa_outputs");
    model.labels = {"start", "end"};
    model.head->vocabulary = 2;
    model.unused.push_back("pooler.");
  } else if (is("Model")) {
    // The pooler is a head that ends with its dense map; the heads of other tasks in the file are not needed.
    model.head = HeadDescription{"", false, model.width, true, pooler};
    for (const char* other : {"cls.", "lm_head.", "classifier.", "qa_outputs."}) model.unused.emplace_back(other);
  } else {
    const std::string start = dialect.class_name;
    throw config.error("architectures", start + "Model, " + start + "ForMaskedLM, " + start +
                                            "ForSequenceClassification, " + start + "ForTokenClassification or " +
                                            start + "ForQuestionAnswering");
  }

  const auto last = static_cast<std::int64_t>(model.source->vocabulary) - 1;
  model.tokens.padding = config.optional_integer("pad_token_id", 0, last);
  config.skip({"attention_probs_dropout_prob",
               "bos_token_id",
               "classifier_dropout",
               "directionality",
               "dtype",
               "eos_token_id",
               "finetuning_task",
               "gradient_checkpointing",
               "hidden_dropout_prob",
               "initializer_range",
               "label2id",
               "num_labels",
               "output_past",
               "pooler_fc_size",
               "pooler_num_attention_heads",
               "pooler_num_fc_layers",
               "pooler_size_per_head",
               "pooler_type",
               "problem_type",
               "tie_word_embeddings",
               "torch_dtype",
               "transformers_version",
               "use_cache",
               "_name_or_path",
               "sep_token_id",
               "cls_token_id"});
  return model;
}

}  // namespace

ModelDescription describe_bert(const Settings& config) { return describe(config, {"bert", "Bert", false}); }

ModelDescription describe_roberta(const Settings& config) { return describe(config, {"roberta", "Roberta", true}); }

}  // namespace attn
