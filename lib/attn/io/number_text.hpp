#pragma once
// Numbers as text, whatever the locale: the one place that says what counts as a number.

#include <string_view>

namespace attn::io {

/// Reads all of `text` as one number; blanks around it and a leading plus are allowed, inf and nan are numbers.
/// Too large becomes infinity and too small zero, as IEEE 754 rounds. False when the text is no number of type T.
/// T is double, float, or any fixed-width integer, which must be in range.
template <class T>
bool parse_number(std::string_view text, T& value) noexcept;

/// Would parse_number read this as a double?
bool is_number(std::string_view text) noexcept;

/// `text` without blanks and tabs at its ends.
std::string_view trimmed(std::string_view text) noexcept;

}  // namespace attn::io
