#pragma once
// Lines of JSON, kept apart because the parser is heavy to compile.

#include <attn/text/lines.hpp>

namespace attn::text {

TextInput text_from_json(std::string_view line);
std::vector<TokenId> ids_from_json(std::string_view line);
std::string encoding_to_json(const Encoding& encoding, const TextInput& input, const Tokenizer& tokenizer, bool offsets,
                             bool with_text = false);
std::string text_to_json(const std::string& text);

}  // namespace attn::text
