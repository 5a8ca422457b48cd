#include <attn/io/numbers/parse.hpp>
#include <attn/io/table/delimiter_hint.hpp>

#include <algorithm>

namespace attn::io {
namespace {

/// The fields between delimiters, in sequence; several blanks, with tabs among them, count as one.
class Fields {
 public:
  Fields(std::string_view text, char delimiter) : rest_(text), delimiter_(delimiter), is_blank_(delimiter == ' ') {
    if (is_blank_) rest_ = trimmed(rest_);
  }

  bool next(std::string_view& field) {
    if (is_at_end_) return false;
    const std::size_t end = is_blank_ ? rest_.find_first_of(" \t") : rest_.find(delimiter_);
    field = rest_.substr(0, end);
    is_at_end_ = end == std::string_view::npos;
    if (!is_at_end_) rest_.remove_prefix(end + 1);
    if (is_blank_) rest_ = trimmed(rest_);
    return true;
  }

 private:
  std::string_view rest_;
  char delimiter_;
  bool is_blank_, is_at_end_ = false;
};

bool are_numbers(std::string_view text, char delimiter) {
  std::size_t count = 0;
  Fields fields(text, delimiter);
  for (std::string_view field; fields.next(field); ++count)
    if (!is_number(field)) return false;
  return count > 1;
}

}  // namespace

char delimiter_of_numbers(std::string_view text) {
  for (const char delimiter : {';', '\t', '|', ',', ' '})
    if (are_numbers(text, delimiter)) return delimiter;
  return 0;
}

bool has_decimal_comma(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos || comma == 0 || comma + 1 == text.size()) return false;
  if (!is_digit(text[comma - 1]) || !is_digit(text[comma + 1])) return false;
  // Only characters of numbers: avoids copying a long text.
  if (text.find_first_not_of("0123456789.,+-eE \t") != std::string_view::npos) return false;
  std::string number(text);
  number[comma] = '.';
  // Points before it separate thousands: 1.000,5.
  const std::size_t first = text.find('.');
  for (std::size_t point = comma; first < comma && point > first;) {
    if (point < first + 4 || text[point - 4] != '.') return false;
    number.erase(point -= 4, 1);
  }
  return is_number(number);
}

std::string shown_delimiter(char delimiter) { return delimiter == '\t' ? "'\\t'" : std::string("'") + delimiter + "'"; }

void OtherDelimiter::see(const Cell& cell) {
  if (cell.is_missing() && !cell.quoted) return;
  for (Candidate& candidate : candidates_) {
    if (!candidate.is_possible) continue;
    if (cell.quoted) {
      candidate.is_possible = false;
      continue;
    }
    const bool is_first = candidate.is_number.empty();
    std::size_t count = 0, numbers = 0;
    Fields fields(cell.text, candidate.character);
    for (std::string_view field; fields.next(field); ++count) {
      if (is_first) candidate.is_number.push_back(true);
      if (count >= candidate.is_number.size()) continue;
      candidate.is_number[count] = candidate.is_number[count] && is_number(field);
      numbers += candidate.is_number[count] ? 1 : 0;
    }
    candidate.is_number.resize(std::min(candidate.is_number.size(), count));
    candidate.is_possible =
        count > 1 && numbers > 0 && (candidate.character != ' ' || are_numbers(cell.text, candidate.character));
  }
}

char OtherDelimiter::found() const noexcept {
  for (const Candidate& candidate : candidates_)
    if (candidate.is_possible && !candidate.is_number.empty()) return candidate.character;
  return 0;
}

}  // namespace attn::io
