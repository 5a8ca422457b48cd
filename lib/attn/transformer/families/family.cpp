#include <attn/transformer/families/family.hpp>

#include <attn/core/error.hpp>

namespace attn {

std::size_t extent(const Settings& config, const std::string& field) {
  return static_cast<std::size_t>(config.integer(field, 1, largest_extent));
}

std::size_t layer_count(const Settings& config, const std::string& field) {
  return static_cast<std::size_t>(config.integer(field, 0, most_layers));
}

std::size_t dividing_heads(const Settings& config, const std::string& field, std::size_t width) {
  const std::size_t heads = extent(config, field);
  if (width % heads != 0) throw config.error(field, "a divisor of the model's width " + std::to_string(width));
  return heads;
}

Activation activation_of(const Settings& config, const std::string& field) {
  try {
    return activation_from_name(config.text(field));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::usage) throw;
    throw config.error(field, "a known activation", error.fix());
  }
}

SpecialTokens special_tokens(const Settings& config, std::size_t vocabulary) {
  const auto last = static_cast<std::int64_t>(vocabulary) - 1;
  SpecialTokens tokens;
  tokens.padding = config.optional_integer("pad_token_id", 0, last);
  tokens.end = config.integers("eos_token_id", 0, last);
  tokens.start = config.optional_integer("decoder_start_token_id", 0, last);
  const auto begin = config.optional_integer("bos_token_id", 0, last);
  if (!tokens.start) tokens.start = begin;
  tokens.forced_last = config.optional_integer("forced_eos_token_id", 0, last);
  return tokens;
}

void skip_what_changes_nothing(const Settings& config) {
  config.skip({"_name_or_path",
               "activation_dropout",
               "architectures",
               "attention_dropout",
               "attention_probs_dropout_prob",
               "attn_pdrop",
               "classifier_dropout",
               "classif_dropout",
               "decoder_layerdrop",
               "dropout",
               "dropout_rate",
               "dtype",
               "embd_pdrop",
               "encoder_layerdrop",
               "finetuning_task",
               "gradient_checkpointing",
               "hidden_dropout_prob",
               "id2label",
               "init_std",
               "initializer_factor",
               "initializer_range",
               "is_decoder",
               "is_encoder_decoder",
               "keys_to_ignore_at_inference",
               "label2id",
               "n_ctx",
               "num_labels",
               "output_attentions",
               "output_hidden_states",
               "pretraining_tp",
               "problem_type",
               "resid_pdrop",
               "return_dict",
               "task_specific_params",
               "torch_dtype",
               "transformers_version",
               "use_cache"});
}

std::vector<std::string> labels_of(const Settings& config) {
  std::vector<std::string> labels;
  const auto names = config.dictionary("id2label");
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto found = names.find(std::to_string(i));
    if (found == names.end()) throw config.error("id2label", "a label for each number from 0");
    labels.push_back(found->second);
  }
  if (labels.empty())
    for (std::int64_t i = 0, n = config.integer("num_labels", 1, largest_extent, 2); i < n; ++i)
      labels.push_back("LABEL_" + std::to_string(i));
  return labels;
}

std::string architecture(const Settings& config) {
  const std::vector<std::string> names = config.texts("architectures");
  return names.empty() ? "" : names.front();
}

}  // namespace attn
