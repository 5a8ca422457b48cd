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

}  // namespace

ModelPtr read_model(const JsonNode& node) {
  const std::string type = node.at("type").string();
  if (type == "WordLevel")
    return node.within(
        [&] { return word_level_model(read_vocabulary(node.at("vocab")), node.string_or("unk_token", "<unk>")); });
  node.fail("the model \"" + type + "\" is not known");
}

}  // namespace attn::text
