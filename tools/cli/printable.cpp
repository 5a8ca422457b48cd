#include "cli/printable.hpp"

#include <attn/core/utf8.hpp>

namespace cli {

std::string printable(std::string_view text) {
  constexpr char digits[] = "0123456789abcdef";
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0, good; i < text.size();) {
    const std::size_t length = attn::utf8_length(text, i, good);
    const auto byte = static_cast<unsigned char>(text[i]);
    // The second block of control characters, U+0080 to U+009F, which terminals obey as well.
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
    ++i;  // what is left of a sequence is escaped byte by byte
  }
  return out;
}

}  // namespace cli
