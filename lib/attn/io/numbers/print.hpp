#pragma once
// Numbers as text for tables, independent of the locale.

#include <attn/core/tensor.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <type_traits>

namespace attn::io {

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
