#include <attn/core/characters.hpp>
#include <attn/json/builder.hpp>
#include <attn/text/files/folder.hpp>

#include <algorithm>

namespace attn::text {
namespace {

constexpr const char* settings_file = "tokenizer_config.json";
constexpr const char* specials_file = "special_tokens_map.json";

std::string content_of(const JsonNode& token) {
  return token.is_object() ? token.at("content").string() : token.string();
}

// "</s>" or {"content": "</s>", ...}; missing properties are those of `token`.
AddedToken read_special(const JsonNode& node, AddedToken token = special_token(0, "")) {
  token.content = content_of(node);
  if (!node.is_object()) return token;
  token.single_word = node.flag("single_word", token.single_word);
  token.left_strip = node.flag("lstrip", token.left_strip);
  token.right_strip = node.flag("rstrip", token.right_strip);
  token.normalized = node.flag("normalized", token.normalized);
  return token;
}

constexpr const char* role_names[] = {"bos_token", "eos_token", "unk_token", "sep_token",
                                      "pad_token", "cls_token", "mask_token"};

constexpr const char* extra_tokens = "extra_special_tokens";

// The names of fields, and those in the object of extra tokens, in the order of the file, which a document does not
// keep.
class NamesInOrder final : public JsonBuilder {
 public:
  NamesInOrder(std::string_view text, std::string file) : JsonBuilder(text, std::move(file)) { run(); }
  const std::vector<std::string>& fields() const noexcept { return fields_; }
  const std::vector<std::string>& names() const noexcept { return names_; }

  bool key(string_t& name) override {
    if (depth() == 1) fields_.push_back(name);
    if (depth() == 2 && key_at(1) == extra_tokens) names_.push_back(name);
    return JsonBuilder::key(name);
  }

 private:
  std::vector<std::string> fields_, names_;
};

std::vector<AddedToken> special_list(const JsonNode& names, const char* field) {
  std::vector<AddedToken> tokens;
  if (const auto list = names.find(field); list && !list->is_object())
    for (std::size_t i = 0; i < list->size(); ++i) tokens.push_back(read_special((*list)[i]));
  return tokens;
}

}  // namespace

TokenizerFolder::TokenizerFolder(const ReadFile& reader, std::string folder)
    : read(reader),
      name(std::move(folder)),
      settings(document(settings_file)),
      specials(document(settings.has("added_tokens_decoder") ? "" : specials_file)),
      model(document("config.json")) {}

JsonNode TokenizerFolder::document(const std::string& of) const {
  const auto text = of.empty() ? std::nullopt : read(of);
  JsonNode node(std::string_view(text ? *text : "{}"), file(of));
  if (!node.is_object()) throw node.mismatch("an object");
  return node;
}

std::string TokenizerFolder::family() const {
  std::string words = settings.text("tokenizer_class", model.text("tokenizer_class", ""));
  if (const std::string type = model.text("model_type", ""); !type.empty()) words += (words.empty() ? "" : " ") + type;
  return lower_case(std::move(words));
}

std::string TokenizerFolder::first_of(std::initializer_list<const char*> words) const {
  const std::string names = family();
  std::size_t best = std::string::npos;
  std::string first;
  for (const char* word : words)
    if (const std::size_t at = names.find(word); at < best) {
      best = at;
      first = word;
    }
  return first;
}

AddedToken TokenizerFolder::special(const std::string& role, const AddedToken& usual) const {
  for (const JsonNode* names : {&specials, &settings})
    if (const auto field = names->find(role)) return read_special(*field, usual);
  return usual;
}

std::string TokenizerFolder::special(const std::string& role, const std::string& otherwise) const {
  return special(role, special_token(0, otherwise)).content;
}

std::vector<AddedToken> TokenizerFolder::named_special(const JsonNode& names, const std::string& of) const {
  std::vector<AddedToken> tokens;
  const auto object = names.find(extra_tokens);
  if (!object || !object->is_object()) return tokens;
  const NamesInOrder order(read(of).value_or("{}"), file(of));
  for (const std::string& token : order.names())
    if (const auto node = object->find(token)) tokens.push_back(read_special(*node));
  return tokens;
}

std::vector<AddedToken> TokenizerFolder::all_special() const {
  std::vector<AddedToken> all;
  for (const char* role : role_names)
    if (AddedToken token = special(role, special_token(0, "")); !token.content.empty()) all.push_back(std::move(token));
  // Roles of the model's own, such as image_token.
  const NamesInOrder order(read(settings_file).value_or("{}"), file(settings_file));
  for (const std::string& field : order.fields())
    if (const auto node = settings.find(field);
        node && ends_with(field, "_token") && (node->is_string() || node->is_object()) &&
        std::find(std::begin(role_names), std::end(role_names), field) == std::end(role_names))
      all.push_back(read_special(*node));
  for (AddedToken& token : named_special(settings, settings_file)) all.push_back(std::move(token));
  for (AddedToken& token : named_special(specials, specials_file)) all.push_back(std::move(token));
  // "additional" is the older name, which speaks where the newer one does not.
  std::vector<AddedToken> more = special_list(settings, extra_tokens);
  if (more.empty()) more = special_list(settings, "additional_special_tokens");
  for (AddedToken& token : special_list(specials, extra_tokens)) more.push_back(std::move(token));
  if (more.empty()) more = special_list(specials, "additional_special_tokens");
  for (AddedToken& token : more) all.push_back(std::move(token));
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
  const std::vector<AddedToken> named = all_special();
  for (const auto& [content, id] : document("added_tokens.json").items())
    id.within([&, &text = content, &node = id] {
      AddedToken token = special_token(node.integer(), text);
      token.special =
          std::any_of(named.begin(), named.end(), [&](const auto& special) { return special.content == text; });
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

namespace {

// The id of a token in the vocabulary, else its own one. Throws Error(data) if that is another token's.
TokenId number_of(const Tokenizer::Pipeline& pipeline, const TokenizerFolder& folder, const AddedToken& token) {
  if (pipeline.added_ids.count(token.content) > 0) return token.id;
  const Vocabulary& vocabulary = pipeline.model->vocabulary();
  if (const auto id = vocabulary.find(token.content)) return *id;
  if (const auto other = vocabulary.token(token.id))
    throw Error(ErrorKind::data,
                folder.file(folder.settings.has("added_tokens_decoder") ? settings_file : "added_tokens.json"),
                "gives \"" + token.content + "\" the id " + std::to_string(token.id) +
                    ", which tokenizer.json has for \"" + std::string(*other) + "\"",
                "give it a free id, or leave it out");
  return token.id;
}

}  // namespace

void add_special_tokens(Tokenizer::Pipeline& pipeline, const TokenizerFolder& folder, const DefaultRoles& defaults,
                        std::map<std::string, TokenId> settled, Numbers by) {
  const auto add = [&](AddedToken token) {
    if (by == Numbers::vocabulary) token.id = number_of(pipeline, folder, token);
    if (settled.emplace(token.content, token.id).second) pipeline.add(token);
  };
  const auto add_without_id = [&](AddedToken token, bool may_be_new) {
    if (token.content.empty()) return;
    const auto added = pipeline.added_ids.find(token.content);
    const auto known = added != pipeline.added_ids.end() ? std::optional(added->second)
                                                         : pipeline.model->vocabulary().find(token.content);
    if (!known && !(may_be_new && folder.has_room(pipeline, 1))) return;
    token.id = known.value_or(static_cast<TokenId>(pipeline.vocabulary_size()));
    add(token);
  };
  folder.each_later_token(add);
  for (const auto& [role, usual] : defaults) add_without_id(folder.special(role, usual), false);
  for (const AddedToken& token : folder.all_special()) add_without_id(token, true);
}

}  // namespace attn::text
