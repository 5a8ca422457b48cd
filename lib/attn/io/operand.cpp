#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/core/memory.hpp>
#include <attn/core/tensor.hpp>
#include <attn/io/dates.hpp>
#include <attn/io/numbers/date.hpp>
#include <attn/io/numbers/numbers.hpp>
#include <attn/io/operand.hpp>

#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn::io {
namespace {

constexpr std::string_view of_slabs = "0123456789:,- +";  // what a slab is written with
constexpr std::string_view separators = ":/['\"#@!?";     // between a file and what is in it, here and elsewhere

bool exists(std::string_view path) {
  struct stat status;
  return stat(std::string(path).c_str(), &status) == 0;
}

bool is_coordinate(std::string_view word) {
  double number = 0;
  return parse_number(word, number) || is_date(word);
}

/// "time=2000:2010", "lat=:30", "level=500" or "city=Oslo"; nothing for any other text. A colon may also be part of a
/// time of day, and one between words waits for the words that there are.
std::optional<CoordinateRange> range_of(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) return std::nullopt;
  const std::string name(text.substr(0, equals));
  const std::string_view value = text.substr(equals + 1);
  if (is_coordinate(value)) return CoordinateRange{name, std::string(value), {}, true};
  for (std::size_t colon = 0; (colon = value.find(':', colon)) != std::string_view::npos; ++colon) {
    const std::string_view first = value.substr(0, colon), last = value.substr(colon + 1);
    if ((first.empty() || is_coordinate(first)) && (last.empty() || is_coordinate(last)))
      return CoordinateRange{name, std::string(first), std::string(last), false};
  }
  return CoordinateRange{name, std::string(value), {}, true};
}

std::vector<CoordinateRange> ranges_of(std::string_view text) {
  std::vector<CoordinateRange> ranges;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    const std::optional<CoordinateRange> range = range_of(text.substr(at, comma - at));
    if (!range) return {};
    ranges.push_back(*range);
    at = comma + 1;
  }
  return ranges;
}

/// Takes a slab off the end of the text. Brackets with anything but a slab inside belong to a name; empty ones take
/// all, so that they can follow a name that ends in brackets.
void take_slab(std::string_view& text, Operand& operand) {
  if (text.empty() || text.back() != ']') return;
  const std::size_t open = text.rfind('[');
  if (open == std::string_view::npos) return;
  const std::string_view inside = text.substr(open + 1, text.size() - open - 2);
  operand.ranges = ranges_of(inside);
  if (operand.ranges.empty() && inside.find_first_not_of(of_slabs) != std::string_view::npos) return;
  if (operand.ranges.empty() && !inside.empty()) operand.slab = parse_slab(inside, operand.text);
  text = text.substr(0, open);
}

/// "https://..." and its like: letters, digits and "+" before "://".
bool is_url(std::string_view text) {
  const std::size_t scheme = text.find("://");
  return scheme > 1 && scheme < text.size() &&
         std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(scheme),
                     [](unsigned char c) { return std::isalnum(c) != 0 || c == '+'; });
}

/// End of the file name: the first ":/" after a name that exists, else the first ":/"; a URL has none.
std::size_t find_separator(std::string_view text) {
  for (std::size_t at = text.find(":/"); at != std::string_view::npos; at = text.find(":/", at + 1))
    if (text.substr(0, at) == "-" || exists(text.substr(0, at))) return at;
  return is_url(text) ? std::string_view::npos : text.find(":/");
}

bool is_file(std::string_view path) {
  struct stat status;
  return stat(std::string(path).c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

/// The file exists, and the rest names a part of it in another way: ":y", "::/y", "#y", "['y'][0]".
std::string hint_inside(const std::string& file, std::string_view rest) {
  if (rest.front() == '[' && rest.find('=') != std::string_view::npos)
    return "a part has numbers, dates or words, as in [0:3], [lat=-30:30], [time=2024-01-03] and [city=Oslo]";
  std::string part(rest);
  if (part.front() == '[' && part.find(']') != std::string::npos) part.erase(part.find(']'), 1);
  part.erase(std::remove_if(part.begin(), part.end(), [](char c) { return c == '\'' || c == '"'; }), part.end());
  part.erase(0, part.find_first_not_of(separators));
  part = without_slashes(part);
  if (part.empty()) return "did you mean " + file + "?";
  if (part.find(':') != std::string::npos && part.find_first_not_of(of_slabs) == std::string::npos)
    return "did you mean '" + file + "[" + part + "]'?";
  const bool needs_quotes = part.find('[') != std::string::npos;
  const std::string meant = file + ":/" + part;
  return "did you mean " + (needs_quotes ? "'" + meant + "'" : meant) + "?";
}

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

/// The linspace= for a range of numbers: "0:5:0.1" and "0:0.1:5", "0..5", "seq(0,5)", "np.arange(0,5,0.1)",
/// "linspace(0,5,51)"; a hint how to write it if its count is not clear; empty for other texts.
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

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

[[noreturn]] void refuse(std::string_view text, const std::string& detail, const std::string& fix = {}) {
  throw Error(ErrorKind::usage, "literal '" + std::string(text) + "'", detail, fix);
}

bool is_dtype_name(std::string_view name) {
  try {
    dtype_from_name(name);
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// Extents and dtype of "2x3xf32"; false when the text is no such thing.
bool parse_type(std::string_view text, Shape& shape, std::optional<DType>& dtype) {
  for (const std::string_view part : split(text, 'x')) {
    std::uint64_t extent = 0;
    const bool is_last = part.data() + part.size() == text.data() + text.size();
    if (is_last && is_dtype_name(part)) {
      dtype = dtype_from_name(part);
    } else if (!part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos &&
               parse_number(part, extent)) {
      shape.push_back(extent);
    } else {
      return false;
    }
  }
  return true;
}

bool parse_element(std::string_view text, std::string& value) {
  value = text;
  return true;
}
bool parse_element(std::string_view text, Boolean& value) {
  text = trimmed(text);
  if (text == "1" || text == "true") return value.value = 1, true;
  if (text == "0" || text == "false") return value.value = 0, true;
  return false;
}
template <class T>
bool parse_element(std::string_view text, T& value) {
  if constexpr (std::is_same_v<T, Float16> || std::is_same_v<T, BFloat16>) {
    double wide = 0;
    if (!parse_number(text, wide)) return false;
    if constexpr (std::is_same_v<T, Float16>)
      value = to_float16(wide);
    else
      value = to_bfloat16(wide);
    return true;
  } else {
    return parse_number(text, value);
  }
}

/// The dtype of elements without a given one: f64, or i64 or u64 for whole numbers that f64 would round, as in a column
/// of a table of text.
DType dtype_of_elements(std::string_view text, const std::vector<std::string_view>& words) {
  bool exceeds_f64 = false, fit_i64 = true, fit_u64 = true;
  for (const std::string_view word : words) {
    const std::optional<WholeNumber> number = parse_whole_number(word);
    exceeds_f64 |= number && !number->fits_f64;
    fit_i64 &= number && number->fits_i64;
    fit_u64 &= number && number->fits_u64;
  }
  if (!exceeds_f64) return DType::f64;
  if (!fit_i64 && !fit_u64)
    refuse(text, "mixes whole numbers that f64 would round with numbers that no integer type holds",
           "give a dtype, such as f64 to round them: " + std::to_string(words.size()) + "xf64=");
  return fit_i64 ? DType::i64 : DType::u64;
}

TensorView parse_elements(std::string_view text, std::string_view list, Shape shape, std::optional<DType> said,
                          bool has_shape) {
  const auto words = list.empty() && said != DType::string ? std::vector<std::string_view>{} : split(list, ',');
  const DType dtype = said ? *said : dtype_of_elements(text, words);
  if (!has_shape) shape = {words.size()};
  const std::size_t count = element_count(shape);
  const bool fills = words.size() == 1 && count != 1;
  if (!fills && words.size() != count)
    refuse(text, "has " + std::to_string(words.size()) + " elements, expected " + std::to_string(count) +
                     " for shape " + to_string(shape));
  Tensor elements(dtype, {words.size()});
  visit_dtype(dtype, [&](auto element) {
    auto* out = elements.data_as<decltype(element)>();
    for (std::size_t i = 0; i < words.size(); ++i)
      if (!parse_element(words[i], out[i]))
        refuse(text, "'" + std::string(words[i]) + "' is not a value of dtype " + std::string(name_of(dtype)),
               is_number(words[i]) ? "give a dtype that holds it, such as i64 or f64"
               : words[i].find('[') != std::string_view::npos
                   ? "a literal has no slab: write only the numbers that are needed"
                   : "");
  });
  const TensorView view = elements.view(std::string(text));
  return fills ? broadcast_to(view, shape) : reshaped(view, shape);
}

/// A number, or a date as its days.
bool parse_place(std::string_view word, double& place) {
  const std::optional<double> days = days_of_date(word);
  place = days.value_or(0);
  return days || parse_number(word, place);
}

TensorView parse_linspace(std::string_view text, std::string_view list) {
  const auto words = split(list, ',');
  double first = 0, last = 0;
  std::uint64_t count = 0;
  if (words.size() != 3 || !parse_place(words[0], first) || !parse_place(words[1], last) ||
      !parse_number(words[2], count))
    refuse(text, "cannot be read", "write it as linspace=FIRST,LAST,COUNT");
  if (days_of_date(words[0]).has_value() != days_of_date(words[1]).has_value())
    refuse(text, "ends in a date and a number", "write two dates, or two numbers");
  if (!std::isfinite(first) || !std::isfinite(last)) refuse(text, "has an end that is not finite");
  constexpr std::uint64_t most = std::uint64_t{1} << 27;  // 1 GiB: more is a slip of the finger
  if (count > most) refuse(text, "has more than " + std::to_string(most) + " numbers");
  memory_account().require(count * sizeof(double), "literal '" + std::string(text) + "'");
  Tensor points(DType::f64, {count});
  double* out = points.data_as<double>();
  const double gaps = static_cast<double>(std::max<std::uint64_t>(count, 2) - 1), span = last - first;
  for (std::size_t i = 0; i < count; ++i) {
    const double step = static_cast<double>(i);
    if (i + 1 == count && count > 1)
      out[i] = last;
    else if (std::isfinite(span * gaps))
      out[i] = first + span * step / gaps;  // the product first: whole numbers stay whole
    else
      out[i] = first * (1 - step / gaps) + last * (step / gaps);
  }
  return points.view(std::string(text));
}

/// The tensor of a literal, or none if the text does not have the form of one:
///
///     0.5                  a scalar, f64
///     2x2xf32=1,2,3,4      extents, dtype, elements in row-major order; one element fills the whole shape
///     i64=3,5  str=a,b     a vector as long as its elements
///     linspace=0,10,101    101 numbers from 0 to 10, both included, f64; dates are days since 1970-01-01
///
/// Throws Error(usage) for an impossible literal, Error(memory) for one beyond the limit of memory_account().
std::optional<TensorView> parse_literal(std::string_view text) {
  if (is_number(text)) return parse_elements(text, text, {}, std::nullopt, true);
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) return std::nullopt;
  const std::string_view type = text.substr(0, equals), list = text.substr(equals + 1);
  if (type == "linspace") return parse_linspace(text, list);
  Shape shape;
  std::optional<DType> dtype;
  if (!parse_type(type, shape, dtype)) return std::nullopt;
  return parse_elements(text, list, shape, dtype, !shape.empty());
}

std::vector<std::string> dtype_names() {
  std::vector<std::string> names;
  for (int dtype = 0; dtype <= static_cast<int>(DType::string); ++dtype)
    names.emplace_back(name_of(static_cast<DType>(dtype)));
  return names;
}

/// "'f99' is no dtype, ..." for extents before an unknown dtype; empty for other texts.
std::string unknown_dtype(std::string_view type) {
  const std::size_t last = type.find_last_of('x');
  Shape shape;
  std::optional<DType> dtype;
  if (last == std::string_view::npos || last + 1 == type.size() || !parse_type(type.substr(0, last), shape, dtype) ||
      dtype || is_digit(type[last + 1]))
    return {};
  return "'" + std::string(type.substr(last + 1)) + "' is no dtype; there are " + listed(dtype_names());
}

/// "2x2xf32" for "2x2f32", "2X2", "2xf23" ...: extents and a dtype that are almost there; empty where they are not.
std::string meant_type(std::string_view text) {
  std::string type;
  for (char c : text) {
    if (c == ' ') continue;
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
    if (c == '*') c = 'x';
    const bool begins_dtype = c >= 'a' && c <= 'z' && c != 'x' && !type.empty() && is_digit(type.back());
    if (begins_dtype) type += 'x';
    type += c;
  }
  const std::vector<std::string> dtypes = dtype_names();
  const std::size_t last = type.find_last_of('x') + 1;  // 0 if there is none
  const std::string word = type.substr(last), nearest = nearest_word(word, dtypes);
  constexpr std::size_t shortest = 3;  // shortest word for a suggestion
  if (word.size() >= shortest && edit_distance(word, nearest, Swaps::one_edit) == 1)
    type.replace(last, type.npos, nearest);
  return type;
}

bool is_nearly_linspace(std::string_view type) {
  return type != "logspace" && nearest_word(type, {"linspace"}) == "linspace";
}

/// The literal that was meant, which can be read; empty where it is not plain.
std::string meant_literal(std::string_view type, std::string_view list) {
  if (is_nearly_linspace(type)) {
    const std::string meant = "linspace=" + std::string(list);
    const auto words = split(list, ',');
    return words.size() == 3 && std::all_of(words.begin(), words.end(), is_number) ? meant : "";
  }
  const std::string meant = meant_type(type) + "=" + std::string(list);
  try {
    return parse_literal(meant) ? meant : "";
  } catch (const Error&) {
    return {};
  }
}

/// "3=1,2,3" for "1,2,3", "[1, 2, 3]", "c(1,2,3)" or "1 2 3", "2x2=1,2,3,4" for "[1 2; 3 4]" and "[[1,2],[3,4]]"; empty
/// where there is anything but numbers, where rows differ in length, and for lists nested deeper.
std::string listed_numbers(std::string_view text) {
  constexpr std::string_view opening = "[({", closing = "])}";
  if (const std::size_t first = text.find_first_of("[](){}"); first != 0 && first != text.npos) {
    const std::string_view name = text.substr(0, first), last = name.substr(name.rfind('.') + 1);
    if (last != "c" && last != "array" && last != "tensor") return {};
    text.remove_prefix(first);
    if (text.size() > 2 && opening.find(text[1]) != text.npos) text = text.substr(1, text.size() - 2);
  }
  std::string list;
  std::vector<std::size_t> row_ends;  // how many numbers there are up to there
  std::size_t depth = 0, deepest = 0;
  const auto end_row = [&] {
    const std::size_t numbers = split(list, ',').size() - (list.empty() || list.back() == ',' ? 1 : 0);
    if (row_ends.empty() || numbers > row_ends.back()) row_ends.push_back(numbers);
  };
  for (const char c : text) {
    const bool opens = opening.find(c) != opening.npos, closes = closing.find(c) != closing.npos;
    if (opens) deepest = std::max(deepest, ++depth);
    if (c == ';' || (closes && depth-- == 2)) end_row();
    if (c == ' ' || c == ',' || c == ';') {
      if (!list.empty() && list.back() != ',') list += ',';
    } else if (!opens && !closes) {
      list += c;
    }
  }
  end_row();
  if (!list.empty() && list.back() == ',') list.pop_back();
  const auto words = split(list, ',');
  const std::size_t rows = row_ends.size(), width = row_ends.front();
  if (depth != 0 || deepest > 2 || !std::all_of(words.begin(), words.end(), is_number)) return {};
  for (std::size_t row = 0; row < rows; ++row)
    if (row_ends[row] != (row + 1) * width) return {};
  return (rows > 1 || deepest == 2 ? std::to_string(rows) + "x" : "") + std::to_string(width) + "=" + list;
}

/// How to write a literal, if the text, which is not a file, looks like one: an error in its type, a range, or numbers
/// separated by commas, alone or after an equals sign; else empty.
std::string literal_hint(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) {
    if (const std::size_t colon = text.find(':'); is_nearly_linspace(text.substr(0, colon)))
      if (const std::string meant = meant_literal(text.substr(0, colon), text.substr(colon + 1)); !meant.empty())
        return "did you mean " + meant + "?";
    if (is_number(text.substr(0, text.rfind('['))))
      return "a literal has no slab: write only the numbers that are needed";
    if (const std::string range = range_hint(text); !range.empty()) return range;
    const std::string literal = listed_numbers(text);
    return literal.empty() ? "" : "did you mean " + literal + "?";
  }
  const std::string_view type = text.substr(0, equals), list = text.substr(equals + 1);
  if (const std::string meant = meant_literal(type, list); !meant.empty()) return "did you mean " + meant + "?";
  if (const std::string unknown = unknown_dtype(type); !unknown.empty()) return unknown;
  if (const std::string range = range_hint(text); !range.empty()) return range;  // seq(0,5,by=0.5)
  if (is_nearly_linspace(type)) return "write a range as linspace=FIRST,LAST,COUNT";
  if (type == "logspace" || type == "geomspace") return "write the numbers out, as in 3=1,10,100";
  // Other words than extents are no slips of a literal: knn=5, h=2.
  const bool are_extents = type.find_first_not_of("0123456789xX* ") == type.npos && type != "x";
  const std::string literal = are_extents ? listed_numbers(list) : "";
  if (literal.empty()) return {};
  return "a literal is written as " + literal + ", or with more extents and one element for all, as in 2x3=0";
}

}  // namespace

std::string operand_hint(std::string_view text) {
  if (text.substr(0, 7) == "file://") return "did you mean " + std::string(text.substr(7)) + "?";
  if (is_url(text)) return "only files are read: download it first, as with curl, and name the copy";
  if (text.substr(0, 1) == "~")
    return "the shell expands ~ only where a word begins: write $HOME" + std::string(text.substr(text.find('/')));
  for (std::size_t at = text.find_first_of(separators); at != std::string_view::npos;
       at = text.find_first_of(separators, at + 1))
    if (const std::string file(text.substr(0, at)); is_file(file)) return hint_inside(file, text.substr(at));
  const std::string literal = literal_hint(text);
  if (literal.empty() && text.find_first_of("*?") != std::string_view::npos)
    return "no file fits, or the pattern is in quotes, where the shell does not expand it";
  return literal;
}

bool has_no_file(const Operand& operand) {
  if (operand.literal || operand.is_standard_stream()) return false;
  struct stat status;
  return stat(operand.source.c_str(), &status) != 0 && (errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG);
}

std::string_view without_slashes(std::string_view path) noexcept {
  while (!path.empty() && path.front() == '/') path.remove_prefix(1);
  while (!path.empty() && path.back() == '/') path.remove_suffix(1);
  return path;
}

Operand parse_operand(std::string_view text) {
  if (text.empty()) throw Error(ErrorKind::usage, "operand", "is empty", "name a file, or - for a standard stream");
  if (text.find('\0') != std::string_view::npos) throw Error(ErrorKind::usage, "operand", "has a NUL byte in it");
  Operand operand;
  operand.text = text;
  if (text == "-" || exists(text)) {
    operand.source = text;
    return operand;
  }
  operand.literal = parse_literal(text);
  if (operand.literal) return operand;
  std::string_view name = text;
  take_slab(name, operand);
  if (operand.is_part() && ends_with(name, ":") && !exists(name)) name.remove_suffix(1);  // FILE:[SLAB]
  const std::size_t separator = exists(name) ? std::string_view::npos : find_separator(name);
  operand.source = name.substr(0, separator);
  if (separator != std::string_view::npos) operand.dataset = without_slashes(name.substr(separator + 1));
  if (operand.source.empty()) {
    const std::string meant = literal_hint(text);
    throw Error(ErrorKind::usage, "operand '" + std::string(text) + "'", "names no file",
                meant.empty() ? "write FILE:/dataset, or -:/dataset for a standard stream" : meant);
  }
  return operand;
}

}  // namespace attn::io
