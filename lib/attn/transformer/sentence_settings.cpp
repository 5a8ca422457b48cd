#include <attn/core/error.hpp>
#include <attn/transformer/sentence_settings.hpp>

#include <attn/core/characters.hpp>
#include <attn/json/node.hpp>

namespace attn {
namespace {

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

SentenceModule dense_module(const JsonNode& config, const std::string& path) {
  constexpr std::int64_t most = 1 << 24;
  SentenceModule dense{path};
  dense.inputs = static_cast<std::size_t>(config.integer("in_features", 1, most));
  dense.outputs = static_cast<std::size_t>(config.integer("out_features", 1, most));
  dense.bias = config.flag("bias", true);
  dense.activation = dense_activation(config);
  for (const char* field : {"module_input_name", "module_output_name"})
    if (config.text(field, "sentence_embedding") != "sentence_embedding")
      throw config.error(field, "sentence_embedding");
  if (config.flag("use_residual", false)) throw config.error("use_residual", "false");
  config.expect_nothing_else();
  return dense;
}

/// Named by the kind of the model, in old folders.
std::optional<JsonNode> limits_of(const Files& files, const std::string& folder) {
  for (const char* model : {"bert", "roberta", "distilbert", "camembert", "albert", "xlm-roberta", "xlnet"})
    if (auto config = files.find(below(folder, "sentence_" + std::string(model) + "_config.json"))) return config;
  return std::nullopt;
}

void read_limits(const Files& files, SentenceSettings& settings) {
  constexpr double most = 1 << 30;  // model_max_length is 1e30 where there is none
  if (const auto config = limits_of(files, settings.transformer)) {
    if (config->has("max_seq_length"))
      settings.max_length = static_cast<std::size_t>(config->integer("max_seq_length", 1, 1 << 30));
    settings.is_lower_case = config->flag("do_lower_case", false);
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
  settings.prompts = config->dictionary("prompts");
  settings.default_prompt = config->text("default_prompt_name", "");
  if (!settings.default_prompt.empty() && settings.prompts.count(settings.default_prompt) == 0)
    throw config->error("default_prompt_name", "the name of one of prompts");
}

}  // namespace

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
    const bool pools = !settings.poolings.empty();
    if (kind == "Transformer" && i == 0) {
      settings.transformer = path;
      read_limits(files, settings);
    } else if (kind == "Pooling" && i == 1) {
      read_pooling(files.require(below(path, "config.json")), settings);
    } else if (kind == "Normalize" && pools) {
      settings.modules.emplace_back();
    } else if (kind == "Dense" && pools) {
      settings.modules.push_back(dense_module(files.require(below(path, "config.json")), path));
    } else if (kind != "Dropout") {
      throw module.error("type", "Transformer, Pooling, then Dense or Normalize");
    }
  }
  read_prompts(files, settings);
  return settings;
}

std::string prompt_of(const SentenceSettings& settings, const std::string& name) {
  const std::string& wanted = name.empty() ? settings.default_prompt : name;
  if (wanted.empty()) return "";
  if (const auto prompt = settings.prompts.find(wanted); prompt != settings.prompts.end()) return prompt->second;
  const std::string known = listed(settings.prompts, ", ", [](const auto& prompt) { return prompt.first; });
  throw Error(ErrorKind::usage, "--prompt", settings.folder + " has no prompt " + wanted,
              known.empty() ? "its files name no prompts" : "it has: " + known);
}

}  // namespace attn
