#pragma once
// Cells of a table as numbers, with a fast path for plain numbers.

#include <attn/core/dtype.hpp>
#include <attn/io/numbers/decimal.hpp>
#include <attn/io/numbers/parse.hpp>

#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>
#include <type_traits>

namespace attn::io {

/// The type in which a cell is read: 16-bit floats are rounded once, from doubles.
template <class T>
using CellNumber = std::conditional_t<std::is_arithmetic_v<T>, T,
                                      std::conditional_t<std::is_same_v<T, Boolean>, std::int64_t, double>>;

/// Is this a value of T? A bool is 0 or 1.
template <class T>
bool is_value_of(CellNumber<T> number) noexcept {
  return !std::is_same_v<T, Boolean> || number == 0 || number == 1;
}

/// Doubles below this are exactly the whole number that was read, others perhaps a neighbour.
constexpr double exact_below = 9007199254740992.0;

/// May this element differ from its text, which begins with `first`: a rounded whole number, or 0 for -0?
template <class T>
bool may_change(CellNumber<T> number, char first) noexcept {
  if constexpr (std::is_same_v<T, double>) return number >= exact_below || number <= -exact_below;
  if constexpr (std::is_integral_v<CellNumber<T>>) return number == 0 && first == '-';
  return false;
}

template <class T>
T element_of(CellNumber<T> number) noexcept {
  if constexpr (std::is_same_v<T, Float16>)
    return to_float16(number);
  else if constexpr (std::is_same_v<T, BFloat16>)
    return to_bfloat16(number);
  else if constexpr (std::is_same_v<T, Boolean>)
    return {static_cast<std::uint8_t>(number != 0)};
  else
    return number;
}

/// The end of the number at `at`; `end` if std::from_chars does not read one.
template <class T>
const char* parse_by_library(const char* at, const char* end, T& value) noexcept {
  const auto result = std::from_chars(at, end, value);
  const bool is_number = result.ec == std::errc() && result.ptr[-1] != ')';  // nan(12) is not a number here
  return is_number ? result.ptr : end;
}

/// The same, if read_decimal() has the room that it needs. Always inlined: as a call, a number takes a quarter more
/// time on Golden Cove (bench-io text).
template <class T>
__attribute__((always_inline)) inline const char* parse_plain_cell(const char* at, const char* end, T& value) noexcept {
  if constexpr (std::is_floating_point_v<T>) {
    const char* const behind = read_decimal(at, value);
    if (behind != nullptr) return behind;
  }
  return parse_by_library(at, end, value);
}

/// A whole number with a point or an exponent, such as 3.0 or 1e3, that is exact in double.
template <class T>
bool parse_whole(std::string_view text, T& value) noexcept {
  double wide = 0;
  if (!parse_number(text, wide) || std::trunc(wide) != wide || std::abs(wide) >= exact_below) return false;
  if (wide < static_cast<double>(std::numeric_limits<T>::min()) ||
      wide > static_cast<double>(std::numeric_limits<T>::max()))
    return false;
  value = static_cast<T>(wide);
  return true;
}

}  // namespace attn::io
