#include <attn/io/numbers/numbers.hpp>

#include <attn/core/from_chars.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace attn::io {
namespace {

/// Decimal exponent of the first digit that is not zero: from_chars reports "out of range" for both ends of the range.
bool is_large(std::string_view text) noexcept {
  const std::size_t mark = text.find_first_of("eE");
  const std::string_view digits = text.substr(0, mark);
  long exponent = 0;
  if (mark != std::string_view::npos) {
    std::string_view power = text.substr(mark + 1);
    if (!power.empty() && power.front() == '+') power.remove_prefix(1);
    if (from_chars(power.data(), power.data() + power.size(), exponent).ec != std::errc()) return power.front() != '-';
  }
  const std::size_t point = std::min(digits.find('.'), digits.size());
  const std::size_t first = digits.find_first_of("123456789");
  const long place =
      first < point ? static_cast<long>(point - first) : static_cast<long>(point) - static_cast<long>(first);
  return place + exponent > 0;
}

/// 1.0D+03 with an e, as Fortran's exponents mean the same; without a point it is a word, such as 1D2. Empty for all
/// else.
std::string_view without_fortran(std::string_view text, const char* mark, std::array<char, 40>& room) noexcept {
  const auto at = static_cast<std::size_t>(mark - text.data());
  if (at == text.size() || (*mark != 'D' && *mark != 'd') || text.size() > room.size()) return {};
  if (text.substr(0, at).find('.') == std::string_view::npos) return {};
  std::copy(text.begin(), text.end(), room.begin());
  room[at] = 'e';
  return {room.data(), text.size()};
}

}  // namespace

std::string_view trimmed(std::string_view text) noexcept {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

template <class T>
bool parse_number(std::string_view text, T& value) noexcept {
  text = trimmed(text);
  if (text.size() > 1 && text.front() == '+' && text[1] != '-' && text[1] != '+') text.remove_prefix(1);
  const char* end = text.data() + text.size();
  const auto result = from_chars(text.data(), end, value);
  // from_chars takes nan(12) too.
  if constexpr (std::is_floating_point_v<T>)
    if (std::array<char, 40> room; result.ec == std::errc())
      if (const std::string_view other = without_fortran(text, result.ptr, room); !other.empty())
        return parse_number(other, value);
  if (result.ptr != end || text.empty() || text.back() == ')') return false;
  if (result.ec == std::errc()) return true;
  if constexpr (std::is_floating_point_v<T>) {
    if (result.ec == std::errc::result_out_of_range) {
      const bool negative = text.front() == '-';
      const T magnitude = is_large(text.substr(negative ? 1 : 0)) ? std::numeric_limits<T>::infinity() : T(0);
      value = negative ? -magnitude : magnitude;
      return true;
    }
  }
  return false;
}

template bool parse_number(std::string_view, double&) noexcept;
template bool parse_number(std::string_view, float&) noexcept;
template bool parse_number(std::string_view, std::int64_t&) noexcept;
template bool parse_number(std::string_view, std::int32_t&) noexcept;
template bool parse_number(std::string_view, std::int16_t&) noexcept;
template bool parse_number(std::string_view, std::int8_t&) noexcept;
template bool parse_number(std::string_view, std::uint64_t&) noexcept;
template bool parse_number(std::string_view, std::uint32_t&) noexcept;
template bool parse_number(std::string_view, std::uint16_t&) noexcept;
template bool parse_number(std::string_view, std::uint8_t&) noexcept;

bool is_number(std::string_view text) noexcept {
  double value;
  return parse_number(text, value);
}

bool is_nan(std::string_view text) noexcept {
  double value;
  const bool may_be = text.find_first_of("nN") != std::string_view::npos;
  return may_be && parse_number(text, value) && std::isnan(value);
}

bool fits_f64(std::uint64_t number) noexcept {
  // A double has 53 bits, followed by any number of zeros.
  constexpr int bits = std::numeric_limits<double>::digits;
  while (number >> bits != 0 && number % 2 == 0) number /= 2;
  return number >> bits == 0;
}

bool fits_f64(std::int64_t number) noexcept {
  const auto magnitude = static_cast<std::uint64_t>(number);
  return fits_f64(number < 0 ? 0 - magnitude : magnitude);
}

std::optional<WholeNumber> parse_whole_number(std::string_view text) noexcept {
  std::int64_t with_sign = 0;
  if (parse_number(text, with_sign)) {
    if (with_sign == 0 && trimmed(text).front() == '-') return std::nullopt;
    return WholeNumber{true, with_sign >= 0, fits_f64(with_sign)};
  }
  std::uint64_t without = 0;
  if (parse_number(text, without)) return WholeNumber{false, true, fits_f64(without)};
  return std::nullopt;
}

}  // namespace attn::io
