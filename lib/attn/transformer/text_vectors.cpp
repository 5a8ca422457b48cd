#include <attn/transformer/text_vectors.hpp>

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/core/tensor.hpp>
#include <attn/json/node.hpp>
#include <attn/text/unicode.hpp>

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

TensorView normalized_rows(const TensorView& x) {
  const TensorView wide = contiguous(cast(x, DType::f64));
  const auto from = wide.as<double, 2>();
  Tensor rows(DType::f64, x.shape);
  const auto to = rows.as<double, 2>();
  for (std::size_t b = 0; b < x.shape[0]; ++b) {
    double squares = 0;
    for (std::size_t j = 0; j < x.shape[1]; ++j) squares += from(b, j) * from(b, j);
    const double length = squares > 0 ? std::sqrt(squares) : 1;
    for (std::size_t j = 0; j < x.shape[1]; ++j) to(b, j) = from(b, j) / length;
  }
  return cast(rows.view(x.name), x.dtype);
}

/// Vectors (B, n), cut to (B, dimensions): of a vector whose first coordinates are a vector too (Kusupati et al. 2022).
TensorView first_coordinates(const TensorView& vectors, std::size_t dimensions) {
  if (dimensions > vectors.shape[1])
    throw Error(ErrorKind::usage, "--dimensions",
                std::to_string(dimensions) + " is more than the " + std::to_string(vectors.shape[1]) +
                    " coordinates of a vector");
  return contiguous(slice(vectors, {{}, {0, static_cast<std::int64_t>(dimensions), 1, false}}));
}

/// Tensors (B, n), side by side.
TensorView joined(const std::vector<TensorView>& parts) {
  if (parts.size() == 1) return parts.front();
  std::size_t width = 0, first = 0;
  for (const TensorView& part : parts) width += part.shape[1];
  Tensor whole(DType::f64, {parts.front().shape[0], width});
  const auto to = whole.as<double, 2>();
  for (const TensorView& part : parts) {
    const TensorView wide = cast(part, DType::f64);
    const auto from = wide.as<double, 2>();
    for (std::size_t b = 0; b < part.shape[0]; ++b)
      for (std::size_t j = 0; j < part.shape[1]; ++j) to(b, first + j) = from(b, j);
    first += part.shape[1];
  }
  return cast(whole.view("pooled"), parts.front().dtype);
}

std::string in_lower_case(const std::string& text) {
  std::u32string lower;
  for (std::size_t i = 0; i < text.size();) {
    const text::CodePoint point = text::code_point_at(text, i);
    text::append_lowercase(lower, point.value);
    i += point.length;
  }
  std::string result;
  for (const char32_t c : lower) text::append_utf8(result, c);
  return result;
}

/// A folder's JSON files by name.
struct Files {
  const text::ReadFile& read;
  const std::string& folder;

  std::optional<JsonNode> find(const std::string& name) const {
    const auto content = read(name);
    if (!content) return std::nullopt;
    return JsonNode(*content, folder + "/" + name);
  }
  JsonNode require(const std::string& name) const {
    auto file = find(name);
    if (!file) throw Error(ErrorKind::input, folder + "/" + name, "no such file");
    return *file;
  }
};

std::string below(const std::string& folder, const std::string& name) {
  return folder.empty() ? name : folder + "/" + name;
}

Pooling pooling_of(const JsonNode& word) {
  return word.choice<Pooling>({{"cls", Pooling::first},
                               {"max", Pooling::max},
                               {"mean", Pooling::mean},
                               {"mean_sqrt_len_tokens", Pooling::mean_sqrt_length},
                               {"weightedmean", Pooling::weighted_mean},
                               {"lasttoken", Pooling::last}});
}

/// pooling_mode, a word or several; versions before 5 have a flag for each, in this order.
std::vector<Pooling> poolings_of(const JsonNode& config) {
  std::vector<Pooling> poolings;
  if (const auto mode = config.find("pooling_mode")) {
    if (!mode->is_array()) return {pooling_of(*mode)};
    for (std::size_t i = 0; i < mode->size(); ++i) poolings.push_back(pooling_of((*mode)[i]));
    return poolings;
  }
  bool is_said = false;
  for (const auto& [field, pooling] :
       {std::pair("pooling_mode_cls_token", Pooling::first), std::pair("pooling_mode_max_tokens", Pooling::max),
        std::pair("pooling_mode_mean_tokens", Pooling::mean),
        std::pair("pooling_mode_mean_sqrt_len_tokens", Pooling::mean_sqrt_length),
        std::pair("pooling_mode_weightedmean_tokens", Pooling::weighted_mean),
        std::pair("pooling_mode_lasttoken", Pooling::last)}) {
    is_said = is_said || config.has(field);
    if (config.flag(field, false)) poolings.push_back(pooling);
  }
  if (!is_said) return {Pooling::mean};
  if (poolings.empty()) throw config.error("pooling_mode_mean_tokens", "true, or another pooling");
  return poolings;
}

void read_pooling(const JsonNode& config, SentenceSettings& settings) {
  settings.poolings = poolings_of(config);
  settings.pools_prompt = config.flag("include_prompt", true);
  config.skip({"word_embedding_dimension", "embedding_dimension"});
  config.expect_nothing_else();
}

/// torch.nn.modules.activation.Tanh: by the last part of the path.
Activation dense_activation(const JsonNode& config) {
  const std::string path = config.text("activation_function", "torch.nn.Tanh");
  const std::string name = lower_case(path.substr(path.rfind('.') + 1));
  if (name == "identity") return Activation::none;
  try {
    return activation_from_name(name);
  } catch (const Error& error) {
    throw config.error("activation_function", "a known activation", error.fix());
  }
}

/// A module of vectors, not of the states of tokens, with nothing else to be read.
void expect_of_vectors(const JsonNode& config) {
  for (const char* field : {"module_input_name", "module_output_name"})
    if (config.text(field, "sentence_embedding") != "sentence_embedding")
      throw config.error(field, "sentence_embedding");
  config.expect_nothing_else();
}

SentenceModule dense_module(const JsonNode& config, const std::string& path) {
  constexpr std::int64_t most = 1 << 24;
  SentenceModule dense{path};
  dense.inputs = static_cast<std::size_t>(config.integer("in_features", 1, most));
  dense.outputs = static_cast<std::size_t>(config.integer("out_features", 1, most));
  dense.bias = config.flag("bias", true);
  dense.activation = dense_activation(config);
  if (config.flag("use_residual", false)) throw config.error("use_residual", "false");
  expect_of_vectors(config);
  return dense;
}

/// Named by the kind of the model, in old folders.
std::optional<JsonNode> transformer_config(const Files& files, const std::string& folder) {
  for (const char* model : {"bert", "roberta", "distilbert", "camembert", "albert", "xlm-roberta", "xlnet"})
    if (auto config = files.find(below(folder, "sentence_" + std::string(model) + "_config.json"))) return config;
  return std::nullopt;
}

/// What the model is asked for: last states or logits by its forward(), or vectors by a method of CLIP.
void read_modality(const JsonNode& config, SentenceSettings& settings) {
  const bool classifies = config.text("transformer_task", "feature-extraction") == "sequence-classification";
  if (!classifies && config.text("transformer_task", "feature-extraction") != "feature-extraction")
    throw config.error("transformer_task", "feature-extraction or sequence-classification");
  const std::string made = config.text("module_output_name", classifies ? "scores" : "token_embeddings");
  if (made == "sentence_embedding" && !classifies)
    settings.has_own_vectors = true;
  else if (made != (classifies ? "scores" : "token_embeddings"))
    throw config.error("module_output_name", classifies ? "scores" : "token_embeddings or sentence_embedding");
  const auto modalities = config.find("modality_config");
  if (!modalities) return;
  for (const auto& [name, how] : modalities->items()) {
    if (name == "message") throw modalities->error(name, "nothing: texts are not put into a chat");
    if (name != "text" && name != "image") continue;
    const std::string method = settings.has_own_vectors ? "get_" + name + "_features" : "forward";
    const std::string output = settings.has_own_vectors ? "pooler_output" : classifies ? "logits" : "last_hidden_state";
    if (how.text("method") != method) throw how.error("method", method);
    if (how.text("method_output_name", output) != output) throw how.error("method_output_name", output);
    how.expect_nothing_else();
  }
}

/// Arguments for the classes of transformers, of which these change where a model is and how fast it runs.
void expect_idle_arguments(const JsonNode& config, const std::string& field) {
  const auto arguments = config.find(field);
  if (!arguments) return;
  arguments->skip({"add_pooling_layer", "attn_implementation", "cache_dir", "device_map", "dtype", "low_cpu_mem_usage",
                   "revision", "token", "torch_dtype", "trust_remote_code", "unpad_inputs", "use_auth_token",
                   "use_fast", "use_memory_efficient_attention", "use_safetensors"});
  arguments->expect_nothing_else();
}

void read_transformer(const Files& files, SentenceSettings& settings) {
  constexpr double most = 1 << 30;  // model_max_length is 1e30 where there is none
  if (const auto config = transformer_config(files, settings.transformer)) {
    if (config->has("max_seq_length"))
      settings.max_length = static_cast<std::size_t>(config->integer("max_seq_length", 1, 1 << 30));
    settings.is_lower_case = config->flag("do_lower_case", false);
    read_modality(*config, settings);
    for (const char* field : {"model_args", "model_kwargs", "tokenizer_args", "processor_kwargs", "config_args",
                              "config_kwargs", "processing_kwargs"})
      expect_idle_arguments(*config, field);
    config->skip({"unpad_inputs"});
    config->expect_nothing_else();
  }
  if (settings.max_length) return;
  const auto tokenizer = files.find(below(settings.transformer, "tokenizer_config.json"));
  if (!tokenizer || !tokenizer->has("model_max_length")) return;
  if (const double length = tokenizer->number("model_max_length", 1, 1e300); length < most)
    settings.max_length = static_cast<std::size_t>(length);
}

void read_prompts(const Files& files, SentenceSettings& settings) {
  const auto config = files.find("config_sentence_transformers.json");
  if (!config) return;
  const std::string kind = config->text("model_type", "SentenceTransformer");
  if (kind != "SentenceTransformer" && kind != "CrossEncoder")
    throw config->error("model_type", "SentenceTransformer or CrossEncoder");
  if (const auto prompts = config->find("prompts"))
    for (const auto& [name, prompt] : prompts->items()) settings.prompts[name] = prompts->text(name, "");
  settings.default_prompt = config->text("default_prompt_name", "");
  if (!settings.default_prompt.empty() && settings.prompts.count(settings.default_prompt) == 0)
    throw config->error("default_prompt_name", "the name of one of prompts");
  if (config->has("activation_fn")) settings.probability = probability_of_activation(*config, "activation_fn");
  if (config->has("truncate_dim"))
    throw config->error(
        "truncate_dim", "nothing",
        "remove it, and give --dimensions " + std::to_string(config->integer("truncate_dim", 1, 1 << 24)));
  config->skip({"__version__", "keep_in_fp32_modules", "requirements", "similarity_fn_name"});
  config->expect_nothing_else();
}

}  // namespace

TensorView pool(const TensorView& x, const std::optional<TensorView>& padding_mask, Pooling pooling,
                std::size_t skipped) {
  const std::size_t batch = x.shape[0], length = x.shape[1], width = x.shape[2];
  const std::vector<std::int64_t> real =
      padding_mask ? to_integers(*padding_mask) : std::vector<std::int64_t>(batch * length, 1);
  const TensorView states = cast(x, DType::f64);
  const auto state = states.as<double, 3>();
  Tensor pooled = Tensor::zeros(DType::f64, {batch, width});
  const auto out = pooled.as<double, 2>();
  for (std::size_t b = 0; b < batch; ++b) {
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < length; ++i)
      if (real[b * length + i] != 0) rows.push_back(i);
    rows.erase(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(std::min(skipped, rows.size())));
    if (rows.empty()) continue;
    if (pooling == Pooling::first) rows.resize(1);
    if (pooling == Pooling::last) rows.erase(rows.begin(), rows.end() - 1);
    const auto weight_of = [&](std::size_t i) {
      return pooling == Pooling::weighted_mean ? static_cast<double>(skipped + i + 1) : 1;
    };
    double divisor = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) divisor += weight_of(i);
    if (pooling == Pooling::mean_sqrt_length) divisor = std::sqrt(divisor);
    for (std::size_t j = 0; j < width; ++j) {
      double sum = 0, largest = state(b, rows.front(), j);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const double value = state(b, rows[i], j);
        sum += weight_of(i) * value;
        largest = std::max(largest, value);
      }
      out(b, j) = pooling == Pooling::max ? largest : sum / divisor;
    }
  }
  return cast(pooled.view("pooled"), x.dtype);
}

std::string text_as_read(const std::string& text, const TextVectorParameters& parameters) {
  const std::string whole = parameters.prompt + text;
  return parameters.is_lower_case && !find_invalid_utf8(whole) ? in_lower_case(whole) : whole;
}

std::size_t unpooled_tokens(const text::Tokenizer& tokenizer, const TextVectorParameters& parameters) {
  if (parameters.pools_prompt || parameters.prompt.empty()) return 0;
  const text::Encoding tokens = tokenizer.encode(text_as_read("", parameters));
  const bool ends_special = tokens.size() > 0 && tokenizer.is_special(tokens.ids.back());
  return tokens.size() - (ends_special ? 1 : 0);
}

TensorView text_vectors(const TensorView& states, const std::optional<TensorView>& padding_mask,
                        const TextVectorParameters& parameters, std::size_t skipped, const Execution& execution) {
  std::vector<TensorView> parts;
  for (const Pooling pooling : parameters.poolings) parts.push_back(pool(states, padding_mask, pooling, skipped));
  TensorView vectors = joined(parts);
  for (const VectorStep& step : parameters.steps)
    vectors = step.map        ? (*step.map)(vectors, execution, step.activation)
              : step.scales() ? normalized_rows(vectors)
                              : first_coordinates(vectors, step.dimensions);
  return vectors;
}

std::optional<SentenceSettings> read_sentence_settings(const text::ReadFile& read, const std::string& folder) {
  const Files files{read, folder};
  const auto modules = files.find("modules.json");
  if (!modules) return std::nullopt;
  SentenceSettings settings;
  settings.folder = folder;
  for (std::size_t i = 0; i < modules->size(); ++i) {
    const JsonNode module = (*modules)[i];
    const std::string type = module.text("type");
    const std::string path = module.has("path") ? module.at("path").path_inside() : "";
    const std::string kind = type.substr(type.rfind('.') + 1);
    if (!starts_with(type, "sentence_transformers."))
      throw module.error(
          "type", "a class of sentence_transformers: code of a folder is not run",
          "if it computes what a class of sentence_transformers does, name that one in a copy of the folder");
    if ((kind == "Transformer" || kind == "CLIPModel") && i == 0) {
      settings.transformer = path;
      settings.has_own_vectors = kind == "CLIPModel";
      read_transformer(files, settings);
    } else if (kind == "Pooling" && i == 1 && !settings.has_own_vectors) {
      read_pooling(files.require(below(path, "config.json")), settings);
    } else if (kind == "Normalize" && settings.makes_vectors()) {
      if (const auto config = files.find(below(path, "config.json"))) expect_of_vectors(*config);
      settings.modules.emplace_back();
    } else if (kind == "Dense" && settings.makes_vectors()) {
      settings.modules.push_back(dense_module(files.require(below(path, "config.json")), path));
    } else if (kind != "Dropout") {
      throw module.error("type", "Transformer, Pooling, then Dense or Normalize");
    }
    if (module.has("kwargs") && !module.at("kwargs").is_switched_off()) throw module.error("kwargs", "none");
    module.skip({"idx", "kwargs", "name"});
    module.expect_nothing_else();
  }
  read_prompts(files, settings);
  return settings;
}

std::string prompt_of(const SentenceSettings& settings, const std::string& name) {
  const std::string& wanted = name.empty() ? settings.default_prompt : name;
  if (wanted.empty()) return "";
  if (const auto prompt = settings.prompts.find(wanted); prompt != settings.prompts.end()) return prompt->second;
  std::vector<std::string> known;
  for (const auto& prompt : settings.prompts) known.push_back(prompt.first);
  throw Error(ErrorKind::usage, "--prompt", settings.folder + " has no prompt " + wanted,
              (known.empty() ? "its files name no prompts" : "it has: " + listed_near(wanted, known)) +
                  "; --prompt-text takes the text itself");
}

}  // namespace attn
