#include <attn/core/error.hpp>
#include <attn/core/memory.hpp>
#include <attn/io/literal/literal.hpp>
#include <attn/io/literal/range.hpp>
#include <attn/io/numbers/parse.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace attn::io {
namespace {

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

TensorView parse_linspace(std::string_view text, std::string_view list) {
  const auto words = split(list, ',');
  double first = 0, last = 0;
  std::uint64_t count = 0;
  if (words.size() != 3 || !parse_number(words[0], first) || !parse_number(words[1], last) ||
      !parse_number(words[2], count))
    refuse(text, "cannot be read", "write it as linspace=FIRST,LAST,COUNT");
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

}  // namespace

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

}  // namespace attn::io
