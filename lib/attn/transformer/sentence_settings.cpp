#include <attn/json/node.hpp>
#include <attn/transformer/sentence_settings.hpp>

namespace attn {
namespace {

/// A folder's JSON files by name.
struct Files {
  const text::ReadFile& read;
  const std::string& folder;

  std::optional<JsonNode> find(const std::string& name) const {
    const auto content = read(name);
    if (!content) return std::nullopt;
    return JsonNode(std::string_view(*content), folder + "/" + name);
  }
};

std::string below(const std::string& folder, const std::string& name) {
  return folder.empty() ? name : folder + "/" + name;
}

struct PoolingName {
  const char* field;  ///< of versions before 5, a flag
  const char* word;   ///< of pooling_mode since
  std::optional<Pooling> pooling;
};
const PoolingName poolings[] = {
    {"pooling_mode_cls_token", "cls", Pooling::first},
    {"pooling_mode_mean_tokens", "mean", Pooling::mean},
    {"pooling_mode_max_tokens", "max", Pooling::max},
    {"pooling_mode_lasttoken", "lasttoken", Pooling::last},
    {"pooling_mode_mean_sqrt_len_tokens", "mean_sqrt_len_tokens", std::nullopt},
    {"pooling_mode_weightedmean_tokens", "weightedmean", std::nullopt},
};

void read_pooling(const JsonNode& config, SentenceSettings& settings) {
  std::vector<PoolingName> chosen;
  const std::string word = config.text("pooling_mode", "");
  bool is_said = !word.empty();
  for (const PoolingName& name : poolings) {
    is_said = is_said || config.has(name.field);
    if (word == name.word || config.flag(name.field, false)) chosen.push_back(name);
  }
  if (!is_said)
    settings.pooling = Pooling::mean;
  else if (chosen.size() == 1 && chosen.front().pooling)
    settings.pooling = chosen.front().pooling;
  else
    for (const PoolingName& name : chosen)
      settings.unknown_pooling += (settings.unknown_pooling.empty() ? "" : " + ") + std::string(name.word);
  if (!settings.pooling && settings.unknown_pooling.empty()) settings.unknown_pooling = word.empty() ? "none" : word;
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
    if (config->flag("do_lower_case", false)) settings.unused.emplace_back("do_lower_case of " + config->subject());
  }
  if (settings.max_length) return;
  const auto tokenizer = files.find(below(settings.transformer, "tokenizer_config.json"));
  if (!tokenizer || !tokenizer->has("model_max_length")) return;
  if (const double length = tokenizer->number("model_max_length", 1, 1e300); length < most)
    settings.max_length = static_cast<std::size_t>(length);
}

void read_prompt(const Files& files, SentenceSettings& settings) {
  const auto config = files.find("config_sentence_transformers.json");
  if (!config) return;
  const std::string name = config->text("default_prompt_name", "");
  if (name.empty() || !config->has("prompts")) return;
  if (const std::string prompt = config->object("prompts").text(name, ""); !prompt.empty())
    settings.unused.push_back("the prompt '" + prompt + "' of " + config->subject());
}

}  // namespace

std::optional<SentenceSettings> read_sentence_settings(const text::ReadFile& read, const std::string& folder) {
  const Files files{read, folder};
  const auto modules = files.find("modules.json");
  if (!modules) return std::nullopt;
  SentenceSettings settings;
  for (std::size_t i = 0; i < modules->size(); ++i) {
    const JsonNode module = (*modules)[i];
    const std::string type = module.text("type"), path = module.text("path", "");
    const std::string kind = type.substr(type.rfind('.') + 1);
    if (kind == "Transformer" && i == 0) {
      settings.transformer = path;
      read_limits(files, settings);
    } else if (kind == "Pooling" && i == 1) {
      const auto config = files.find(below(path, "config.json"));
      if (!config) throw Error(ErrorKind::input, folder + "/" + below(path, "config.json"), "no such file");
      read_pooling(*config, settings);
    } else if (kind == "Normalize" && i > 1) {
      settings.normalize = true;
    } else {  // and what comes after it
      settings.unused.push_back("module " + (path.empty() ? std::to_string(i) : path) + " (" + kind + ") of " +
                                modules->subject() + (i + 1 < modules->size() ? " and those after it" : ""));
      break;
    }
  }
  read_prompt(files, settings);
  return settings;
}

}  // namespace attn
