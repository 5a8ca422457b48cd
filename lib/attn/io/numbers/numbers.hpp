#pragma once
// Numbers as text and back, independent of the locale: the only definition of what counts as a number.

#include <attn/core/tensor.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

namespace attn::io {

/// Reads all of `text` as one number; blanks around it and a leading plus are allowed, inf and nan are numbers.
/// Overflow becomes infinity and underflow zero, as IEEE 754 rounds. False if the text is not a number of type T.
/// T is double, float, or any fixed-width integer, which must be in range.
template <class T>
bool parse_number(std::string_view text, T& value) noexcept;

/// Would parse_number read this as a double?
bool is_number(std::string_view text) noexcept;
/// Is the text NaN?
bool is_nan(std::string_view text) noexcept;

/// A whole number as written, without point and exponent; not -0, whose sign no integer has.
struct WholeNumber {
  bool fits_i64, fits_u64;  ///< at least one of them does
  bool fits_f64;            ///< exactly
};
/// None for any other text.
std::optional<WholeNumber> parse_whole_number(std::string_view text) noexcept;

/// Is a double exactly this number? All up to 2^53 are, and some beyond.
bool fits_f64(std::uint64_t number) noexcept;
bool fits_f64(std::int64_t number) noexcept;

/// `text` without blanks and tabs at its ends.
std::string_view trimmed(std::string_view text) noexcept;

constexpr std::size_t longest_number = 400;  ///< more than any double needs

/// Writes the shortest text that reads back as the same bits of T, or `precision` significant digits, into a buffer of
/// longest_number characters, and returns its end.
template <class T>
char* write_number(char* at, T value, int precision = 0) {
  char* const end = at + longest_number;
  if constexpr (std::is_same_v<T, Float16> || std::is_same_v<T, BFloat16>) {
    return write_number(at, to_float(value), precision);
  } else if constexpr (std::is_same_v<T, Boolean>) {
    *at = value.value != 0 ? '1' : '0';
    return at + 1;
  } else if constexpr (std::is_floating_point_v<T>) {
    // The sign of NaN has no meaning and varies between processors.
    if (std::isnan(value)) return std::copy_n("nan", 3, at);
    if (precision > 0) return std::to_chars(at, end, value, std::chars_format::general, precision).ptr;
    return std::to_chars(at, end, value).ptr;
  } else {
    return std::to_chars(at, end, value).ptr;
  }
}

}  // namespace attn::io
