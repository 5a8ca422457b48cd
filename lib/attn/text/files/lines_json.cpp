#include <attn/json/node.hpp>
#include <attn/text/files/lines_json.hpp>

#include <nlohmann/json.hpp>

namespace attn::text {

TextInput text_from_json(std::string_view line) {
  const JsonNode node(line, "JSON");
  if (node.is_string()) return {node.string(), std::nullopt};
  if (node.is_object()) {
    TextInput input{node.at("text").string(), std::nullopt};
    if (const auto pair = node.find("pair")) input.second = pair->string();
    return input;
  }
  if (!node.is_array() || node.size() != 2)
    node.fail("expected a string, two strings in brackets, or an object with \"text\" and \"pair\"");
  return {node[0].string(), node[1].string()};
}

std::vector<TokenId> ids_from_json(std::string_view line) {
  const JsonNode root(line, "JSON");
  const JsonNode list = root.is_object() ? root.at("ids") : root;
  std::vector<TokenId> ids;
  for (std::size_t i = 0; i < list.size(); ++i) ids.push_back(list[i].integer());
  return ids;
}

std::string encoding_to_json(const Encoding& encoding, const TextInput& input, const Tokenizer& tokenizer, bool offsets,
                             bool with_text) {
  std::vector<int> special;
  for (const Origin origin : encoding.origins) special.push_back(origin == Origin::added ? 1 : 0);
  nlohmann::ordered_json out{{"ids", encoding.ids},
                             {"tokens", tokenizer.tokens(encoding)},
                             {"type_ids", encoding.type_ids},
                             {"special_tokens_mask", std::move(special)}};
  if (with_text) out["text"] = input.first;
  if (offsets) {
    auto& spans = out["offsets"] = nlohmann::ordered_json::array();
    for (const Span& span : in_code_points(encoding, input.first, input.second.value_or("")))
      spans.push_back({span.begin, span.end});
  }
  return out.dump();
}

std::string text_to_json(const std::string& text) { return nlohmann::json{{"text", text}}.dump(); }

}  // namespace attn::text
