#pragma once
// Which bytes are UTF-8.

#include <cstddef>
#include <string_view>

namespace attn {

/// Length of the valid UTF-8 sequence that begins at text[i] (no overlong forms, no surrogates, no more than 10FFFF); 0
/// where none does. `good` receives how many of its bytes could have begun one, at least 1.
inline std::size_t utf8_length(std::string_view text, std::size_t i, std::size_t& good) noexcept {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned lead = byte(i);
  good = 1;
  if (lead < 0x80) return 1;
  std::size_t length = 0;
  unsigned low = 0x80, high = 0xBF;  // what the second byte may be
  if (lead >= 0xC2 && lead <= 0xDF) {
    length = 2;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    length = 3;
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    length = 4;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
  } else {
    return 0;
  }
  for (std::size_t k = 1; k < length; ++k) {
    if (i + k >= text.size() || byte(i + k) < low || byte(i + k) > high) return 0;
    low = 0x80;
    high = 0xBF;
    ++good;
  }
  return length;
}

/// Where the first byte is that is no part of well-formed UTF-8: text.size() for none.
inline std::size_t utf8_size(std::string_view text) noexcept {
  std::size_t i = 0;
  for (std::size_t length, good; i < text.size(); i += length)
    if ((length = utf8_length(text, i, good)) == 0) break;
  return i;
}

}  // namespace attn
