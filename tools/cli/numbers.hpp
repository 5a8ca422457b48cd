#pragma once
// Numbers on the command line and in lines of text: whole words, the same in every locale.

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

/// Each throws Error(usage) that names the option and the word: "--base: 'x' is not a number".
double parse_double(std::string_view option, std::string_view word);
std::int64_t parse_int64(std::string_view option, std::string_view word);
std::size_t parse_size(std::string_view option, std::string_view word);
/// Bytes: 0, or a number with K, M, G or T (powers of 1024) after it: "512M", "1.5G".
std::size_t parse_bytes(std::string_view option, std::string_view word);

/// Comma-separated numbers, "1,0.5"; none for any other text.
std::optional<std::vector<double>> parse_numbers(std::string_view word);

/// x, a float or a double, with `digits` significant digits; 0: the fewest that read back as x.
template <class T>
std::string number_text(T x, int digits) {
  char text[32];
  const auto end = digits > 0 ? std::to_chars(text, text + sizeof text, x, std::chars_format::general, digits)
                              : std::to_chars(text, text + sizeof text, x);
  return {text, end.ptr};
}

/// The shortest text that reads back as the same number.
inline std::string to_text(double value) { return number_text(value, 0); }

}  // namespace cli
