#pragma once
// Numbers as text, whatever the locale: the one place that says what counts as a number.

#include <cstdint>
#include <optional>
#include <string_view>

namespace attn::io {

/// Reads all of `text` as one number; blanks around it and a leading plus are allowed, inf and nan are numbers.
/// Too large becomes infinity and too small zero, as IEEE 754 rounds. False when the text is no number of type T.
/// T is double, float, or any fixed-width integer, which must be in range.
template <class T>
bool parse_number(std::string_view text, T& value) noexcept;

/// Would parse_number read this as a double?
bool is_number(std::string_view text) noexcept;
/// Is it NaN, as numbers are written?
bool is_nan(std::string_view text) noexcept;

/// A whole number as it is written, with neither point nor exponent; -0 is none, as no integer has its sign.
struct WholeNumber {
  bool fits_i64, fits_u64;  ///< at least one of them does
  bool fits_f64;            ///< exactly
};
/// None for text that is anything else.
std::optional<WholeNumber> parse_whole_number(std::string_view text) noexcept;

/// Is a double exactly this number? All up to 2^53 are, and some beyond.
bool fits_f64(std::uint64_t number) noexcept;
bool fits_f64(std::int64_t number) noexcept;

/// `text` without blanks and tabs at its ends.
std::string_view trimmed(std::string_view text) noexcept;

}  // namespace attn::io
