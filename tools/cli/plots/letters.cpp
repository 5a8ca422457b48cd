#include "cli/plots/letters.hpp"

#include "cli/printable.hpp"

#include <attn/text/unicode.hpp>

#include <algorithm>

namespace cli {

std::vector<Letter> letters_of(const std::string& text) {
  const std::string plain = printable(text);
  std::vector<Letter> letters;
  for (std::size_t i = 0; i < plain.size();) {
    const attn::text::CodePoint next = attn::text::code_point_at(plain, i);
    const std::string bytes = plain.substr(i, next.length);
    const std::size_t width = attn::text::cells_of(next.value);
    if (width == 0 && !letters.empty())
      letters.back().text += bytes;
    else
      letters.push_back({bytes, std::max<std::size_t>(width, 1)});
    i += next.length;
  }
  return letters;
}

std::size_t width_of(const std::string& text) {
  std::size_t width = 0;
  for (const Letter& letter : letters_of(text)) width += letter.width;
  return width;
}

std::string shortened(const std::string& text, std::size_t most) {
  if (width_of(text) <= most) return printable(text);
  const std::vector<Letter> letters = letters_of(text);
  const std::size_t room = most > 1 ? most - 1 : 0;
  std::string beginning, end;
  std::size_t width = 0;
  for (auto letter = letters.begin(); (width += letter->width) <= room - room / 2; ++letter) beginning += letter->text;
  width = 0;
  for (auto letter = letters.rbegin(); (width += letter->width) <= room / 2; ++letter) end.insert(0, letter->text);
  return beginning + "…" + end;
}

std::vector<std::string> wrapped(const std::string& text, std::size_t most) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line;
    std::size_t width = 0;
    for (const Letter& letter : letters_of(text.substr(begin, end - begin))) {
      if (width + letter.width > most && !line.empty()) {
        const std::size_t blank = letter.text == " " ? line.size() : line.rfind(' ');
        std::string rest = blank == std::string::npos ? "" : line.substr(std::min(blank + 1, line.size()));
        lines.push_back(line.substr(0, blank));
        line = std::move(rest);
        width = width_of(line);
        if (letter.text == " ") continue;
      }
      line += letter.text;
      width += letter.width;
    }
    lines.push_back(line);
    begin = end + 1;
  }
  return lines;
}

}  // namespace cli
