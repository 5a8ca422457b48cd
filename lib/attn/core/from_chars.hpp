#pragma once
// Numbers in decimal where a standard library does not read them.

#include <attn/core/export.hpp>

#include <charconv>
#include <cmath>
#include <string_view>
#include <type_traits>
#include <version>
#ifndef __cpp_lib_to_chars
#include <fast_float/fast_float.h>
#endif

namespace ATTN_API attn {

#ifdef __cpp_lib_to_chars
using std::from_chars;
#else
/// std::from_chars, which libc++ has for whole numbers only (before version 20); fast_float reads the others.
template <class T>
std::from_chars_result from_chars(const char* begin, const char* end, T& value) noexcept {
  if constexpr (std::is_integral_v<T>) {
    return std::from_chars(begin, end, value);
  } else {
    T number = 0;
    const auto [stop, error] = fast_float::from_chars(begin, end, number);
    if (error != std::errc()) return {stop, error};
    // What is beyond the range of T became infinity or 0.
    const std::string_view text(begin, static_cast<std::size_t>(stop - begin));
    const bool is_beyond = std::isinf(number)
                               ? text.find_first_of("iI") == text.npos
                               : number == 0 && text.find_first_of("123456789") < text.find_first_of("eE");
    if (is_beyond) return {stop, std::errc::result_out_of_range};
    value = number;
    return {stop, std::errc()};
  }
}
#endif

}  // namespace attn
