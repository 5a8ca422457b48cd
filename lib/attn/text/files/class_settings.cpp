#include <attn/core/error.hpp>
#include <attn/json/node.hpp>
#include <attn/text/files/class_settings.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <string>

namespace attn::text {
namespace {

using nlohmann::json;

bool is_of_type(const json& part, const char* type) {
  return part.is_object() && part.contains("type") && part["type"] == type;
}

/// The component of that name where it is of that type, else null.
json* part_of(json& components, const char* name, const char* type) {
  const auto part = components.find(name);
  return part != components.end() && is_of_type(*part, type) ? &*part : nullptr;
}

/// The steps of a "Sequence", empty if there is none.
json::array_t steps_of(const json* sequence, const char* list) {
  if (sequence == nullptr || !sequence->contains(list) || !(*sequence)[list].is_array()) return {};
  return (*sequence)[list];
}

/// Changes each part of that type in a component, which may be a "Sequence" of them in `list`.
template <class Change>
void change(json& components, const char* name, const char* list, const char* type, Change with) {
  const auto component = components.find(name);
  if (component == components.end() || !component->is_object()) return;
  if (is_of_type(*component, type)) with(*component);
  if (component->contains(list) && (*component)[list].is_array())
    for (json& step : (*component)[list])
      if (is_of_type(step, type)) with(step);
}

json::array_t without(json::array_t steps, const char* type) {
  steps.erase(std::remove_if(steps.begin(), steps.end(), [&](const json& step) { return is_of_type(step, type); }),
              steps.end());
  return steps;
}

/// The settings of tokenizer_config.json, else the default of the class, if known.
struct Said {
  const JsonNode& settings;
  bool names_class;

  std::optional<bool> flag(const char* field, std::optional<bool> by_class) const {
    if (settings.has(field)) return settings.flag(field);
    return names_class ? by_class : std::nullopt;
  }
};

void set(json& part, const char* field, std::optional<bool> value) {
  if (value) part[field] = *value;
}

void set_bert(json& normalizer, const Said& said) {
  set(normalizer, "lowercase", said.flag("do_lower_case", true));
  set(normalizer, "handle_chinese_chars", said.flag("tokenize_chinese_chars", true));
  if (const auto strip = said.flag("strip_accents", std::nullopt))
    normalizer["strip_accents"] = *strip;
  else if (said.names_class)
    normalizer["strip_accents"] = nullptr;  // as lower case does
}

/// Llama: an extra space before a text, or none.
void set_metaspace(json& components, bool prefix_space) {
  if (json* const pre_tokenizer = part_of(components, "pre_tokenizer", "Metaspace"))
    if ((pre_tokenizer->value("prepend_scheme", json("always")) != "never") != prefix_space)
      (*pre_tokenizer)["prepend_scheme"] = prefix_space ? "first" : "never";
  if (prefix_space) return;
  if (json* const normalizer = part_of(components, "normalizer", "Sequence"))
    (*normalizer)["normalizers"] = without(steps_of(normalizer, "normalizers"), "Prepend");
  if (json* const decoder = part_of(components, "decoder", "Sequence"))
    (*decoder)["decoders"] = without(steps_of(decoder, "decoders"), "Strip");
}

/// XLNet and ALBERT: plain quotation marks, no accents or capitals where they do not count, then what sentencepiece
/// does itself.
json plain_normalizer(const json& components, bool keeps_accents, bool lowercase) {
  json::array_t steps;
  for (const char* mark : {"``", "''"})
    steps.push_back({{"type", "Replace"}, {"pattern", {{"String", mark}}}, {"content", "\""}});
  for (const char* type : {"NFKD", "StripAccents"})
    if (!keeps_accents) steps.push_back({{"type", type}});
  if (lowercase) steps.push_back({{"type", "Lowercase"}});
  const json old = components.value("normalizer", json());
  json::array_t old_steps = steps_of(&old, "normalizers");
  if (old_steps.empty()) old_steps.push_back(old);
  for (const json& step : old_steps) {
    const bool joins_blanks =
        is_of_type(step, "Replace") && step.contains("pattern") && step["pattern"].contains("Regex");
    if (is_of_type(step, "Precompiled") || joins_blanks) steps.push_back(step);
  }
  return {{"type", "Sequence"}, {"normalizers", std::move(steps)}};
}

/// "bert" for BertTokenizerFast, else the type of the model.
std::string class_of(const TokenizerFolder& folder) {
  const std::string family = folder.family();
  std::string name = family.substr(0, family.find(' '));
  if (const std::size_t end = name.find("tokenizer"); end != std::string::npos) return name.substr(0, end);
  name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
  return name;
}

}  // namespace

void follow_settings(json& components, const JsonNode& settings, const std::string& family) {
  const auto is = [&](const char* word) { return family.find(word) != std::string::npos; };
  if (!components.is_object() || is("pretrainedtokenizer") || is("tokenizersbackend")) return;
  const Said said{settings, !family.empty()};
  if (json* const normalizer = part_of(components, "normalizer", "BertNormalizer")) set_bert(*normalizer, said);
  if (is("gpt2") || is("roberta") || is("bart")) {
    const auto prefix_space = said.flag("add_prefix_space", false);
    if (json* const part = part_of(components, "pre_tokenizer", "ByteLevel"))
      set(*part, "add_prefix_space", prefix_space);
    if (json* const part = part_of(components, "post_processor", "RobertaProcessing")) {
      set(*part, "add_prefix_space", prefix_space);
      set(*part, "trim_offsets", said.flag("trim_offsets", true));
    }
  }
  if (is("llama") && settings.has("add_prefix_space")) set_metaspace(components, settings.flag("add_prefix_space"));
  const bool is_albert = is("albert");
  if (is("xlnet") || is_albert)
    components["normalizer"] = plain_normalizer(components, is_albert && settings.flag("keep_accents", false),
                                                settings.flag("do_lower_case", is_albert));
  if (settings.has("add_prefix_space") && (is_albert || is("xlmroberta") || is("xlm-roberta") || is("camembert"))) {
    const auto set_scheme = [scheme = settings.flag("add_prefix_space") ? "always" : "never"](json& metaspace) {
      metaspace["prepend_scheme"] = scheme;
    };
    change(components, "pre_tokenizer", "pretokenizers", "Metaspace", set_scheme);
    change(components, "decoder", "decoders", "Metaspace", set_scheme);
  }
  if (is("qwen"))
    change(components, "pre_tokenizer", "pretokenizers", "ByteLevel",
           [&](json& level) { set(level, "add_prefix_space", said.flag("add_prefix_space", false)); });
}

void follow_roles(Tokenizer::Pipeline& pipeline, const TokenizerFolder& folder) {
  struct Ends {
    const char *name, *before, *behind, *last;
  };
  constexpr Ends classes[] = {
      {"albert", "cls_token", "sep_token", "sep_token"},     {"bart", "cls_token", "sep_token", "sep_token"},
      {"bert", "cls_token", "sep_token", "sep_token"},       {"camembert", "bos_token", "eos_token", "eos_token"},
      {"clip", "bos_token", "eos_token", "eos_token"},       {"distilbert", "cls_token", "sep_token", "sep_token"},
      {"electra", "cls_token", "sep_token", "sep_token"},    {"mpnet", "cls_token", "sep_token", "sep_token"},
      {"roberta", "cls_token", "sep_token", "sep_token"},    {"t5", "bos_token", "eos_token", "eos_token"},
      {"xlmroberta", "bos_token", "eos_token", "eos_token"}, {"xlnet", "bos_token", "sep_token", "cls_token"}};
  const std::string own = class_of(folder);
  const auto ends =
      std::find_if(std::begin(classes), std::end(classes), [&](const Ends& each) { return own == each.name; });
  if (ends == std::end(classes)) return;
  for (auto* parts : {&pipeline.post_processor.single, &pipeline.post_processor.pair}) {
    bool is_before = true;
    for (TemplatePart& part : *parts) {
      is_before = is_before && part.what == Origin::added;
      if (part.what != Origin::added) continue;
      const char* const role = is_before ? ends->before : &part == &parts->back() ? ends->last : ends->behind;
      const std::string token = folder.special(role, "");
      if (token.empty()) continue;
      const auto added = pipeline.added_ids.find(token);
      const auto id =
          added != pipeline.added_ids.end() ? std::optional(added->second) : pipeline.model->vocabulary().find(token);
      if (!id) throw Error(ErrorKind::data, folder.name, std::string(role) + " " + token + " is not in the vocabulary");
      std::fill(part.ids.begin(), part.ids.end(), *id);
    }
  }
}

}  // namespace attn::text
