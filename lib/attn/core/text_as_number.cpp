#include <attn/core/ascii.hpp>
#include <attn/core/text_as_number.hpp>

#include <algorithm>
#include <charconv>
#include <iterator>

namespace attn {
namespace {

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

bool is_truth(std::string_view text) {
  const std::string lower = lower_case(std::string(text.substr(0, 6)));
  return lower == "true" || lower == "false" || lower == "t" || lower == "f" || lower == "yes" || lower == "no";
}

}  // namespace

bool is_foreign_missing(std::string_view text) noexcept {
  constexpr std::string_view known[] = {"NULL", "null", "None", "N/A", "n/a", "#N/A", "na", "?", "-", "--", "\\N"};
  return std::find(std::begin(known), std::end(known), text) != std::end(known);
}

namespace {

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

}  // namespace

bool is_nearly_number(std::string_view text) { return !known_way(text).empty(); }

std::string way_to_number(std::string_view text) {
  const std::size_t first = text.find_first_not_of("+-.");
  const bool begins_so = first != std::string_view::npos && is_digit(text[first]);
  const std::string known = known_way(text);
  return known.empty() && begins_so ? "leave out what is no part of the number" : known;
}

namespace {

bool is_plain_number(const std::string& text) {
  double value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  return result.ec == std::errc() && result.ptr == text.data() + text.size();
}

}  // namespace

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

}  // namespace attn
