// The model of a tokenizer.json.

#include <attn/text/files/tokenizer_json_parts.hpp>

namespace attn::text {

namespace {

Vocabulary take_vocabulary(const JsonNode& node, ModelTables& tables) {
  node.at("vocab");
  if (tables.scored) node.at("vocab").fail("is a list, expected an object of tokens and ids");
  return std::move(tables.vocabulary);
}

ModelPtr read_bpe(const JsonNode& node, ModelTables& tables) {
  if (const auto dropout = node.find("dropout"); dropout && dropout->number() != 0)
    dropout->fail("is " + std::to_string(dropout->number()) + "; dropping merges by chance is for training, remove it");
  BpeOptions options;
  if (const auto token = node.find("unk_token")) options.unknown_token = token->string();
  options.continuing_prefix = node.text("continuing_subword_prefix", "");
  options.end_of_word_suffix = node.text("end_of_word_suffix", "");
  options.fuse_unknown = node.flag("fuse_unk", false);
  options.byte_fallback = node.flag("byte_fallback", false);
  options.ignore_merges = node.flag("ignore_merges", false);
  if (!tables.has_merges) node.fail("\"merges\" is missing, or not a list");
  return bpe_model(take_vocabulary(node, tables), tables.merges, options);
}

ModelPtr read_word_piece(const JsonNode& node, ModelTables& tables) {
  WordPieceOptions options;
  options.unknown_token = node.text("unk_token", options.unknown_token);
  options.continuing_prefix = node.text("continuing_subword_prefix", options.continuing_prefix);
  options.max_characters = static_cast<std::size_t>(node.integer("max_input_chars_per_word", 0, INT32_MAX, 100));
  return word_piece_model(take_vocabulary(node, tables), options);
}

ModelPtr read_unigram(const JsonNode& node, ModelTables& tables) {
  node.at("vocab");
  if (!tables.scored) node.at("vocab").fail("is not a list of tokens and scores");
  std::optional<TokenId> unknown;
  if (const auto id = node.find("unk_id")) unknown = id->integer();
  return unigram_model(std::move(tables.vocabulary), std::move(tables.scores), unknown,
                       node.flag("byte_fallback", false));
}

// Files of before 2021 do not name the model; its fields do.
std::string type_of(const JsonNode& node, const ModelTables& tables) {
  if (const auto type = node.find("type")) return type->string();
  if (tables.has_merges) return "BPE";
  if (tables.scored) return "Unigram";
  return node.find("max_input_chars_per_word") || node.find("continuing_subword_prefix") ? "WordPiece" : "WordLevel";
}

}  // namespace

ModelPtr read_model(const JsonNode& node, ModelTables& tables) {
  const std::string type = type_of(node, tables);
  return node.within([&] {
    if (type == "BPE") return read_bpe(node, tables);
    if (type == "Unigram") return read_unigram(node, tables);
    if (type == "WordLevel") return word_level_model(take_vocabulary(node, tables), node.text("unk_token", "<unk>"));
    if (type == "WordPiece") return read_word_piece(node, tables);
    node.fail("the model \"" + type + "\" is not known");
  });
}

}  // namespace attn::text
