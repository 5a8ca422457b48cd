#pragma once
// Byte fallback: tokens <0x00> ... <0xFF> for the bytes of characters that a vocabulary lacks.

#include <attn/text/models/vocabulary.hpp>

#include <array>
#include <optional>
#include <string_view>

namespace attn::text {

/// The byte tokens of a vocabulary. A text uses them if there is one for each of its bytes.
class ByteTokens {
 public:
  ByteTokens() { ids_.fill(none); }
  explicit ByteTokens(const Vocabulary& vocabulary);

  bool can_spell(std::string_view text) const noexcept;
  TokenId operator[](char byte) const noexcept { return ids_[static_cast<unsigned char>(byte)]; }

 private:
  static constexpr TokenId none = -1;
  std::array<TokenId, 256> ids_;
};

/// The byte of a token: <0x41> is A.
std::optional<unsigned char> byte_of_token(std::string_view token) noexcept;

}  // namespace attn::text
