#pragma once
// What stands beside the vocabulary in a model's folder and says how it is meant.

#include <attn/core/json_node.hpp>
#include <attn/text/pipeline.hpp>

#include <functional>
#include <initializer_list>
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

  /// A special token: "</s>" or {"content": "</s>", ...}; the default where it is not named.
  std::string special(const std::string& role, const std::string& otherwise) const;
  /// All that a role names.
  std::vector<std::string> all_special() const;

  /// Has the model's table rows for so many more tokens than the tokenizer knows? Without config.json it may.
  bool has_room(const Tokenizer::Pipeline& pipeline, std::size_t more) const;

  /// Hands over the tokens that were added later: added_tokens.json, or "added_tokens_decoder" with their properties.
  void each_later_token(const std::function<void(const AddedToken&)>& add) const;
};

AddedToken special_token(TokenId id, std::string content);

/// Special tokens by role, where the vocabulary has them. mask_takes_space: also the white space in front of the mask.
void add_specials(Tokenizer::Pipeline& pipeline, const TokenizerFolder& folder,
                  std::initializer_list<std::pair<const char*, const char*>> roles, bool mask_takes_space = false);

/// Special tokens that a role names and tokenizer.json does not, behind all others where the model has room for them.
void add_named_specials(Tokenizer::Pipeline& pipeline, const TokenizerFolder& folder);

}  // namespace attn::text
