#include <attn/core/error.hpp>

#include <attn/core/characters.hpp>
#include <attn/core/from_chars.hpp>
#include <attn/core/tensor.hpp>

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <numeric>
#include <utility>

namespace attn {
namespace {

std::string one_line(const std::string& subject, const std::string& detail, const std::string& fix) {
  std::string line = subject;
  if (!line.empty() && !detail.empty()) line += ": ";
  line += detail;
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

/// For ASCII letters.
bool is_same_but_for_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

bool has(std::string_view text, std::string_view any) noexcept {
  return text.find_first_of(any) != std::string_view::npos;
}

/// 2021-03-01, 2021-03, 1/3/2021, 01.03.21, 12:30 and similar: groups of one, two or four digits.
bool is_date(std::string_view text) {
  std::size_t groups = 0, first = 0, at = 0;
  char mark = 0;
  while (at < text.size() && is_digit(text[at])) {
    const std::size_t begin = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    const std::size_t digits = at - begin;
    if (digits == 3 || digits > 4) return false;
    if (groups++ == 0) first = digits;
    if (groups == 3 || at == text.size() || (mark != 0 && text[at] != mark) || !has(text.substr(at, 1), "-/.:")) break;
    mark = text[at++];
  }
  return groups == 3 || (groups == 2 && (mark == ':' || (first == 4 && mark != '.')));
}

/// For text in a known form.
std::string known_way(std::string_view text) {
  const std::string_view digits = text.substr(std::min(text.find_first_not_of("+-"), text.size()));
  if (text.empty()) return {};
  if (is_foreign_missing(text)) return "write NA for a missing value, and give --missing omit or nan";
  for (const std::string_view minus : {"\u2212", "\u2013"})
    if (text.substr(0, minus.size()) == minus) return "write the minus sign as -";
  if (is_date(text)) return "turn dates into numbers first, such as days or seconds since a start";
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

bool is_foreign_missing(std::string_view text) noexcept {
  constexpr std::string_view known[] = {"NULL", "null", "None", "N/A", "n/a", "#N/A", "na", "?", "-", "--", "\\N"};
  return std::find(std::begin(known), std::end(known), text) != std::end(known);
}

bool is_truth(std::string_view text) {
  const std::string lower = lower_case(std::string(text.substr(0, 6)));
  return lower == "true" || lower == "false" || lower == "t" || lower == "f" || lower == "yes" || lower == "no";
}

bool is_nearly_number(std::string_view text) { return !known_way(text).empty(); }

std::string way_to_number(std::string_view text) {
  if (text.size() == 1 && is_truth(text)) return {};  // F may be a sex, T a base
  const std::size_t first = text.find_first_not_of("+-.");
  const bool begins_so = first != std::string_view::npos && is_digit(text[first]);
  const std::string known = known_way(text);
  return known.empty() && begins_so ? "leave out what is no part of the number" : known;
}

std::string shown_text(std::string_view text) { return "'" + std::string(text.substr(0, 40)) + "'"; }

std::string such_as(const TensorView& texts) {
  if (texts.dtype != DType::string || texts.size() == 0 || texts.data == nullptr) return {};
  return " such as " + shown_text(*static_cast<const std::string*>(texts.data));
}

Error text_for_numbers(const TensorView& x, const std::string& other_way) {
  const std::string example = such_as(x);
  std::string way = example.empty() ? "" : way_to_number(*static_cast<const std::string*>(x.data));
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
