#include "cli/printable.hpp"

#include <attn/core/characters.hpp>

#include <algorithm>

namespace cli {

std::string printable(std::string_view text) {
  constexpr char digits[] = "0123456789abcdef";
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0, good; i < text.size();) {
    const std::size_t length = attn::utf8_length(text, i, good);
    const auto byte = static_cast<unsigned char>(text[i]);
    // Terminals also obey the control characters U+0080 to U+009F.
    const bool is_second = length == 2 && byte == 0xC2 && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    if (length > 0 && byte >= 0x20 && byte != 0x7F && !is_second) {
      out.append(text, i, length);
      i += length;
      continue;
    }
    if (byte == '\n')
      out += "\\n";
    else if (byte == '\t')
      out += "\\t";
    else
      out.append({'\\', 'x', digits[byte >> 4], digits[byte & 15]});
    ++i;  // the rest of an invalid sequence is escaped byte by byte
  }
  return out;
}

// Control characters are octal numbers in $'...', which POSIX 2024 requires of shells.
std::string shell_quoted(const std::string& word) {
  constexpr const char* plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
  if (std::none_of(word.begin(), word.end(), is_control)) {
    std::string quoted = "'";
    for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
  }
  std::string quoted = "$'";
  for (const char c : word) {
    if (c == '\n')
      quoted += "\\n";
    else if (is_control(static_cast<unsigned char>(c)))
      quoted +=
          {'\\', static_cast<char>('0' + c / 64), static_cast<char>('0' + c / 8 % 8), static_cast<char>('0' + c % 8)};
    else
      quoted += (c == '\'' || c == '\\' ? "\\" : "") + std::string(1, c);
  }
  return quoted + "'";
}

}  // namespace cli
