#include "cli/numbers.hpp"

#include <attn/core/from_chars.hpp>
#include <attn/core/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace cli {
namespace {

using attn::Error;
using attn::ErrorKind;

Error not_a(std::string_view option, std::string_view word, const std::string& kind) {
  return Error(ErrorKind::usage, std::string(option), "'" + std::string(word) + "' is not " + kind);
}

/// std::from_chars over the whole word, a leading plus allowed; false when the word is anything else.
template <class T>
bool convert(std::string_view word, T& value, bool* is_beyond = nullptr) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  const char* end = word.data() + word.size();
  const auto [stop, error] = attn::from_chars(word.data(), end, value);
  if (is_beyond != nullptr) *is_beyond = error == std::errc::result_out_of_range && stop == end;
  return error == std::errc() && stop == end;
}

/// The whole word as a T. Throws Error(usage) for another word or a number out of range.
template <class T>
T parse(std::string_view option, std::string_view word) {
  const char* const kind = std::is_integral_v<T> ? "a whole number" : "a number";
  T value = 0;
  bool is_beyond = false;
  if (convert(word, value, &is_beyond)) return value;
  if (!is_beyond) throw not_a(option, word, std::is_unsigned_v<T> ? std::string(kind) + ", 0 or more" : kind);
  using Limits = std::numeric_limits<T>;
  throw not_a(option, word,
              std::is_integral_v<T> ? std::string(kind) + " from " + std::to_string(Limits::lowest()) + " to " +
                                          std::to_string(Limits::max())
                                    : std::string(kind) + " that f64 can hold");
}

}  // namespace

double parse_double(std::string_view option, std::string_view word) { return parse<double>(option, word); }

std::int64_t parse_int64(std::string_view option, std::string_view word) { return parse<std::int64_t>(option, word); }

std::size_t parse_size(std::string_view option, std::string_view word) { return parse<std::size_t>(option, word); }

std::size_t parse_bytes(std::string_view option, std::string_view word) {
  constexpr std::string_view units = "KMGT";
  std::string_view digits = word;
  double factor = 1;
  if (!digits.empty()) {
    const auto unit = units.find(static_cast<char>(digits.back() & ~0x20));
    if (unit != std::string_view::npos) {
      factor = std::exp2(10.0 * (1.0 + static_cast<double>(unit)));
      digits.remove_suffix(1);
    }
  }
  double count = 0;
  const bool is_size = convert(digits, count) && (count == 0 || count * factor >= 1) && count * factor <= 9e18;
  if (!is_size) throw not_a(option, word, "a size such as 512M or 1.5G");
  return static_cast<std::size_t>(count * factor);
}

std::optional<std::vector<double>> parse_numbers(std::string_view word) {
  std::vector<double> numbers;
  for (std::size_t from = 0; from <= word.size();) {
    const std::size_t comma = std::min(word.find(',', from), word.size());
    double value = 0;
    if (!convert(word.substr(from, comma - from), value)) return std::nullopt;
    numbers.push_back(value);
    from = comma + 1;
  }
  return numbers;
}

}  // namespace cli
