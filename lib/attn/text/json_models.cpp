// The model of a tokenizer.json.

#include <attn/text/json_components.hpp>

namespace attn::text {

namespace {

Vocabulary read_vocabulary(const JsonNode& node) {
  const auto& entries = node.expect_object().value();
  Vocabulary vocabulary;
  vocabulary.reserve(entries.size(), 8 * entries.size());
  for (const auto& [token, id] : entries.items()) {
    if (!id.is_number_integer()) node.fail("the id of \"" + token + "\" is not a whole number");
    node.within([&, &name = token, &number = id] { vocabulary.add(name, number.template get<std::int64_t>()); });
  }
  return vocabulary;
}

std::vector<Merge> read_merges(const JsonNode& node) {
  std::vector<Merge> merges;
  merges.reserve(node.size());
  for (std::size_t i = 0; i < node.size(); ++i) {
    const auto& merge = node.value()[i];
    if (merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string()) {
      merges.emplace_back(merge[0].get<std::string>(), merge[1].get<std::string>());
    } else if (merge.is_string()) {
      const auto& line = merge.get_ref<const std::string&>();
      const std::size_t space = line.find(' ');
      if (space == std::string::npos || line.find(' ', space + 1) != std::string::npos)
        node[i].fail("\"" + line + "\" is not two tokens with a space between");
      merges.emplace_back(line.substr(0, space), line.substr(space + 1));
    } else {
      node[i].fail("expected two tokens");
    }
  }
  return merges;
}

ModelPtr read_bpe(const JsonNode& node) {
  if (const auto dropout = node.find("dropout"); dropout && dropout->number() != 0)
    dropout->fail("is " + std::to_string(dropout->number()) + "; dropping merges by chance is for training, remove it");
  BpeOptions options;
  if (const auto token = node.find("unk_token")) options.unknown_token = token->string();
  options.continuing_prefix = node.string_or("continuing_subword_prefix", "");
  options.end_of_word_suffix = node.string_or("end_of_word_suffix", "");
  options.fuse_unknown = node.boolean_or("fuse_unk", false);
  options.byte_fallback = node.boolean_or("byte_fallback", false);
  options.ignore_merges = node.boolean_or("ignore_merges", false);
  return bpe_model(read_vocabulary(node.at("vocab")), read_merges(node.at("merges")), options);
}

ModelPtr read_word_piece(const JsonNode& node) {
  WordPieceOptions options;
  options.unknown_token = node.string_or("unk_token", options.unknown_token);
  options.continuing_prefix = node.string_or("continuing_subword_prefix", options.continuing_prefix);
  const std::int64_t longest = node.integer_or("max_input_chars_per_word", 100);
  if (longest < 0) node.at("max_input_chars_per_word").fail("is negative");
  options.max_characters = static_cast<std::size_t>(longest);
  return word_piece_model(read_vocabulary(node.at("vocab")), options);
}

ModelPtr read_unigram(const JsonNode& node) {
  const JsonNode list = node.at("vocab");
  Vocabulary vocabulary;
  vocabulary.reserve(list.size(), 8 * list.size());
  std::vector<double> scores;
  scores.reserve(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto& entry = list.value()[i];
    if (!entry.is_array() || entry.size() != 2 || !entry[0].is_string() || !entry[1].is_number())
      list[i].fail("expected a token and its score");
    list.within([&] { vocabulary.add(entry[0].get_ref<const std::string&>(), static_cast<TokenId>(i)); });
    scores.push_back(entry[1].get<double>());
  }
  std::optional<TokenId> unknown;
  if (const auto id = node.find("unk_id")) unknown = id->integer();
  return unigram_model(std::move(vocabulary), std::move(scores), unknown, node.boolean_or("byte_fallback", false));
}

// Files of before 2021 do not name the model; its fields do.
std::string type_of(const JsonNode& node) {
  if (const auto type = node.find("type")) return type->string();
  if (node.find("merges")) return "BPE";
  if (node.at("vocab").value().is_array()) return "Unigram";
  return node.find("max_input_chars_per_word") || node.find("continuing_subword_prefix") ? "WordPiece" : "WordLevel";
}

}  // namespace

ModelPtr read_model(const JsonNode& node) {
  const std::string type = type_of(node);
  return node.within([&] {
    if (type == "BPE") return read_bpe(node);
    if (type == "Unigram") return read_unigram(node);
    if (type == "WordLevel")
      return word_level_model(read_vocabulary(node.at("vocab")), node.string_or("unk_token", "<unk>"));
    if (type == "WordPiece") return read_word_piece(node);
    node.fail("the model \"" + type + "\" is not known");
  });
}

}  // namespace attn::text
