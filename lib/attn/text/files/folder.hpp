#pragma once
// What stands beside the vocabulary in a model's folder and says how it is meant.

#include <attn/json/node.hpp>
#include <attn/text/pipeline/pipeline.hpp>

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace attn::text {

/// The documents of a folder; each may be missing.
struct TokenizerFolder {
  const ReadFile& read;
  std::string name;
  JsonNode settings;  ///< tokenizer_config.json
  JsonNode specials;  ///< special_tokens_map.json, which speaks first, but not beside "added_tokens_decoder"
  JsonNode model;     ///< config.json

  TokenizerFolder(const ReadFile& reader, std::string folder);

  std::string file(const std::string& of) const { return name + "/" + of; }

  /// An object; an empty one where there is no such file.
  JsonNode document(const std::string& of) const;

  /// "berttokenizerfast bert": lower-case names of the family, of the class and the model; empty where none is named.
  std::string family() const;
  bool is(const std::string& word) const { return family().find(word) != std::string::npos; }
  /// Of some words the one that is named first, so that the class goes before the model; empty where none is.
  std::string first_of(std::initializer_list<const char*> words) const;

  /// A special token, "</s>" or {"content": "</s>", ...}, without its id; what the folder does not say is as usual.
  AddedToken special(const std::string& role, const AddedToken& usual) const;
  std::string special(const std::string& role, const std::string& otherwise) const;
  /// All that roles and lists name, without their ids.
  std::vector<AddedToken> all_special() const;
  /// Those of {"extra_special_tokens": {"image_token": "<image>", ...}} in a document and its file, in their order.
  std::vector<AddedToken> named_special(const JsonNode& names, const std::string& of) const;

  /// Has the model's table rows for so many more tokens than the tokenizer knows? Without config.json it may.
  bool has_room(const Tokenizer::Pipeline& pipeline, std::size_t more) const;

  /// Hands over the tokens that were added later: added_tokens.json, or "added_tokens_decoder" with their properties.
  void each_later_token(const std::function<void(const AddedToken&)>& add) const;
};

AddedToken special_token(TokenId id, std::string content);

/// Roles and the tokens that usually have them.
using DefaultRoles = std::vector<std::pair<const char*, AddedToken>>;

/// What stands beside the vocabulary, whichever files that is kept in; to be called when the normaliser and the model
/// are there. Tokens that were added later come first, then these roles where the vocabulary has their tokens, then
/// all special tokens that are named, new ones behind all others where the model has room for them.
///
/// settled: those of which nothing more is to be said, by content; of a token that is named twice the first counts.
void add_special_tokens(Tokenizer::Pipeline& pipeline, const TokenizerFolder& folder, const DefaultRoles& defaults = {},
                        std::map<std::string, TokenId> settled = {});

}  // namespace attn::text
