#include <attn/text/models/byte_tokens.hpp>

#include <algorithm>
#include <string>

namespace attn::text {

ByteTokens::ByteTokens(const Vocabulary& vocabulary) {
  static constexpr char digits[] = "0123456789ABCDEF";
  for (unsigned byte = 0; byte < 256; ++byte)
    ids_[byte] = vocabulary.find(std::string("<0x") + digits[byte >> 4] + digits[byte & 15] + ">").value_or(none);
}

bool ByteTokens::can_spell(std::string_view text) const noexcept {
  return std::all_of(text.begin(), text.end(), [&](char byte) { return (*this)[byte] != none; });
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
