#include <attn/text/chat/values.hpp>

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/core/memory.hpp>
#include <attn/text/unicode.hpp>

#include <utf8proc.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <string_view>
#include <utility>

namespace attn::text::chat {
namespace {

/// As Python's repr writes it.
std::string float_text(double x) {
  if (!std::isfinite(x)) return std::isnan(x) ? "nan" : x > 0 ? "inf" : "-inf";
  const bool is_scientific = x != 0 && (std::abs(x) < 1e-4 || std::abs(x) >= 1e16);
  char digits[64];
  const auto end = std::to_chars(digits, digits + sizeof digits, x,
                                 is_scientific ? std::chars_format::scientific : std::chars_format::fixed);
  const std::string text(digits, end.ptr);
  return is_scientific || text.find('.') != std::string::npos ? text : text + ".0";
}

std::string hexadecimal(char32_t c, int digits) {
  char text[16];
  std::snprintf(text, sizeof text, "%0*x", digits, static_cast<unsigned>(c));
  return text;
}

bool is_printable(char32_t c) {
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP: return false;
    case UTF8PROC_CATEGORY_ZS: return c == U' ';
    default: return true;
  }
}

/// As Python's repr writes it.
std::string quoted(const std::string& text) {
  const char quote = text.find('\'') != std::string::npos && text.find('"') == std::string::npos ? '"' : '\'';
  std::string shown(1, quote);
  for (std::size_t i = 0; i < text.size();) {
    const text::CodePoint point = text::code_point_at(text, i);
    const char c = text[i];
    if (c == '\n' || c == '\t' || c == '\r')
      shown += c == '\n' ? "\\n" : c == '\t' ? "\\t" : "\\r";
    else if (c == '\\' || c == quote)
      (shown += '\\') += c;
    else if (is_printable(point.value))
      shown.append(text, i, point.length);
    else if (point.value < 0x100)
      shown += "\\x" + hexadecimal(point.value, 2);
    else
      shown += point.value < 0x10000 ? "\\u" + hexadecimal(point.value, 4) : "\\U" + hexadecimal(point.value, 8);
    i += point.length;
  }
  return shown + quote;
}

std::string dumped(const Value& value, bool ascii) {
  if (value.is_number_float()) {
    const double x = value.get<double>();
    return std::isfinite(x) ? float_text(x) : std::isnan(x) ? "NaN" : x > 0 ? "Infinity" : "-Infinity";
  }
  if (value.is_discarded() || value.is_binary()) refuse("has no JSON: " + written(value));
  return value.dump(-1, ' ', ascii, Value::error_handler_t::replace);
}

void append_json(const Value& value, const JsonStyle& style, std::size_t depth, std::string& all) {
  if (is_namespace(value)) refuse("has no JSON of a namespace");
  if (value.is_array() && kind_of(value) > ListKind::tuple) refuse("has no JSON of what is no list, such as a range");
  if (!value.is_structured() || value.empty()) {
    all += dumped(value, style.ascii);
    return;
  }
  const auto line = [&](std::size_t levels) {
    if (!style.indent) return;
    expect_bytes(all.size() + style.indent->size() * levels);
    all += '\n';
    for (std::size_t i = 0; i < levels; ++i) all += *style.indent;
  };
  std::vector<Value::const_iterator> items;
  for (auto item = value.begin(); item != value.end(); ++item) items.push_back(item);
  if (value.is_object() && style.sorted)
    std::sort(items.begin(), items.end(), [](const auto& a, const auto& b) { return a.key() < b.key(); });
  all += value.is_array() ? '[' : '{';
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) all += style.comma;
    expect_bytes(all.size());
    line(depth + 1);
    if (value.is_object()) all += dumped(items[i].key(), style.ascii) + style.colon;
    append_json(items[i].value(), style, depth + 1, all);
  }
  line(depth);
  all += value.is_array() ? ']' : '}';
}

double real_of(const Value& value) { return value.is_boolean() ? value.get<bool>() : value.get<double>(); }

std::int64_t whole_of(const Value& value) {
  if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX) refuse("calculates with " + value.dump());
  return value.get<std::int64_t>();
}

Value whole_result(const std::string& symbol, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  bool overflows = false;
  if (symbol == "+") overflows = __builtin_add_overflow(a, b, &result);
  if (symbol == "-") overflows = __builtin_sub_overflow(a, b, &result);
  if (symbol == "*") overflows = __builtin_mul_overflow(a, b, &result);
  if (symbol == "//" || symbol == "%") {
    if (b == -1) return whole_result("*", symbol == "%" ? 0 : a, -1);
    const std::int64_t rest = a % b, down = rest != 0 && (rest < 0) != (b < 0) ? 1 : 0;
    result = symbol == "//" ? a / b - down : rest + down * b;
  }
  if (symbol == "**") {
    result = 1;
    const bool stays = a == 0 || a == 1 || a == -1;
    for (std::int64_t i = 0; i < (stays ? std::min<std::int64_t>(b, 2 + b % 2) : b) && !overflows; ++i)
      overflows = __builtin_mul_overflow(result, a, &result);
  }
  if (overflows) refuse("makes a whole number of more than 64 bits");
  return result;
}

/// A text or list, so many times.
Value repeated(const Value& value, std::int64_t count) {
  const auto times = static_cast<std::uint64_t>(std::max<std::int64_t>(count, 0));
  if (times > 0) expect_bytes(weight(value) > (std::uint64_t{1} << 40) / times ? UINT64_MAX : weight(value) * times);
  if (value.is_string()) {
    Text all;
    all.is_markup = is_markup(value);
    for (std::uint64_t i = 0; i < times; ++i) all += text_in(value);
    return all;
  }
  Value all = is_tuple(value) ? tuple_of({}) : Value::array();
  for (std::uint64_t i = 0; i < times; ++i) all.insert(all.end(), value.begin(), value.end());
  return all;
}

}  // namespace

void refuse(const std::string& what) { throw Error(ErrorKind::data, "", what); }

Text field_of(const Value& key) {
  Text field(is_whole(key) ? std::to_string(whole_of(key)) : string_of(key, "a key"));
  field.is_whole = is_whole(key);
  return field;
}

Value key_of(const Text& field) {
  if (field.is_whole) return static_cast<std::int64_t>(std::strtoll(field.c_str(), nullptr, 10));
  return std::string(field);
}

Value list_of(ListKind kind, std::vector<Value> elements) {
  Value made = Value::array();
  auto& list = made.get_ref<Value::array_t&>();
  list.assign(std::make_move_iterator(elements.begin()), std::make_move_iterator(elements.end()));
  list.kind = kind;
  if (kind == ListKind::iterator) list.was_read = std::make_shared<bool>(false);
  return made;
}

Value markup_of(std::string text) {
  Value markup(std::move(text));
  markup.get_ref<Text&>().is_markup = true;
  return markup;
}

Value function_of(const std::string& name) { return Value::binary({name.begin(), name.end()}); }

std::string function_name(const Value& function) {
  const auto& name = function.get_binary();
  return {name.begin(), name.end()};
}

bool is_true(const Value& value) {
  if (is_numeric(value)) return real_of(value) != 0;
  if (value.is_string()) return !text_in(value).empty();
  return value.is_binary() || is_namespace(value) || is_iterator(value) || (value.is_structured() && !value.empty());
}

const std::string& string_of(const Value& value, const char* what) {
  if (!value.is_string()) refuse(std::string(what) + " needs a text, and it is " + written(value));
  return text_in(value);
}

namespace {

/// "dict_keys([...])"
std::string written_view(const Value& view) {
  const ListKind kind = kind_of(view);
  if (kind == ListKind::range || kind == ListKind::iterator)
    refuse(std::string("prints ") + (kind == ListKind::range ? "a range" : "an iterator") + ", and not its elements");
  const char* const name = kind == ListKind::keys ? "keys" : kind == ListKind::values ? "values" : "items";
  return std::string("dict_") + name + "(" + written(list_of(ListKind::list, {view.begin(), view.end()})) + ")";
}

}  // namespace

std::string written(const Value& value) {
  if (value.is_string()) return is_markup(value) ? "Markup(" + quoted(text_in(value)) + ")" : quoted(text_in(value));
  if (value.is_discarded()) return "Undefined";
  if (value.is_binary()) return "<function " + function_name(value) + ">";
  if (!value.is_structured()) return text_of(value);
  if (value.is_array() && kind_of(value) > ListKind::tuple) return written_view(value);
  std::string all(is_namespace(value) ? "<Namespace {" : is_tuple(value) ? "(" : value.is_array() ? "[" : "{");
  for (auto item = value.begin(); item != value.end(); ++item) {
    if (item != value.begin()) all += ", ";
    if (value.is_object()) all += written(key_of(item.key())) + ": ";
    all += written(*item);
  }
  if (is_tuple(value) && value.size() == 1) all += ',';
  return all + (is_namespace(value) ? "}>" : is_tuple(value) ? ")" : value.is_array() ? "]" : "}");
}

std::string text_of(const Value& value) {
  if (value.is_discarded()) return {};
  if (value.is_null()) return "None";
  if (value.is_boolean()) return value.get<bool>() ? "True" : "False";
  if (value.is_string()) return text_in(value);
  if (value.is_binary()) refuse("prints the function " + function_name(value) + ", which is not called");
  if (value.is_number_float()) return float_text(value.get<double>());
  return value.is_number() ? std::string(value.dump()) : written(value);
}

std::string json_of(const Value& value, const JsonStyle& style) {
  std::string all;
  append_json(value, style, 0, all);
  return all;
}

std::vector<std::size_t> boundaries_of(const std::string& text) {
  memory_account().expect(text.size() * sizeof(std::size_t));
  std::vector<std::size_t> all;
  all.reserve(text.size() + 1);
  for (std::size_t i = 0; i < text.size(); i += text::code_point_at(text, i).length) all.push_back(i);
  all.push_back(text.size());
  return all;
}

std::size_t find_text(const std::string& text, const std::string& part, std::size_t from) {
  if (from > text.size()) return std::string::npos;
  const void* const found = memmem(text.data() + from, text.size() - from, part.data(), part.size());
  return found == nullptr ? std::string::npos : static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

std::uint64_t shallow_weight(const Value& value) {
  if (value.is_string()) return bytes_of_value + text_in(value).size();
  return bytes_of_value * (value.is_structured() ? 1 + value.size() : 1);
}

std::uint64_t weight(const Value& value, std::size_t levels) {
  if (!value.is_structured()) return shallow_weight(value);
  if (levels == 0) refuse("nests lists and objects too deeply");
  std::uint64_t bytes = bytes_of_value;
  for (auto item = value.begin(); item != value.end(); ++item)
    bytes += weight(*item, levels - 1) + (value.is_object() ? item.key().size() : 0);
  return bytes;
}

void expect_bytes(std::uint64_t bytes) {
  constexpr std::uint64_t most = std::uint64_t{256} << 20;
  if (bytes > most) refuse("makes a value of more than " + std::to_string(most) + " bytes");
  memory_account().expect(bytes);
}

Value item_of(const Value& value, const Value& key) {
  if (value.is_discarded()) refuse("has no " + written(key) + ": it is undefined");
  if (value.is_object() && (key.is_string() || is_whole(key))) {
    const Text field = field_of(key);
    if (const auto found = value.find(field); found != value.end() && found.key().is_whole == field.is_whole)
      return *found;
    return has_method(value, field) ? function_of(field) : undefined();
  }
  if (key.is_string() && has_method(value, text_in(key))) return function_of(text_in(key));
  if (!is_whole(key) || (!has_numbers(value) && !value.is_string())) return undefined();
  const auto starts = value.is_string() ? boundaries_of(text_in(value)) : std::vector<std::size_t>();
  std::int64_t at = whole_of(key);
  const auto size = static_cast<std::int64_t>(value.is_string() ? starts.size() - 1 : value.size());
  if (at < 0) at += size;
  if (at < 0 || at >= size) return undefined();
  const auto i = static_cast<std::size_t>(at);
  return value.is_string() ? Value(text_in(value).substr(starts[i], starts[i + 1] - starts[i])) : value[i];
}

bool has_method(const Value& value, const std::string& name) {
  constexpr std::string_view of_text =
      " capitalize casefold center count encode endswith expandtabs find format format_map index isalnum "
      "isalpha isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle isupper "
      "join ljust lower lstrip maketrans partition removeprefix removesuffix replace rfind rindex rjust "
      "rpartition rsplit rstrip split splitlines startswith strip swapcase title translate upper zfill ";
  constexpr std::string_view of_list = " copy count index ", of_tuple = " count index ",
                             of_object = " copy fromkeys get items keys values ";
  const bool is_list = has_numbers(value);
  const std::string_view names = value.is_string()                             ? of_text
                                 : is_list && kind_of(value) == ListKind::list ? of_list
                                 : is_list                                     ? of_tuple
                                 : value.is_object() && !is_namespace(value)   ? of_object
                                                                               : std::string_view();
  return names.find(" " + name + " ") != std::string_view::npos;
}

Value attribute_of(const Value& value, const std::string& name) {
  if (has_method(value, name)) return function_of(name);
  if (value.is_object() && !is_namespace(value))
    for (const char* changes : {"update", "pop", "popitem", "clear", "setdefault"})  // the sandbox hides these
      if (name == changes) return undefined();
  // The elements of groupby have names, as only pairs do in templates.
  if (is_tuple(value) && value.size() == 2 && (name == "grouper" || name == "list"))
    return value[name == "list" ? 1 : 0];
  return item_of(value, name);
}

std::vector<Value> elements_of(const Value& value) {
  std::vector<Value> all;
  if (is_iterator(value) && std::exchange(*value.get_ref<const Value::array_t&>().was_read, true))
    refuse("reads an iterator again, which has no more elements; |list keeps them");
  if (value.is_array()) all.assign(value.begin(), value.end());
  if (value.is_object())
    for (auto item = value.begin(); item != value.end(); ++item) all.push_back(key_of(item.key()));
  if (value.is_string()) {
    const std::string& text = text_in(value);
    const std::vector<std::size_t> starts = boundaries_of(text);
    expect_bytes(2 * bytes_of_value * starts.size());
    for (std::size_t i = 0; i + 1 < starts.size(); ++i)
      all.emplace_back(text.substr(starts[i], starts[i + 1] - starts[i]));
  }
  if (is_namespace(value) || (!value.is_structured() && !value.is_string() && !value.is_discarded()))
    refuse("is not a list: " + written(value));
  return all;
}

Value slice_of(const Value& value, const Value& first, const Value& last, const Value& step) {
  if (value.is_discarded()) refuse("has a part of what is undefined");
  if (value.is_object()) return slice_of(elements_of(value), first, last, step);
  if (value.is_array() && !has_numbers(value)) refuse("has a part of what has no elements by number");
  if (!value.is_string() && !value.is_array()) return Value(elements_of(value));
  const auto starts = value.is_string() ? boundaries_of(text_in(value)) : std::vector<std::size_t>();
  const auto size = static_cast<std::int64_t>(value.is_string() ? starts.size() - 1 : value.size());
  std::int64_t by = step.is_number_integer() ? step.get<std::int64_t>() : 1;
  if (by == 0) refuse("has a part of step 0");
  by = std::clamp<std::int64_t>(by, -size - 1, size + 1);  // so that no sum overflows
  const auto bound = [&](const Value& given, std::int64_t otherwise) {
    if (!given.is_number_integer()) return otherwise;
    const std::int64_t at = given.get<std::int64_t>();
    return std::clamp<std::int64_t>(at < 0 ? at + size : at, by > 0 ? 0 : -1, by > 0 ? size : size - 1);
  };
  std::string text;
  Value part = list_of(value.is_array() ? kind_of(value) : ListKind::list, {});
  const std::int64_t end = bound(last, by > 0 ? size : -1);
  for (std::int64_t at = bound(first, by > 0 ? 0 : size - 1); by > 0 ? at < end : at > end; at += by) {
    const auto i = static_cast<std::size_t>(at);
    if (value.is_string())
      text.append(text_in(value), starts[i], starts[i + 1] - starts[i]);
    else
      part.push_back(value[i]);
  }
  return value.is_string() ? Value(std::move(text)) : part;
}

Value calculate(const std::string& symbol, const Value& a, const Value& b) {
  if (symbol == "~") {
    const std::string left = text_of(a), right = text_of(b);
    expect_bytes(left.size() + right.size());
    return left + right;
  }
  if (symbol == "+" && a.is_string() && b.is_string()) {
    if (is_markup(a) == is_markup(b) && !is_markup(a)) return calculate("~", a, b);
    const auto part = [](const Value& value) {
      return is_markup(value) ? std::string(text_in(value)) : escaped(text_in(value));
    };
    return markup_of(text_of(calculate("~", part(a), part(b))));
  }
  const auto is_list = [](const Value& x) { return x.is_array() && kind_of(x) <= ListKind::tuple; };
  if (symbol == "+" && is_list(a) && is_list(b) && is_tuple(a) == is_tuple(b)) {
    expect_bytes(weight(a) + weight(b));
    Value all = a;
    all.insert(all.end(), b.begin(), b.end());
    return all;
  }
  if (symbol == "%" && is_markup(a)) refuse("formats a text of |safe or |escape, which is not known here");
  if (symbol == "%" && a.is_string()) return percent_formatted(text_in(a), b);
  if (symbol == "*" && (a.is_string() || is_list(a)) && is_whole(b)) return repeated(a, whole_of(b));
  if (symbol == "*" && (b.is_string() || is_list(b)) && is_whole(a)) return repeated(b, whole_of(a));
  if (!is_numeric(a) || !is_numeric(b)) {
    const auto shown = [](const Value& value) { return value.is_discarded() ? "undefined" : written(value); };
    refuse("cannot calculate " + shown(a) + " " + symbol + " " + shown(b));
  }
  if ((symbol == "/" || symbol == "//" || symbol == "%") && real_of(b) == 0) refuse("divides by 0");
  if (is_whole(a) && is_whole(b) && symbol != "/" && !(symbol == "**" && whole_of(b) < 0))
    return whole_result(symbol, whole_of(a), whole_of(b));
  const double x = real_of(a), y = real_of(b);
  return symbol == "+"    ? x + y
         : symbol == "-"  ? x - y
         : symbol == "*"  ? x * y
         : symbol == "/"  ? x / y
         : symbol == "//" ? std::floor(x / y)
         : symbol == "%"  ? x - y * std::floor(x / y)
                          : std::pow(x, y);
}

bool is_equal(const Value& a, const Value& b) {
  if (a.is_discarded() || b.is_discarded()) return a.is_discarded() && b.is_discarded();
  if (is_numeric(a) && is_numeric(b))
    return is_whole(a) && is_whole(b) && !a.is_number_unsigned() && !b.is_number_unsigned()
               ? whole_of(a) == whole_of(b)
               : (a.is_boolean() ? Value(real_of(a)) : a) == (b.is_boolean() ? Value(real_of(b)) : b);
  if (a.is_array() && b.is_array())
    return kind_of(a) == kind_of(b) && std::equal(a.begin(), a.end(), b.begin(), b.end(), is_equal);
  if (!a.is_object() || !b.is_object() || a.size() != b.size()) return a == b;
  std::map<std::string_view, const Value*> fields;  // in any order
  for (auto field = b.begin(); field != b.end(); ++field) fields.emplace(field.key(), &*field);
  for (auto field = a.begin(); field != a.end(); ++field)
    if (const auto other = fields.find(field.key()); other == fields.end() || !is_equal(*field, *other->second))
      return false;
  return true;
}

bool is_less(const Value& a, const Value& b) {
  if (a.is_array() && b.is_array() && kind_of(a) == kind_of(b) && kind_of(a) <= ListKind::tuple) {
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
      if (!is_equal(a[i], b[i])) return is_less(a[i], b[i]);
    return a.size() < b.size();
  }
  if (is_numeric(a) && is_numeric(b))
    return (a.is_boolean() ? Value(whole_of(a)) : a) < (b.is_boolean() ? Value(whole_of(b)) : b);
  if (!a.is_string() || !b.is_string()) refuse("cannot compare " + written(a) + " and " + written(b));
  return text_in(a) < text_in(b);
}

bool contains(const Value& whole, const Value& part) {
  if (whole.is_string()) return find_text(text_in(whole), string_of(part, "'in' a text")) != std::string::npos;
  const std::vector<Value> all = elements_of(whole);
  return std::any_of(all.begin(), all.end(), [&](const Value& one) { return is_equal(one, part); });
}

std::string escaped(const std::string& text) {
  std::string all;
  for (const char c : text) switch (c) {
      case '&': all += "&amp;"; break;
      case '<': all += "&lt;"; break;
      case '>': all += "&gt;"; break;
      case '"': all += "&#34;"; break;
      case '\'': all += "&#39;"; break;
      default: all += c;
    }
  return all;
}

std::string padded(const std::string& text, std::int64_t width, char side, const std::string& fill) {
  const auto size = static_cast<std::int64_t>(text::count_code_points(text));
  if (width <= size) return text;
  expect_bytes(static_cast<std::uint64_t>(width) * fill.size());
  const std::int64_t missing = width - size;
  // Python's center() has the larger part in front where both the gap and the width are odd.
  const std::int64_t before = side == '<' ? 0 : side == '>' ? missing : missing / 2 + (missing & width & 1);
  std::string all;
  for (std::int64_t i = 0; i < before; ++i) all += fill;
  all += text;
  for (std::int64_t i = before; i < missing; ++i) all += fill;
  return all;
}

std::string number_formatted(const std::string& flags, std::int64_t width, std::int64_t digits, char kind,
                             const Value& number) {
  if (!is_numeric(number)) refuse("writes as a number: " + written(number));
  const bool is_float = std::strchr("eEfFgG", kind) != nullptr;
  if (!is_float && !(std::abs(real_of(number)) < 0x1p63)) refuse("writes as a whole number: " + written(number));
  if (std::strchr("xXo", kind) != nullptr && real_of(number) < 0) refuse("writes a negative number in base 8 or 16");
  expect_bytes(static_cast<std::uint64_t>(std::max<std::int64_t>({width, digits, 0})) + 512);
  if (std::max(width, digits) > 100'000) refuse("writes a number with more than 100000 characters");
  const std::string format = "%" + flags + "*.*" + (is_float ? "" : "ll") + kind;
  std::string text(static_cast<std::size_t>(std::max<std::int64_t>({width, digits, 0})) + 512, '\0');
  // The format has the kinds that were looked up here, and no others.
  const int w = static_cast<int>(width), d = static_cast<int>(digits);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  const int size = is_float ? std::snprintf(text.data(), text.size(), format.c_str(), w, d, real_of(number))
                            : std::snprintf(text.data(), text.size(), format.c_str(), w, d,
                                            number.is_number_float() ? static_cast<long long>(number.get<double>())
                                                                     : static_cast<long long>(whole_of(number)));
#pragma GCC diagnostic pop
  text.resize(static_cast<std::size_t>(std::max(size, 0)));
  return text;
}

std::string percent_formatted(const std::string& format, const Value& values) {
  std::string all;
  std::size_t used = 0;
  const auto next = [&]() -> Value {
    if (used >= (is_tuple(values) ? values.size() : 1)) refuse("has too few values for the format " + quoted(format));
    return is_tuple(values) ? values[used++] : (++used, values);
  };
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      all += format[i];
      continue;
    }
    std::optional<Value> value;
    if (format.compare(++i, 1, "(") == 0) {
      const std::size_t end = std::min(format.find(')', i), format.size() - 1);
      value = item_of(values, format.substr(i + 1, end - i - 1));
      i = end + 1;
      used = 1;
    }
    std::string flags;
    while (i < format.size() && std::strchr("-+ #0", format[i]) != nullptr) flags += format[i++];
    const auto count = [&](std::int64_t otherwise) {
      if (format.compare(i, 1, "*") == 0) return ++i, whole_of(next());
      std::int64_t read = otherwise;
      i = static_cast<std::size_t>(std::from_chars(format.data() + i, format.data() + format.size(), read).ptr -
                                   format.data());
      return read;
    };
    const std::int64_t width = count(0);
    const std::int64_t digits = format.compare(i, 1, ".") == 0 ? (++i, count(0)) : -1;
    const char kind = i < format.size() ? format[i] : '\0';
    if (kind == '%') {
      all += '%';
    } else if (kind == 's' || kind == 'r') {
      if (!value) value = next();
      const std::string text = kind == 's' ? text_of(*value) : written(*value);
      const std::vector<std::size_t> at = boundaries_of(text);
      const std::size_t kept = digits < 0 ? at.size() - 1 : std::min(at.size() - 1, static_cast<std::size_t>(digits));
      all += padded(text.substr(0, at[kept]), width, flags.find('-') == std::string::npos ? '>' : '<');
    } else if (kind != '\0' && std::strchr("dixXoeEfFgG", kind) != nullptr) {
      all += number_formatted(flags, width, digits, kind, value ? *value : next());
    } else {
      refuse("has a format that is not known here: " + quoted(format));
    }
    expect_bytes(all.size());
  }
  if (is_tuple(values) && used < values.size()) refuse("has too many values for the format " + quoted(format));
  return all;
}

}  // namespace attn::text::chat
