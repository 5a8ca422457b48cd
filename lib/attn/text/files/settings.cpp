#include <attn/text/files/settings.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

namespace attn::text {

using nlohmann::json;

namespace {

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

/// XLNet: plain quotation marks, no accents, no capitals where they do not count, then what sentencepiece does itself.
json xlnet_normalizer(const json& components, bool lowercase) {
  json::array_t steps;
  for (const char* mark : {"``", "''"})
    steps.push_back({{"type", "Replace"}, {"pattern", {{"String", mark}}}, {"content", "\""}});
  for (const char* type : {"NFKD", "StripAccents"}) steps.push_back({{"type", type}});
  if (lowercase) steps.push_back({{"type", "Lowercase"}});
  const json old = components.value("normalizer", json());
  json::array_t old_steps = steps_of(&old, "normalizers");
  if (old_steps.empty()) old_steps.push_back(old);
  for (const json& step : old_steps)
    if (is_of_type(step, "Precompiled")) steps.push_back(step);
  return {{"type", "Sequence"}, {"normalizers", std::move(steps)}};
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
  if (is("xlnet")) components["normalizer"] = xlnet_normalizer(components, settings.flag("do_lower_case", false));
}

}  // namespace attn::text
