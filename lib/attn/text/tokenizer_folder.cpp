#include <attn/text/tokenizer_folder.hpp>

#include <algorithm>

namespace attn::text {
namespace {

std::string content_of(const JsonNode& token) {
  return token.is_object() ? token.at("content").string() : token.string();
}

}  // namespace

TokenizerFolder::TokenizerFolder(const ReadFile& reader, std::string folder)
    : read(reader),
      name(std::move(folder)),
      settings(document("tokenizer_config.json")),
      specials(document(settings.has("added_tokens_decoder") ? "" : "special_tokens_map.json")),
      model(document("config.json")) {}

JsonNode TokenizerFolder::document(const std::string& of) const {
  JsonNode node((of.empty() ? std::nullopt : read(of)).value_or("{}"), file(of));
  if (!node.is_object()) throw node.mismatch("an object");
  return node;
}

std::string TokenizerFolder::family() const {
  std::string words = settings.text("tokenizer_class", model.text("tokenizer_class", ""));
  if (const std::string type = model.text("model_type", ""); !type.empty()) words += (words.empty() ? "" : " ") + type;
  std::transform(words.begin(), words.end(), words.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  return words;
}

std::string TokenizerFolder::special(const std::string& role, const std::string& otherwise) const {
  for (const JsonNode* names : {&specials, &settings})
    if (const auto field = names->find(role)) return content_of(*field);
  return otherwise;
}

std::vector<std::string> TokenizerFolder::all_special() const {
  std::vector<std::string> all;
  for (const char* role : {"bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"})
    if (std::string token = special(role, ""); !token.empty()) all.push_back(std::move(token));
  for (const JsonNode* names : {&specials, &settings})
    for (const char* list : {"additional_special_tokens", "extra_special_tokens"})
      if (const auto more = names->find(list); more && !more->is_object())
        for (std::size_t i = 0; i < more->size(); ++i) all.push_back(content_of((*more)[i]));
  return all;
}

bool TokenizerFolder::has_room(const Tokenizer::Pipeline& pipeline, std::size_t more) const {
  const auto rows = model.optional_integer("vocab_size", 0, INT64_MAX);
  return !rows || pipeline.vocabulary_size() + more <= static_cast<std::size_t>(*rows);
}

void TokenizerFolder::each_later_token(const std::function<void(const AddedToken&)>& add) const {
  if (const auto list = settings.find("added_tokens_decoder")) {
    for (const auto& [id, node] : list->items()) {
      if (id.empty() || id.size() > 9 || id.find_first_not_of("0123456789") != std::string::npos)
        node.fail("the key is not an id");
      AddedToken token = special_token(std::stol(id), node.at("content").string());
      token.special = node.flag("special", false);
      token.single_word = node.flag("single_word", false);
      token.left_strip = node.flag("lstrip", false);
      token.right_strip = node.flag("rstrip", false);
      token.normalized = node.flag("normalized", true);
      node.within([&] { add(token); });
    }
    return;
  }
  const std::vector<std::string> named = all_special();
  for (const auto& [content, id] : document("added_tokens.json").items())
    id.within([&, &text = content, &node = id] {
      AddedToken token = special_token(node.integer(), text);
      token.special = std::find(named.begin(), named.end(), text) != named.end();
      token.normalized = !token.special;
      add(token);
    });
}

AddedToken special_token(TokenId id, std::string content) {
  AddedToken token;
  token.id = id;
  token.content = std::move(content);
  token.special = true;
  token.normalized = false;
  return token;
}

void add_specials(Tokenizer::Pipeline& pipeline, const TokenizerFolder& folder,
                  std::initializer_list<std::pair<const char*, const char*>> roles, bool mask_takes_space) {
  for (const auto& [role, otherwise] : roles) {
    const std::string content = folder.special(role, otherwise);
    if (content.empty()) continue;
    const auto id = pipeline.model->vocabulary().find(content);
    if (!id) continue;
    AddedToken token = special_token(*id, content);
    token.left_strip = mask_takes_space && std::string_view(role) == "mask_token";
    pipeline.add(token);
  }
}

void add_named_specials(Tokenizer::Pipeline& pipeline, const TokenizerFolder& folder) {
  for (const std::string& content : folder.all_special()) {
    if (pipeline.added_ids.count(content) > 0) continue;
    const auto known = pipeline.model->vocabulary().find(content);
    if (known || folder.has_room(pipeline, 1))
      pipeline.add(special_token(known.value_or(static_cast<TokenId>(pipeline.vocabulary_size())), content));
  }
}

}  // namespace attn::text
