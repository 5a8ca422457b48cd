#include <attn/io/literal/range.hpp>

#include <attn/io/numbers/parse.hpp>
#include <attn/io/numbers/print.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <vector>

namespace attn::io {
namespace {

std::string text_of(double x) {
  char buffer[longest_number];
  return {buffer, write_number(buffer, x)};
}

/// The number in units of 10^-digits; none unless that is exactly it.
std::optional<std::int64_t> in_units(double x, int digits) {
  const double unit = std::pow(10.0, digits), count = std::round(x * unit);
  constexpr double largest = 9007199254740992.0;  // 2^53: counts are exact
  if (!(std::abs(count) <= largest) || count / unit != x) return std::nullopt;
  return static_cast<std::int64_t>(count);
}

/// The literal from `first` by `step` up to `last`, or short of it where that end is open. In decimals, so that steps
/// of 0.1 are counted as they are written. Empty where the step leads elsewhere, or numbers have too many digits.
std::string linspace_of(double first, double last, double step, bool is_open) {
  constexpr int most_digits = 15;
  for (int digits = 0; digits <= most_digits; ++digits) {
    const auto a = in_units(first, digits), b = in_units(last, digits), s = in_units(step, digits);
    if (!a || !b || !s) continue;
    const std::int64_t span = *b - *a;
    if (*s == 0 || span / *s < 0 || (span != 0 && (span < 0) != (*s < 0))) return {};
    std::int64_t steps = span / *s;
    if (steps == 0 && span != 0) return {};  // 0.1:0.9 by the step 1 that is meant by none
    if (is_open && steps * *s == span) --steps;
    constexpr std::int64_t most = std::int64_t{1} << 27;  // of a literal
    if (steps < 0 || steps >= most) return {};
    const double end = static_cast<double>(*a + steps * *s) / std::pow(10.0, digits);
    return "linspace=" + text_of(first) + "," + text_of(end) + "," + std::to_string(steps + 1);
  }
  return {};
}

/// first:last:step as slices have it, or first:step:last as Octave has it: the shorter step, where both lead there.
std::string of_colons(double first, double second, double third) {
  const bool is_slice = std::abs(third) <= std::abs(second - first) && (third < 0) == (second < first),
             is_octave = std::abs(second) <= std::abs(third - first) && (second < 0) == (third < first);
  if (is_slice && (!is_octave || std::abs(third) <= std::abs(second))) return linspace_of(first, second, third, false);
  return linspace_of(first, third, second, false);
}

/// The numbers between commas, colons or pairs of dots, names of arguments ("by=0.1") left out; empty where there is
/// anything else.
std::vector<double> numbers_of(std::string text, std::string_view separator) {
  std::vector<double> numbers;
  for (std::size_t end = 0; end != std::string::npos;) {
    end = text.find(separator);
    std::string word = text.substr(0, end);
    word.erase(0, word.find('=') + 1);  // nothing where there is none
    double number = 0;
    if (!parse_number(trimmed(word), number) || !std::isfinite(number)) return {};
    numbers.push_back(number);
    if (end != std::string::npos) text.erase(0, end + separator.size());
  }
  return numbers;
}

/// "seq(0,5)", "np.arange(0,5,0.1)" ...
std::string of_call(std::string_view name, const std::string& arguments) {
  std::vector<double> numbers = numbers_of(arguments, ",");
  if (numbers.empty()) return {};
  const bool has_count = name == "linspace" || arguments.find("length") != std::string::npos;
  if (has_count)
    return numbers.size() != 3 ? ""
                               : "linspace=" + text_of(numbers[0]) + "," + text_of(numbers[1]) + "," +
                                     std::to_string(static_cast<std::int64_t>(numbers[2]));
  const bool is_open = name != "seq";
  if (numbers.size() == 1) numbers.insert(numbers.begin(), is_open ? 0 : 1);
  if (numbers.size() == 2) numbers.push_back(numbers[1] < numbers[0] && !is_open ? -1 : 1);
  return numbers.size() == 3 ? linspace_of(numbers[0], numbers[1], numbers[2], is_open) : "";
}

}  // namespace

std::string range_hint(std::string_view text) {
  std::string literal;
  const std::size_t bracket = text.find('(');
  if (bracket != std::string_view::npos && text.back() == ')') {
    std::string_view name = text.substr(0, bracket);
    name.remove_prefix(name.rfind('.') + 1);
    if (name != "seq" && name != "range" && name != "arange" && name != "linspace") return {};
    literal = of_call(name, std::string(text.substr(bracket + 1, text.size() - bracket - 2)));
  } else {
    std::string plain(text);
    plain.erase(std::remove_if(plain.begin(), plain.end(), [](char c) { return c == '{' || c == '}'; }), plain.end());
    std::vector<double> numbers = numbers_of(plain, ":");
    const bool has_colon = numbers.size() == 2;
    if (numbers.size() < 2) numbers = numbers_of(plain, "..");
    if (numbers.size() < 2) {
      numbers = numbers_of(plain, "-");
      if (numbers.size() != 2 || numbers[1] <= numbers[0]) return {};
    }
    if (numbers.size() != 2 && numbers.size() != 3) return {};
    if (numbers.size() == 3) {
      literal = of_colons(numbers[0], numbers[1], numbers[2]);
    } else {
      const double step = numbers[1] < numbers[0] ? -1 : 1;
      literal = linspace_of(numbers[0], numbers[1], step, false);
      // With the end as R and Octave have it, or without as Python does.
      const bool are_whole = std::floor(numbers[0]) == numbers[0] && std::floor(numbers[1]) == numbers[1];
      const std::string open = has_colon && are_whole ? linspace_of(numbers[0], numbers[1], step, true) : "";
      if (!literal.empty() && !open.empty()) return "did you mean " + literal + ", or without the end " + open + "?";
    }
  }
  return literal.empty() ? "write a range as linspace=FIRST,LAST,COUNT" : "did you mean " + literal + "?";
}

}  // namespace attn::io
