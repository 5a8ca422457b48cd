#pragma once
// Numbers on the command line: whole words, the same in every locale.

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

/// The shortest text that reads back as the same number.
std::string to_text(double value);

}  // namespace cli
