#include <attn/core/characters.hpp>
#include <attn/transformer/families/family.hpp>

#include <attn/core/error.hpp>
#include <attn/transformer/generation_config.hpp>

#include <algorithm>

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

BlockDescription sized_block(const Settings& config, std::size_t width, const std::string& hidden_width,
                             const std::string& activation, const std::string& heads) {
  BlockDescription block;
  block.width = width;
  block.hidden_width = extent(config, hidden_width);
  block.activation = activation_of(config, activation);
  block.self_attention.heads = dividing_heads(config, heads, width);
  block.head_width = width / block.self_attention.heads;
  return block;
}

std::vector<bool> windowed_layers(const Settings& config, std::size_t layers,
                                  const std::function<bool(std::size_t)>& otherwise) {
  std::vector<bool> windowed(layers);
  for (std::size_t i = 0; i < layers; ++i) windowed[i] = otherwise(i);
  const auto types = config.find("layer_types");
  if (!types) return windowed;
  if (types->size() != layers) throw config.error("layer_types", std::to_string(layers) + " types, one for each layer");
  for (std::size_t i = 0; i < layers; ++i)
    windowed[i] = (*types)[i].choice<bool>({{"full_attention", false}, {"sliding_attention", true}});
  return windowed;
}

void set_windows(StackDescription& stack, const std::vector<bool>& windowed, const Window& window,
                 const std::optional<RotaryEncoding>& rotary) {
  if (std::find(windowed.begin(), windowed.end(), true) == windowed.end()) return;
  if (stack.own_blocks.empty()) stack.own_blocks.assign(stack.layers, stack.block);
  for (std::size_t i = 0; i < stack.layers; ++i) {
    if (!windowed[i]) continue;
    MultiHeadParameters& attention = stack.own_blocks[i].self_attention;
    attention.pooling.window = window;
    if (rotary) attention.rotary = rotary;
  }
}

SpecialTokens special_tokens(const Settings& config, std::size_t vocabulary) {
  constexpr std::int64_t most = INT32_MAX;
  const auto known = [&](std::int64_t id) { return id >= 0 && id < static_cast<std::int64_t>(vocabulary); };
  const auto token = [&](const char* field) {
    const auto id = config.optional_integer(field, -1, most);  // -1 means none in some files
    return id && known(*id) ? id : std::nullopt;
  };
  SpecialTokens tokens;
  tokens.padding = token("pad_token_id");
  const auto tokens_of = [&](const char* field) {
    std::vector<std::int64_t> ids = config.integers(field, -1, most);
    ids.erase(std::remove_if(ids.begin(), ids.end(), [&](std::int64_t id) { return !known(id); }), ids.end());
    return ids;
  };
  tokens.end = tokens_of("eos_token_id");
  tokens.start = token("decoder_start_token_id");
  const auto begin = token("bos_token_id");
  if (!tokens.start) tokens.start = begin;
  tokens.forced_last = tokens_of("forced_eos_token_id");
  return tokens;
}

void assume_tokens(const Settings& config, std::size_t vocabulary,
                   std::initializer_list<std::pair<const char*, std::size_t>> tokens) {
  for (const auto& [field, id] : tokens)
    if (id < vocabulary) config.assume("{\"" + std::string(field) + "\": " + std::to_string(id) + "}");
}

void skip_what_changes_nothing(const Settings& config, bool has_windows) {
  // Training, other programs, people.
  config.skip({"architectures",
               "attention_probs_dropout_prob",
               "attn_implementation",
               "attn_pdrop",
               "base_model_pp_plan",
               "base_model_tp_plan",
               "chunk_size_feed_forward",
               "custom_pipelines",
               "decoder_layerdrop",
               "dense_seq_output",
               "do_lower_case",
               "dropout_rate",
               "dtype",
               "emb_size",
               "embd_pdrop",
               "encoder_layerdrop",
               "encoder_width",
               "export_model_type",
               "finetuning_task",
               "gradient_checkpointing",
               "hf_device_map",
               "hf_version",
               "hidden_dropout_prob",
               "id2label",
               "init_std",
               "initializer_factor",
               "initializer_range",
               "is_decoder",
               "is_encoder_decoder",
               "is_llama_config",
               "keys_to_ignore_at_inference",
               "label2id",
               "label_names",
               "label_smoothing",
               "language",
               "learning_rate",
               "license",
               "matryoshka_dimensions",
               "max_seq_length",
               "max_sequence_length",
               "model_max_length",
               "model_name",
               "model_revision",
               "n_ctx",
               "n_special",
               "name",
               "ner_labels",
               "neuron",
               "num_choices",
               "num_labels",
               "optimizer",
               "output_attentions",
               "output_hidden_states",
               "output_past",
               "pad_to_multiple_of",
               "predict_special_tokens",
               "prefix",
               "pretraining_tp",
               "problem_type",
               "replacing_rate",
               "resid_pdrop",
               "return_dict",
               "save_step",
               "sbert_ce_default_activation_function",
               "sentence_transformers",
               "student_decoder_layers",
               "student_encoder_layers",
               "summary_type",
               "tags",
               "task_specific_params",
               "tf_legacy_loss",
               "tie_weights_",
               "tokenizer_class",
               "tokenizer_file",
               "torch_dtype",
               "torchscript",
               "transformers.js_config",
               "transformers_version",
               "unsloth_fixed",
               "unsloth_version",
               "use_bfloat16",
               "use_cache",
               "use_flash_attention",
               "use_flash_attn",
               "vocab_file",
               "widget",
               "xla_device"});
  // Old files keep the settings of generation here; generation_config.hpp reads them.
  config.skip(generation_fields());
  // Features that are off, notes of transformers, dropout in training, tokens that no family reads, and positions and
  // layers of the usual kind.
  for (const auto& [field, value] : config.items())
    if (field.front() == '_' || value.is_switched_off() || ends_with(field, "dropout") || ends_with(field, "_token") ||
        ends_with(field, "_token_id") || (field == "position_embedding_type" && value.string() == "absolute"))
      config.skip({field});
  if (config.has("layer_types")) {
    const std::vector<std::string> types = config.texts("layer_types");
    const bool any_window =
        std::any_of(types.begin(), types.end(), [](auto& type) { return type != "full_attention"; });
    if (any_window && !has_windows) throw config.error("layer_types", "full_attention alone");
  }
  // Another model, unless they are as here.
  if (config.has("quantization_config"))
    throw config.error("quantization_config", "nothing: quantised weights are not read",
                       "take the model as it was before it was quantised");
  if (config.has("pruned_heads") && !config.object("pruned_heads").items().empty())
    throw config.error("pruned_heads", "none");
  config.skip({"pruned_heads"});
  if (config.flag("tie_encoder_decoder", false)) throw config.error("tie_encoder_decoder", "false");
}

void set_decoder_head(const Settings& config, ModelDescription& model, const DecoderHead& names) {
  if (!config.flag("is_causal", true)) throw config.error("is_causal", "true");
  const std::string kind = architecture(config);
  HeadDescription head;
  if (ends_with(kind, "ForSequenceClassification")) {
    model.task = Task::classify;
    head = label_head(config, "score", HeadDescription::Over::last_token);
    head.projection_bias.clear();
  } else if (ends_with(kind, "ForTokenClassification")) {
    model.task = Task::label_tokens;
    head = token_head(config, names.token_label);
  } else if (ends_with(kind, "ForQuestionAnswering")) {
    model.task = Task::answer;
    head = answer_head();
  } else if (kind.empty() || ends_with(kind, "ForCausalLM") || ends_with(kind, "LMHeadModel") ||
             ends_with(kind, "DoubleHeadsModel")) {
    head.tied = names.tied;
    head.projection = head.tied ? names.table : "lm_head.weight";
    head.outputs = model.target->vocabulary;
    if (head.tied) model.tied.push_back({names.table, "lm_head.weight"});
  } else if (ends_with(kind, "Model")) {
    model.task = Task::embed;
    return;
  } else {
    throw config.error("architectures", "a model, or one for causal language modelling, sequences, tokens or answers");
  }
  model.head = head;
}

HeadDescription classification_head(const Settings& config) {
  HeadDescription head = label_head(config, "classification_head.out_proj", HeadDescription::Over::last_end_token);
  head.dense = "classification_head.dense";
  head.activation = Activation::tanh;
  return head;
}

namespace {

HeadDescription head_of_labels(std::vector<std::string> labels, const std::string& map) {
  HeadDescription head;
  head.labels = std::move(labels);
  head.projection = map + ".weight";
  head.projection_bias = map + ".bias";
  head.outputs = head.labels.size();
  return head;
}

}  // namespace

HeadDescription token_head(const Settings& config, const std::string& map) {
  return head_of_labels(labels_of(config), map);
}

HeadDescription label_head(const Settings& config, const std::string& map, HeadDescription::Over over) {
  HeadDescription head = token_head(config, map);
  head.over = over;
  head.probability = probability_of(config, head.labels.size());
  return head;
}

HeadDescription choice_head(const std::string& map) { return head_of_labels({"choice"}, map); }

HeadDescription answer_head(const std::string& map) { return head_of_labels({"start", "end"}, map); }

void add_other_heads(ModelDescription& model, const std::vector<std::string>& prefixes) {
  for (const std::string& prefix : prefixes) {
    const auto is_own = [&](const std::string& name) { return starts_with(name, prefix); };
    const auto& search = model.head ? model.head->search : std::nullopt;
    const bool own = model.head && (is_own(model.head->dense + ".") || is_own(model.head->projection));
    const bool searched = search && (is_own(search->end + ".") || is_own(search->answerable + "."));
    if (!own && !searched) model.unused.push_back(prefix + "*");
  }
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

HeadDescription::Probability probability_of(const Settings& config, std::size_t labels) {
  using Probability = HeadDescription::Probability;
  const Probability of_labels = labels == 1 ? Probability::sigmoid : Probability::softmax;
  // A cross-encoder of sentence-transformers may ask for the logits themselves.
  if (const auto settings = config.find("sentence_transformers")) {
    settings->skip({"activation_fn", "version"});
    settings->expect_nothing_else();
    if (settings->has("activation_fn")) return probability_of_activation(*settings, "activation_fn");
  }
  if (config.has("sbert_ce_default_activation_function"))
    return probability_of_activation(config, "sbert_ce_default_activation_function");
  if (const auto type = config.find("problem_type"))
    return type->choice<Probability>({{"single_label_classification", of_labels},
                                      {"multi_label_classification", Probability::sigmoid},
                                      {"regression", Probability::none}});
  return of_labels;
}

HeadDescription::Probability probability_of_activation(const JsonNode& config, const std::string& field) {
  using Probability = HeadDescription::Probability;
  const std::string function = config.text(field);
  for (const auto& [name, probability] : {std::pair(".Identity", Probability::none),
                                          {".Sigmoid", Probability::sigmoid},
                                          {".Softmax", Probability::softmax}})
    if (starts_with(function, "torch.nn.") && ends_with(function, name)) return probability;
  throw config.error(field, "torch.nn.Identity, Sigmoid or Softmax");
}

std::string architecture(const Settings& config) {
  const std::vector<std::string> names = config.texts("architectures");
  return names.empty() ? "" : names.front();
}

}  // namespace attn
