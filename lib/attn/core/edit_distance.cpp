#include <attn/core/edit_distance.hpp>

#include <algorithm>
#include <numeric>

namespace attn {
namespace {

/// The start of the character after the one at `at`.
std::size_t next_character(std::string_view text, std::size_t at) {
  do ++at;
  while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0u) == 0x80u);
  return at;
}

std::vector<std::string_view> characters(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t next = next_character(text, at);
    parts.push_back(text.substr(at, next - at));
    at = next;
  }
  return parts;
}

/// For ASCII letters.
bool is_same_but_for_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace

std::size_t edit_distance(std::string_view a_text, std::string_view b_text, Swaps swaps) {
  const auto a = characters(a_text), b = characters(b_text);
  const bool count_swaps = swaps == Swaps::one_edit;
  // Rows i - 2, i - 1 and i of the distances between the first i and the first j characters.
  std::vector<std::size_t> before, above(b.size() + 1), row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(above);
    above = row;
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (count_swaps && i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row.back();
}

std::string nearest_word(std::string_view word, const std::vector<std::string>& known) {
  for (const std::string& name : known)
    if (is_same_but_for_case(word, name)) return name;
  std::string best;
  std::size_t least = std::max<std::size_t>(2, word.size() / 4) + 1;
  for (const std::string& name : known)
    if (const std::size_t distance = edit_distance(word, name, Swaps::one_edit);
        distance < std::min(least, (std::max(name.size(), word.size()) + 1) / 2)) {
      least = distance;
      best = name;
    }
  return best;
}

}  // namespace attn
