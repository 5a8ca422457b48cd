#pragma once
// The files of a model's folder that describe the vocabulary.

#include <attn/json/node.hpp>
#include <attn/text/pipeline/pipeline.hpp>

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace attn::text {

/// The documents of a folder; any may be missing.
struct TokenizerFolder {
  const ReadFile& read;
  std::string name;
  JsonNode settings;  ///< tokenizer_config.json
  JsonNode specials;  ///< special_tokens_map.json, which overrides the others unless there is "added_tokens_decoder"
  JsonNode model;     ///< config.json

  TokenizerFolder(const ReadFile& reader, std::string folder);

  std::string file(const std::string& of) const { return name + "/" + of; }

  /// An object; empty if there is no such file.
  JsonNode document(const std::string& of) const;

  /// "berttokenizerfast bert": lower-case names of the family, of the class and the model; empty if none is named.
  std::string family() const;
  bool is(const std::string& word) const { return family().find(word) != std::string::npos; }
  /// The first of these words in family(), so that the class takes precedence over the model; empty if there is none.
  std::string first_of(std::initializer_list<const char*> words) const;

  /// A special token, "</s>" or {"content": "</s>", ...}, without its id; missing properties are those of `usual`.
  AddedToken special(const std::string& role, const AddedToken& usual) const;
  std::string special(const std::string& role, const std::string& otherwise) const;
  /// All special tokens in roles and lists, without their ids.
  std::vector<AddedToken> all_special() const;
  /// The tokens of {"extra_special_tokens": {"image_token": "<image>", ...}} in a document and its file, in order.
  std::vector<AddedToken> named_special(const JsonNode& names, const std::string& of) const;

  /// Does the model's embedding have rows for `more` tokens beyond those of the tokenizer? Assumed without config.json.
  bool has_room(const Tokenizer::Pipeline& pipeline, std::size_t more) const;

  /// Calls a function for each token that was added later: added_tokens.json, or "added_tokens_decoder" with
  /// properties.
  void each_later_token(const std::function<void(const AddedToken&)>& add) const;
};

AddedToken special_token(TokenId id, std::string content);

/// Roles with their usual tokens.
using DefaultRoles = std::vector<std::pair<const char*, AddedToken>>;

/// What counts where the settings give a token of the vocabulary another id: with tokenizer.json that of the
/// vocabulary, as in transformers.
enum class Numbers : std::uint8_t { settings, vocabulary };

/// Adds the special tokens of any kind of folder, after the normaliser and the model are set: first tokens that were
/// added later, then these roles if the vocabulary contains their tokens, then all named special tokens, new ones last
/// if the model has rows for them.
///
/// settled: tokens that are complete, by content; if a token is named twice, the first counts. Throws Error(data) for a
/// new token with the id of another one of the vocabulary, if that counts.
void add_special_tokens(Tokenizer::Pipeline& pipeline, const TokenizerFolder& folder, const DefaultRoles& defaults = {},
                        std::map<std::string, TokenId> settled = {}, Numbers by = Numbers::settings);

}  // namespace attn::text
