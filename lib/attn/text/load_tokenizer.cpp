#include <attn/core/error.hpp>
#include <attn/text/tokenizer.hpp>

namespace attn::text {

Tokenizer load_tokenizer(const ReadFile& read, const std::string& folder) {
  if (const auto text = read("tokenizer.json")) return tokenizer_from_json(*text, folder + "/tokenizer.json");
  throw Error(ErrorKind::input, folder, "has no tokenizer.json");
}

}  // namespace attn::text
