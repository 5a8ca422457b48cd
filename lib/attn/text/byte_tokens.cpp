#include <attn/text/byte_tokens.hpp>

#include <string>

namespace attn::text {

std::vector<TokenId> byte_tokens(const Vocabulary& vocabulary) {
  static constexpr char digits[] = "0123456789ABCDEF";
  std::vector<TokenId> ids;
  for (unsigned byte = 0; byte < 256; ++byte) {
    const auto id = vocabulary.find(std::string("<0x") + digits[byte >> 4] + digits[byte & 15] + ">");
    if (!id) return {};
    ids.push_back(*id);
  }
  return ids;
}

std::optional<unsigned char> byte_of_token(std::string_view token) noexcept {
  if (token.size() != 6 || token.substr(0, 3) != "<0x" || token[5] != '>') return std::nullopt;
  int value = 0;
  for (const char c : token.substr(3, 2)) {
    const bool digit = c >= '0' && c <= '9', upper = c >= 'A' && c <= 'F', lower = c >= 'a' && c <= 'f';
    if (!digit && !upper && !lower) return std::nullopt;
    value = value * 16 + (digit ? c - '0' : upper ? c - 'A' + 10 : c - 'a' + 10);
  }
  return static_cast<unsigned char>(value);
}

}  // namespace attn::text
