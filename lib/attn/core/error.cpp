#include <attn/core/error.hpp>

#include <attn/core/characters.hpp>
#include <attn/core/date_forms.hpp>
#include <attn/core/from_chars.hpp>
#include <attn/core/tensor.hpp>

#include <poll.h>
#include <utf8proc.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <iterator>
#include <numeric>
#include <utility>

namespace attn {
namespace {

/// The start of a text, whole characters of it.
std::string shortened(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xc0u) == 0x80u) --most;
  return std::string(text.substr(0, most)) + "...";
}

/// Both ends of a text that is too long for a screen, such as an operand with thousands of columns.
std::string abridged(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t last = text.size() - most / 4;
  while ((static_cast<unsigned char>(text[last]) & 0xc0u) == 0x80u && last + 1 < text.size()) ++last;
  return shortened(text, most - most / 4) + text.substr(last);
}

std::string one_line(const std::string& subject, const std::string& detail, const std::string& fix) {
  constexpr std::size_t most_subject = 300, most_detail = 600;
  std::string line = abridged(subject, most_subject);
  if (!line.empty() && !detail.empty()) line += ": ";
  line += abridged(detail, most_detail);
  if (!fix.empty()) line += "; " + fix;
  return line;
}

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

/// "U+00A0"
std::string code_point(std::string_view character) {
  utf8proc_int32_t value = 0xFFFD;  // of bytes that are no character
  utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(character.data()),
                   static_cast<utf8proc_ssize_t>(character.size()), &value);
  char text[16];
  std::snprintf(text, sizeof text, "U+%04X", static_cast<unsigned>(value));
  return text;
}

bool has_part(std::string_view text, std::string_view part) noexcept {
  constexpr std::size_t shortest = 3;  // a word that says something
  return part.size() >= shortest && text.find(part) != text.npos;
}

/// For ASCII letters.
bool is_same_but_for_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

bool has(std::string_view text, std::string_view any) noexcept {
  return text.find_first_of(any) != std::string_view::npos;
}

/// 5:06, 05:06:07 and the like
bool is_clock(std::string_view text) {
  const std::size_t mark = text.find(':');
  return (mark == 1 || mark == 2) && text.find_first_not_of("0123456789") == mark &&
         std::min(text.find_first_not_of("0123456789", mark + 1), text.size()) == mark + 3;
}

/// For text in a known form.
std::string known_way(std::string_view text, const std::vector<std::string_view>& beside = {},
                      const std::string& operand = {}) {
  const std::string_view digits = text.substr(std::min(text.find_first_not_of("+-"), text.size()));
  if (text.empty()) return {};
  if (is_foreign_missing(text)) return "write NA for a missing value, and give --missing omit or nan";
  for (const std::string_view minus : {"\u2212", "\u2013"})
    if (text.substr(0, minus.size()) == minus) return "write the minus sign as -";
  std::vector<std::string_view> dates{text};
  dates.insert(dates.end(), beside.begin(), beside.end());
  if (std::string way = way_of_dates(dates, operand); !way.empty()) return way;
  if (is_clock(text)) return "turn times into numbers first, such as hours or seconds";
  if (is_truth(text)) return "write 1 for true and 0 for false";
  // As written by older C and Fortran.
  if (text.find("#IN") != text.npos || text.find("#Q") != text.npos) return "write inf, -inf or nan";
  if (const std::size_t mark = text.find_first_of("dD"); mark != text.npos && mark > 0 && mark + 1 < text.size() &&
                                                         text.find_first_not_of("0123456789+-.dD") == text.npos &&
                                                         is_digit(text.back()))
    return "write the exponent with e";
  if (digits.substr(0, 2) == "0x" || digits.substr(0, 2) == "0X") return "write it as a decimal number";
  if (text.back() == '%' && has(text, "0123456789")) return "leave out the percent sign";
  if (has(text, "$") || text.find("\u20ac") != text.npos || text.find("\u00a3") != text.npos)
    return "leave out the currency sign";
  if (digits.empty() || !(is_digit(digits.front()) || digits.front() == '.')) return {};
  if (!has(text, ",'_ ") || has(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")) return {};
  const std::size_t comma = text.rfind(',');
  const bool is_decimal = comma != std::string_view::npos && text.size() - comma != 4;
  return is_decimal ? "the decimal sign is a point"
                    : "leave out what separates thousands, and write the decimal sign as a point";
}

bool is_plain_number(const std::string& text) {
  double value = 0;
  const auto result = from_chars(text.data(), text.data() + text.size(), value);
  return result.ec == std::errc() && result.ptr == text.data() + text.size();
}

/// way_to_number() for the first of the texts of a column.
std::string way_to_numbers(const std::vector<std::string_view>& texts, const std::string& operand) {
  const std::string_view text = texts.front();
  if (text.size() == 1 && is_truth(text)) return {};  // F may be a sex, T a base
  std::vector<std::string_view> others;
  std::copy_if(texts.begin() + 1, texts.end(), std::back_inserter(others),
               [](std::string_view other) { return !is_missing(other) && !is_foreign_missing(other); });
  const std::size_t first = text.find_first_not_of("+-.");
  const bool begins_so = first != std::string_view::npos && is_digit(text[first]);
  const std::string known = known_way(text, others, operand);
  return known.empty() && begins_so ? "leave out what is no part of the number" : known;
}

}  // namespace

Error::Error(ErrorKind kind, std::string subject, std::string detail, std::string fix)
    : std::runtime_error(one_line(subject, detail, fix)),
      kind_(kind),
      subject_(std::move(subject)),
      detail_(std::move(detail)),
      fix_(std::move(fix)) {}

Error shape_error(std::string_view tensor, const Shape& actual, std::string_view expected, std::string fix) {
  return Error(ErrorKind::data, std::string(tensor),
               "has shape " + to_string(actual) + ", expected " + std::string(expected), std::move(fix));
}

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

std::string listed_near(std::string_view word, const std::vector<std::string>& names,
                        const std::function<std::string(std::size_t i)>& text) {
  constexpr std::size_t most = 12, fewer = 10, longest_name = 80, longest_compared = 200;
  std::vector<std::size_t> shown(names.size());
  std::iota(shown.begin(), shown.end(), std::size_t{0});
  if (names.size() > most && !word.empty()) {
    const std::string wanted = lower_case(composed(word.substr(0, longest_compared)));
    // A name that contains the word may be meant, however long it is.
    std::vector<std::pair<std::size_t, std::size_t>> ranks;
    for (const std::string& each : names) {
      const std::string name = lower_case(composed(each.substr(0, longest_compared)));
      const std::size_t distance = edit_distance(wanted, name, Swaps::one_edit);
      ranks.emplace_back(has_part(name, wanted) ? std::min<std::size_t>(distance, 2) : distance, distance);
    }
    std::stable_sort(shown.begin(), shown.end(), [&](std::size_t a, std::size_t b) { return ranks[a] < ranks[b]; });
  }
  if (names.size() > most) shown.resize(fewer);
  const std::string list = listed(shown, ", ", [&](std::size_t i) {
    return (text ? text(i) : shortened(names[i], longest_name)) + shown_difference(names[i], word);
  });
  return names.size() > most ? list + " and " + std::to_string(names.size() - fewer) + " more" : list;
}

std::string shown_difference(std::string_view name, std::string_view other) {
  constexpr std::size_t near = 2, longest = 200;
  if (other.empty() || name.size() > longest || other.size() > longest) return {};
  const std::string a = composed(name), b = composed(other);
  if (a == b || edit_distance(a, b) > near) return {};
  const auto beyond = [](const std::string& text, const std::string& without) {
    std::string points;
    for (const std::string_view c : characters(text))
      if (static_cast<unsigned char>(c.front()) >= 0x80 && without.find(c) == without.npos)
        points += (points.empty() ? "" : ", ") + code_point(c);
    return points;
  };
  const std::string with = beyond(a, b), without = beyond(b, a);
  return !with.empty() ? " (with " + with + ")" : !without.empty() ? " (without " + without + ")" : "";
}

bool is_foreign_missing(std::string_view text) noexcept {
  constexpr std::string_view known[] = {"NULL", "null", "None", "N/A", "n/a", "#N/A",
                                        "na",   "NaT",  "?",    "-",   "--",  "\\N"};
  return std::find(std::begin(known), std::end(known), text) != std::end(known);
}

bool is_truth(std::string_view text) {
  const std::string lower = lower_case(std::string(text.substr(0, 6)));
  return lower == "true" || lower == "false" || lower == "t" || lower == "f" || lower == "yes" || lower == "no";
}

bool is_nearly_number(std::string_view text) { return !known_way(text).empty(); }

std::string way_to_number(std::string_view text, const std::string& operand) { return way_to_numbers({text}, operand); }

std::string shown_text(std::string_view text) { return "'" + shortened(text, 40) + "'"; }

std::string such_as(const TensorView& texts) {
  if (texts.dtype != DType::string || texts.size() == 0 || texts.data == nullptr) return {};
  return " such as " + shown_text(*static_cast<const std::string*>(texts.data));
}

Error text_for_numbers(const TensorView& x, const std::string& other_way) {
  const std::string example = such_as(x);
  // Several columns are no lines of one cell each.
  const bool is_column = x.rank() < 2 || x.shape.back() == 1;
  std::vector<std::string> texts;
  if (!example.empty()) texts = elements_of<std::string>(x);
  std::string way = example.empty() ? "" : way_to_numbers({texts.begin(), texts.end()}, is_column ? x.name : "");
  if (!example.empty() && is_plain_number(*static_cast<const std::string*>(x.data)))
    way = "numbers in quotes are text: write them without";
  if (way.empty()) way = "code words as numbers first, such as 0, 1, 2";
  return Error(ErrorKind::data, x.name, "has text" + example + ", expected numbers",
               other_way.empty() ? way : way + "; " + other_way);
}

bool is_to_be_repeated(int descriptor, short events) noexcept {
  const int why = errno;
  if (why != EAGAIN) return why == EINTR;
  pollfd ready{descriptor, events, 0};
  poll(&ready, 1, -1);
  errno = why;
  return true;
}

}  // namespace attn
