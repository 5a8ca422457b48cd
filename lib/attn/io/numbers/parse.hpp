#pragma once
// Numbers as text, independent of the locale: the only definition of what counts as a number.

#include <cstdint>
#include <optional>
#include <string_view>

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

}  // namespace attn::io
