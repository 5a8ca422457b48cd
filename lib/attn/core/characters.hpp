#pragma once
// Characters: names compared letter by letter (suffixes, formats, words of other programs) or in one form of Unicode,
// and validation of UTF-8.

#include <attn/core/export.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace ATTN_API attn {

/// The text with the letters A to Z made small, in every locale.
inline std::string lower_case(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

inline bool starts_with(std::string_view text, std::string_view start) noexcept {
  return text.substr(0, start.size()) == start;
}
inline bool ends_with(std::string_view text, std::string_view end) noexcept {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// Length of the valid UTF-8 sequence that begins at text[i] (no overlong forms, no surrogates, no more than 10FFFF); 0
/// if there is none. `good` receives the number of bytes that could begin such a sequence, at least 1.
inline std::size_t utf8_length(std::string_view text, std::size_t i, std::size_t& good) noexcept {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned lead = byte(i);
  good = 1;
  if (lead < 0x80) return 1;
  std::size_t length = 0;
  unsigned low = 0x80, high = 0xBF;  // range of the second byte
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

/// An index up to which the bytes from text[i] on are ASCII, without a check of the last seven bytes of the text.
inline std::size_t skip_ascii(std::string_view text, std::size_t i) noexcept {
  while (i + 8 <= text.size()) {
    std::uint64_t eight;
    std::memcpy(&eight, text.data() + i, 8);
    if (eight & 0x8080808080808080u) break;
    i += 8;
  }
  return i;
}

inline bool is_ascii(std::string_view text) noexcept {
  for (std::size_t i = skip_ascii(text, 0); i < text.size(); ++i)
    if (static_cast<unsigned char>(text[i]) >= 0x80) return false;
  return true;
}

/// The index of the first byte that is invalid UTF-8; none if all are valid.
inline std::optional<std::size_t> find_invalid_utf8(std::string_view text) noexcept {
  for (std::size_t i = skip_ascii(text, 0), good; i < text.size();) {
    const std::size_t length = utf8_length(text, i, good);
    if (length == 0) return i;
    i += length;
    if (length == 1) i = skip_ascii(text, i);
  }
  return std::nullopt;
}

/// The text in Unicode's form NFC, in which names are compared: an accent may be a character of its own or part of its
/// letter, as the program that wrote it has it. Text that is not UTF-8 stays as it is.
std::string composed(std::string_view text);

/// Are they the same in that form? Only letters beyond ASCII have several.
inline bool is_same_name(std::string_view a, std::string_view b) {
  return a == b || (!is_ascii(b) && !is_ascii(a) && composed(a) == composed(b));
}

}  // namespace attn
