#pragma once
// Unicode for tokenizers: UTF-8, character classes, case, normalisation forms. The tables are from utf8proc.

#include <attn/core/export.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ATTN_API attn {

namespace text {

/// One code point of valid UTF-8 and its number of bytes.
struct CodePoint {
  char32_t value;
  std::size_t length;
};

/// The code point at text[i]; text must be valid UTF-8 and i the first byte of a code point.
inline CodePoint code_point_at(std::string_view text, std::size_t i) noexcept {
  const auto byte = [&](std::size_t k) { return static_cast<char32_t>(static_cast<unsigned char>(text[i + k])); };
  const char32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  if (lead < 0xE0) return {(lead & 0x1F) << 6 | (byte(1) & 0x3F), 2};
  if (lead < 0xF0) return {(lead & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F), 3};
  return {(lead & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F), 4};
}

inline bool is_continuation_byte(char c) noexcept { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

void append_utf8(std::string& text, char32_t code_point);
std::string to_utf8(char32_t code_point);
std::size_t count_code_points(std::string_view valid) noexcept;

/// Replaces each maximal part of an invalid sequence by U+FFFD (Unicode standard, 3.9, substitution of maximal
/// subparts).
std::string replace_invalid_utf8(std::string_view text);

bool is_whitespace(char32_t c) noexcept;         ///< property White_Space
bool is_control(char32_t c) noexcept;            ///< categories Cc, Cf, Co, Cs of Unicode 8
bool is_punctuation(char32_t c) noexcept;        ///< categories P* of Unicode 8
bool is_ascii_punctuation(char32_t c) noexcept;  ///< the 32 of ASCII, symbols included
bool is_mark(char32_t c) noexcept;               ///< categories M*
bool is_nonspacing_mark(char32_t c) noexcept;    ///< category Mn of Unicode 8
bool is_numeric(char32_t c) noexcept;            ///< categories N*
bool is_word(char32_t c) noexcept;               ///< Unicode's \w: letters, marks, decimal digits, connectors (UTS 18)
bool is_cjk_ideograph(char32_t c) noexcept;      ///< the blocks that BERT separates by spaces

/// Lower case of one code point, at most two (U+0130).
void append_lowercase(std::u32string& out, char32_t c);

enum class Form { nfc, nfd, nfkc, nfkd };

/// May a code point be composed with the one before it, or swap places with it? Text is normalised in segments that
/// begin at code points for which this is false.
bool joins_previous(char32_t c, Form form) noexcept;
/// Is the normalisation form of this code point alone the code point itself?
bool stands_for_itself(char32_t c, Form form) noexcept;

/// The normalisation form of one segment. `sources[i]` is the index of the code point of `in` that out[i] comes from,
/// as in the tokenizers package: the first of composed code points; for marks that swap places, and for further code
/// points of a decomposition, the next unused one, or the last used one.
void normalize(const std::u32string& in, Form form, std::u32string& out, std::vector<std::size_t>& sources);

/// The width of a character in the cells of a terminal: 2 for wide letters (Chinese, Japanese, Korean, emoji), 0 for
/// accents that join the letter before, else 1.
std::size_t cells_of(char32_t code_point) noexcept;

}  // namespace text
}  // namespace attn
