#include <attn/io/number_text.hpp>
#include <attn/io/other_delimiter.hpp>

#include <algorithm>

namespace attn::io {
namespace {

/// The fields between delimiters; blanks, and tabs with them, count as one where several follow each other.
std::vector<std::string_view> fields_of(std::string_view text, char delimiter) {
  std::vector<std::string_view> fields;
  const bool is_blank = delimiter == ' ';
  if (is_blank) text = trimmed(text);
  for (;;) {
    const std::size_t end = is_blank ? text.find_first_of(" \t") : text.find(delimiter);
    fields.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return fields;
    text.remove_prefix(end + 1);
    if (is_blank) text = trimmed(text);
  }
}

bool are_numbers(const std::vector<std::string_view>& fields) {
  return fields.size() > 1 && std::all_of(fields.begin(), fields.end(), is_number);
}

}  // namespace

char delimiter_of_numbers(std::string_view text) {
  for (const char delimiter : {';', '\t', '|', ',', ' '})
    if (are_numbers(fields_of(text, delimiter))) return delimiter;
  return 0;
}

bool has_decimal_comma(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos || comma == 0 || comma + 1 == text.size()) return false;
  if (!is_digit(text[comma - 1]) || !is_digit(text[comma + 1])) return false;
  std::string number(text);
  number[comma] = '.';
  // Points before it stand between thousands: 1.000,5.
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
    const std::vector<std::string_view> fields = fields_of(cell.text, candidate.character);
    const bool is_first = candidate.is_number.empty();
    if (is_first) candidate.is_number.assign(fields.size(), true);
    candidate.is_number.resize(std::min(candidate.is_number.size(), fields.size()));
    for (std::size_t place = 0; place < candidate.is_number.size(); ++place)
      candidate.is_number[place] = candidate.is_number[place] && is_number(fields[place]);
    const auto numbers = std::count(candidate.is_number.begin(), candidate.is_number.end(), true);
    candidate.is_possible =
        !cell.quoted && fields.size() > 1 && numbers > 0 && (candidate.character != ' ' || are_numbers(fields));
  }
}

char OtherDelimiter::found() const noexcept {
  for (const Candidate& candidate : candidates_)
    if (candidate.is_possible && !candidate.is_number.empty()) return candidate.character;
  return 0;
}

}  // namespace attn::io
