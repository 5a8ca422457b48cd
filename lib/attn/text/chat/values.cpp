#include <attn/text/chat/values.hpp>

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/core/memory.hpp>
#include <attn/text/unicode.hpp>

#include <utf8proc.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <limits>
#include <set>
#include <string_view>
#include <utility>

namespace attn::text::chat {
namespace {

std::string dumped(const Value& value) { return value.dump(-1, ' ', false, Value::error_handler_t::replace); }

void append_json(const Value& value, int indent, int depth, std::string& all) {
  if (!value.is_structured() || value.empty()) {
    all += value.is_discarded() ? "null" : dumped(value);
    return;
  }
  const auto line = [&](int levels) {
    if (indent <= 0) return;
    const std::size_t blanks = static_cast<std::size_t>(indent) * static_cast<std::size_t>(levels);
    expect_bytes(all.size() + blanks);
    all += '\n' + std::string(blanks, ' ');
  };
  all += value.is_array() ? '[' : '{';
  for (auto item = value.begin(); item != value.end(); ++item) {
    if (item != value.begin()) all += indent > 0 ? "," : ", ";
    line(depth + 1);
    if (value.is_object()) all += dumped(item.key()) + ": ";
    append_json(item.value(), indent, depth + 1, all);
  }
  line(depth);
  all += value.is_array() ? ']' : '}';
}

std::size_t length_of(const Value& value) {
  if (value.is_string()) return text::count_code_points(value.get_ref<const std::string&>());
  if (!value.is_structured()) refuse("has no length: " + written(value));
  return value.size();
}

enum class Side { both, left, right };

/// Without characters of `set` at its ends, or white space.
std::string stripped(const std::string& text, const Value& set, Side side) {
  const std::vector<std::size_t> at = boundaries_of(text);
  std::set<std::string_view> listed;
  const std::string characters = set.is_string() ? set.get<std::string>() : "";
  const std::vector<std::size_t> of_set = boundaries_of(characters);
  for (std::size_t i = 0; i + 1 < of_set.size(); ++i)
    listed.insert(std::string_view(characters).substr(of_set[i], of_set[i + 1] - of_set[i]));
  const auto goes = [&](std::size_t i) {
    return set.is_string() ? listed.count(std::string_view(text).substr(at[i], at[i + 1] - at[i])) > 0
                           : text::is_whitespace(text::code_point_at(text, at[i]).value);
  };
  std::size_t first = 0, last = at.size() - 1;
  while (side != Side::right && first < last && goes(first)) ++first;
  while (side != Side::left && last > first && goes(last - 1)) --last;
  return text.substr(at[first], at[last] - at[first]);
}

enum class Case { upper, lower, capital, title };

std::string in_case(const std::string& text, Case how) {
  std::string result;
  bool begins = true;
  for (std::size_t i = 0; i < text.size();) {
    const text::CodePoint point = text::code_point_at(text, i);
    i += point.length;
    const auto c = static_cast<utf8proc_int32_t>(point.value);
    const bool up = how == Case::upper || (how != Case::lower && begins);
    if (how != Case::title)
      begins = false;
    else
      begins = utf8proc_toupper(c) == c && utf8proc_tolower(c) == c;  // no letter
    if (up && point.value == U'\u00df')
      result += how == Case::upper ? "SS" : "Ss";
    else
      text::append_utf8(result, static_cast<char32_t>(up ? utf8proc_toupper(c) : utf8proc_tolower(c)));
  }
  return result;
}

std::string replaced(const std::string& text, const std::string& from, const std::string& to) {
  std::string result;
  for (std::size_t at = 0;;) {
    const std::size_t found = from.empty() ? std::string::npos : find_text(text, from, at);
    result.append(text, at, found - at);
    if (found == std::string::npos) return result;
    expect_bytes(result.size() + to.size());
    result += to;
    at = found + from.size();
  }
}

std::vector<Value> split(const std::string& text, const Value& separator, const Value& most) {
  std::vector<Value> parts;
  const bool by_white = !separator.is_string();
  const std::string by = by_white ? "" : separator.get<std::string>();
  if (by.empty() && !by_white) refuse("splits at an empty text");
  std::size_t left =
      most.is_number_integer() && most.get<std::int64_t>() >= 0 ? most.get<std::size_t>() : text.size() + 1;
  constexpr const char* white = " \t\n\r\v\f";
  for (std::size_t at = 0;;) {
    if (by_white) at = std::min(text.find_first_not_of(white, at), text.size());
    if (by_white && at == text.size()) return parts;
    const std::size_t end = left-- == 0 ? std::string::npos
                            : by_white  ? text.find_first_of(white, at)
                                        : find_text(text, by, at);
    expect_bytes(2 * bytes_of_value * parts.size());
    parts.emplace_back(text.substr(at, end - at));
    if (end == std::string::npos) return parts;
    at = end + by.size();
  }
}

/// The texts of the elements with a separator between them.
std::string joined(const Value& value, const std::string& separator) {
  std::string all;
  bool is_first = true;
  for (const Value& element : elements_of(value)) {
    if (!std::exchange(is_first, false)) all += separator;
    all += text_of(element);
    expect_bytes(all.size() + separator.size());
  }
  return all;
}

/// [key, value] of each field.
Value pairs_of(const Value& object) {
  Value all = Value::array();
  if (object.is_discarded()) return all;
  if (!object.is_object()) refuse("has no fields: " + written(object));
  for (auto item = object.begin(); item != object.end(); ++item) all.push_back({item.key(), item.value()});
  return all;
}

/// A field of a field: "function.name".
Value attribute_of(const Value& value, const std::string& path) {
  Value at = value;
  for (const Value& name : split(path, Value("."), Value())) at = item_of(at, name);
  return at;
}

/// select, reject, selectattr and rejectattr: the elements that pass a test, or those that do not.
Value chosen(const std::string& name, const Value& value, const Arguments& arguments) {
  const bool by_field = name.size() > 6, keeps = name.front() == 's';
  Value all = Value::array();
  for (const Value& element : elements_of(value)) {
    const Value subject = by_field ? attribute_of(element, string_of(arguments.get(0, ""), name.c_str())) : element;
    const std::size_t first = by_field ? 1 : 0;
    Arguments rest;
    for (std::size_t i = first + 1; i < arguments.listed.size(); ++i) rest.listed.push_back(arguments.listed[i]);
    const Value test = arguments.get(first, "");
    const bool passes = test.is_string() ? tested(test.get<std::string>(), subject, rest) : is_true(subject);
    if (passes == keeps) all.push_back(element);
  }
  return all;
}

Value mapped(const Value& value, const Arguments& arguments) {
  Value all = Value::array();
  const Value field = arguments.get(arguments.listed.size(), "attribute");
  const Value otherwise = arguments.get(arguments.listed.size(), "default");
  expect_bytes(weight(otherwise) * shallow_weight(value) / bytes_of_value);
  for (const Value& element : elements_of(value)) {
    if (!field.is_string()) {
      all.push_back(filtered(string_of(arguments.get(0, ""), "map"), element, {}));
      continue;
    }
    const Value found = attribute_of(element, field.get<std::string>());
    all.push_back(found.is_discarded() ? otherwise : found);
  }
  return all;
}

Value indented(const std::string& text, const Arguments& arguments) {
  const Value width = arguments.get(0, "width");
  if (width.is_number_integer()) expect_bytes(width.get<std::uint64_t>());
  const std::string blanks = width.is_string()
                                 ? width.get<std::string>()
                                 : std::string(width.is_number_integer() ? width.get<std::size_t>() : 4, ' ');
  const std::vector<Value> lines = split(text, Value("\n"), Value());
  std::string all = is_true(arguments.get(1, "first")) ? blanks : "";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string line = text_of(lines[i]);
    if (i > 0) all += '\n' + (line.empty() && !is_true(arguments.get(2, "blank")) ? "" : blanks);
    all += line;
    expect_bytes(all.size() + blanks.size());
  }
  return all;
}

Value range_of(const Arguments& arguments) {
  constexpr std::int64_t most = 100'000;
  const auto whole = [&](std::size_t at, std::int64_t otherwise) {
    const Value value = arguments.get(at, "");
    return value.is_number_integer() ? value.get<std::int64_t>() : otherwise;
  };
  const bool has_two = arguments.listed.size() > 1;
  const std::int64_t first = has_two ? whole(0, 0) : 0, last = whole(has_two ? 1 : 0, 0), step = whole(2, 1);
  if (step == 0) refuse("has a range of step 0");
  Value all = Value::array();
  for (std::int64_t i = first; step > 0 ? i < last : i > last; i += step) {
    if (all.size() >= static_cast<std::size_t>(most)) refuse("has a range of more than " + std::to_string(most));
    all.push_back(i);
    if (step > 0 ? i > std::numeric_limits<std::int64_t>::max() - step
                 : i < std::numeric_limits<std::int64_t>::min() - step)
      break;
  }
  return all;
}

/// The local time, as transformers takes it.
std::string time_now(const std::string& format) {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  std::string text(1024, '\0');
  text.resize(std::strftime(text.data(), text.size(), format.c_str(), &local));
  return text;
}

}  // namespace

void refuse(const std::string& what) { throw Error(ErrorKind::data, "", what); }

bool is_true(const Value& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number()) return value.get<double>() != 0;
  if (value.is_string()) return !value.get_ref<const std::string&>().empty();
  return value.is_structured() && !value.empty();
}

const std::string& string_of(const Value& value, const char* what) {
  if (!value.is_string())
    refuse(std::string(what) + " needs a text, and it is " + (value.is_discarded() ? "undefined" : json_of(value)));
  return value.get_ref<const std::string&>();
}

std::string written(const Value& value) {
  if (value.is_string()) {
    const std::string& text = value.get_ref<const std::string&>();
    const char quote = text.find('\'') != std::string::npos && text.find('"') == std::string::npos ? '"' : '\'';
    std::string shown(1, quote);
    for (const char c : text) {
      if (c == '\n')
        shown += "\\n";
      else if (c == '\t')
        shown += "\\t";
      else if (c == '\r')
        shown += "\\r";
      else if (c == '\\' || c == quote)
        (shown += '\\') += c;
      else
        shown += c;
    }
    return shown + quote;
  }
  if (!value.is_structured()) return text_of(value);
  std::string all(1, value.is_array() ? '[' : '{');
  for (auto item = value.begin(); item != value.end(); ++item) {
    if (item != value.begin()) all += ", ";
    if (value.is_object()) all += written(item.key()) + ": ";
    all += written(item.value());
  }
  return all + (value.is_array() ? ']' : '}');
}

std::string text_of(const Value& value) {
  if (value.is_discarded()) return {};
  if (value.is_null()) return "None";
  if (value.is_boolean()) return value.get<bool>() ? "True" : "False";
  if (value.is_string()) return value.get<std::string>();
  return value.is_number() ? value.dump() : written(value);
}

std::string json_of(const Value& value, int indent) {
  std::string all;
  append_json(value, indent, 0, all);
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
  if (value.is_string()) return bytes_of_value + value.get_ref<const std::string&>().size();
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
  if (value.is_object() && key.is_string()) {
    const auto found = value.find(key.get_ref<const std::string&>());
    return found == value.end() ? undefined() : *found;
  }
  if (!key.is_number_integer() || (!value.is_array() && !value.is_string())) return undefined();
  const auto starts =
      value.is_string() ? boundaries_of(value.get_ref<const std::string&>()) : std::vector<std::size_t>();
  std::int64_t at = key.get<std::int64_t>();
  const auto size = static_cast<std::int64_t>(value.is_string() ? starts.size() - 1 : value.size());
  if (at < 0) at += size;
  if (at < 0 || at >= size) return undefined();
  const auto i = static_cast<std::size_t>(at);
  return value.is_string() ? Value(value.get_ref<const std::string&>().substr(starts[i], starts[i + 1] - starts[i]))
                           : value[i];
}

std::vector<Value> elements_of(const Value& value) {
  std::vector<Value> all;
  if (value.is_array()) all.assign(value.begin(), value.end());
  if (value.is_object())
    for (auto item = value.begin(); item != value.end(); ++item) all.emplace_back(item.key());
  if (value.is_string()) {
    const std::string& text = value.get_ref<const std::string&>();
    const std::vector<std::size_t> starts = boundaries_of(text);
    expect_bytes(2 * bytes_of_value * starts.size());
    for (std::size_t i = 0; i + 1 < starts.size(); ++i)
      all.emplace_back(text.substr(starts[i], starts[i + 1] - starts[i]));
  }
  if (!value.is_structured() && !value.is_string() && !value.is_discarded()) refuse("is not a list: " + written(value));
  return all;
}

Value slice_of(const Value& value, const Value& first, const Value& last, const Value& step) {
  if (value.is_object()) return slice_of(elements_of(value), first, last, step);
  if (!value.is_string() && !value.is_array()) return Value(elements_of(value));
  const auto starts =
      value.is_string() ? boundaries_of(value.get_ref<const std::string&>()) : std::vector<std::size_t>();
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
  Value part = Value::array();
  const std::int64_t end = bound(last, by > 0 ? size : -1);
  for (std::int64_t at = bound(first, by > 0 ? 0 : size - 1); by > 0 ? at < end : at > end; at += by) {
    const auto i = static_cast<std::size_t>(at);
    if (value.is_string())
      text.append(value.get_ref<const std::string&>(), starts[i], starts[i + 1] - starts[i]);
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
  if (symbol == "+" && a.is_string() && b.is_string()) return calculate("~", a, b);
  if (symbol == "+" && a.is_array() && b.is_array()) {
    expect_bytes(weight(a) + weight(b));
    Value all = a;
    all.insert(all.end(), b.begin(), b.end());
    return all;
  }
  if (!a.is_number() || !b.is_number())
    refuse("cannot calculate " + (a.is_discarded() ? "undefined" : written(a)) + " " + symbol + " " +
           (b.is_discarded() ? "undefined" : written(b)));
  const bool whole = a.is_number_integer() && b.is_number_integer();
  const double x = a.get<double>(), y = b.get<double>();
  if ((symbol == "/" || symbol == "//" || symbol == "%") && y == 0) refuse("divides by 0");
  const double result = symbol == "+"    ? x + y
                        : symbol == "-"  ? x - y
                        : symbol == "*"  ? x * y
                        : symbol == "/"  ? x / y
                        : symbol == "//" ? std::floor(x / y)
                        : symbol == "%"  ? x - y * std::floor(x / y)
                                         : std::pow(x, y);
  constexpr double exact = 9007199254740992.0;  // 2^53
  if (whole && symbol != "/" && std::abs(result) < exact) return static_cast<std::int64_t>(result);
  return result;
}

bool is_less(const Value& a, const Value& b) {
  if (!(a.is_number() && b.is_number()) && !(a.is_string() && b.is_string()))
    refuse("cannot compare " + written(a) + " and " + written(b));
  return a < b;
}

bool contains(const Value& whole, const Value& part) {
  if (whole.is_string())
    return find_text(whole.get_ref<const std::string&>(), string_of(part, "'in' a text")) != std::string::npos;
  const std::vector<Value> all = elements_of(whole);
  return std::find(all.begin(), all.end(), part) != all.end();
}

Value Arguments::get(std::size_t at, const std::string& name) const {
  if (at < listed.size()) return listed[at];
  const auto found = named.find(name);
  return found == named.end() ? undefined() : found->second;
}

Value call(const std::string& name, const Arguments& arguments) {
  if (name == "raise_exception") refuse(text_of(arguments.get(0, "message")));
  if (name == "range") return range_of(arguments);
  if (name == "strftime_now") return time_now(text_of(arguments.get(0, "format")));
  if (name == "namespace" || name == "dict") {
    Value object = Value::object();
    for (const auto& [field, value] : arguments.named) object[field] = value;
    return object;
  }
  refuse("calls '" + name + "', which is not known here");
}

Value filtered(const std::string& name, const Value& value, const Arguments& arguments) {
  const Value first = arguments.get(0, "");
  if (name == "trim") return stripped(text_of(value), first, Side::both);
  if (name == "tojson") {
    const Value indent = arguments.get(0, "indent");
    return json_of(value, indent.is_number_integer() ? indent.get<int>() : 0);
  }
  if (name == "length" || name == "count") return length_of(value);
  if (name == "upper") return in_case(text_of(value), Case::upper);
  if (name == "lower") return in_case(text_of(value), Case::lower);
  if (name == "title") return in_case(text_of(value), Case::title);
  if (name == "capitalize") return in_case(text_of(value), Case::capital);
  if (name == "string") return text_of(value);
  if (name == "safe") return value;
  if (name == "replace") return replaced(text_of(value), text_of(first), text_of(arguments.get(1, "new")));
  if (name == "list") return elements_of(value);
  if (name == "join") return joined(value, text_of(arguments.get(0, "d")));
  if (name == "first") return item_of(value, 0);
  if (name == "last") return item_of(value, -1);
  if (name == "reverse") return slice_of(value, Value(), Value(), -1);
  if (name == "items") return pairs_of(value);
  if (name == "default" || name == "d") {
    const bool falls = value.is_discarded() || (is_true(arguments.get(1, "boolean")) && !is_true(value));
    const Value otherwise = arguments.get(0, "default_value");
    return !falls ? value : otherwise.is_discarded() ? Value("") : otherwise;
  }
  if (name == "dictsort") {
    std::vector<Value> pairs = elements_of(pairs_of(value));
    std::stable_sort(pairs.begin(), pairs.end(), [](const Value& a, const Value& b) { return a[0] < b[0]; });
    return pairs;
  }
  if (name == "int") {
    const double number = value.is_number() ? value.get<double>() : 0;
    if (value.is_number()) return std::abs(number) < 0x1p63 ? static_cast<std::int64_t>(number) : 0;
    const std::string text = stripped(text_of(value), Value(), Side::both);
    return static_cast<std::int64_t>(std::strtoll(text.c_str(), nullptr, 10));
  }
  if (name == "select" || name == "reject" || name == "selectattr" || name == "rejectattr")
    return chosen(name, value, arguments);
  if (name == "map") return mapped(value, arguments);
  if (name == "indent") return indented(text_of(value), arguments);
  refuse("asks for the filter '" + name + "', which is not known here");
}

bool tested(const std::string& name, const Value& value, const Arguments& arguments) {
  const Value other = arguments.get(0, "");
  if (name == "defined") return !value.is_discarded();
  if (name == "undefined") return value.is_discarded();
  if (name == "none") return value.is_null();
  if (name == "string") return value.is_string();
  if (name == "mapping") return value.is_object();
  if (name == "iterable" || name == "sequence") return value.is_structured() || value.is_string();
  if (name == "number") return value.is_number() || value.is_boolean();
  if (name == "integer") return value.is_number_integer();
  if (name == "float") return value.is_number_float();
  if (name == "boolean") return value.is_boolean();
  if (name == "true" || name == "false") return value.is_boolean() && value.get<bool>() == (name == "true");
  if (name == "equalto" || name == "eq" || name == "sameas") return value == other;
  if (name == "ne") return value != other;
  if (name == "in") return contains(other, value);
  if (name == "odd" || name == "even") return is_true(calculate("%", value, 2)) == (name == "odd");
  if (name == "divisibleby") return !is_true(calculate("%", value, other));
  refuse("asks for the test '" + name + "', which is not known here");
}

Value method(const std::string& name, const Value& value, const Arguments& arguments) {
  const Value first = arguments.get(0, "");
  if (value.is_object()) {
    if (name == "items") return pairs_of(value);
    if (name == "keys") return elements_of(value);
    if (name == "get") {
      const Value found = item_of(value, first), otherwise = arguments.get(1, "default");
      return !found.is_discarded() ? found : otherwise.is_discarded() ? Value() : otherwise;
    }
    if (name == "values") {
      Value all = Value::array();
      for (const Value& field : value) all.push_back(field);
      return all;
    }
  }
  if (value.is_string()) {
    const std::string& text = value.get_ref<const std::string&>();
    if (name == "strip") return stripped(text, first, Side::both);
    if (name == "lstrip") return stripped(text, first, Side::left);
    if (name == "rstrip") return stripped(text, first, Side::right);
    if (name == "split") return split(text, arguments.get(0, "sep"), arguments.get(1, "maxsplit"));
    if (name == "upper" || name == "lower" || name == "title" || name == "capitalize") return filtered(name, value, {});
    if (name == "replace")
      return replaced(text, string_of(first, "replace"), string_of(arguments.get(1, ""), "replace"));
    if (name == "startswith") return starts_with(text, string_of(first, "startswith"));
    if (name == "endswith") {
      const std::string& end = string_of(first, "endswith");
      return ends_with(text, end);
    }
    if (name == "join") return joined(first, text);
    if (name == "find") {
      const std::size_t found = find_text(text, string_of(first, "find"));
      return found == std::string::npos ? Value(-1) : Value(text::count_code_points(text.substr(0, found)));
    }
  }
  refuse("calls '" + name + "', which " + (value.is_discarded() ? "undefined" : written(value).substr(0, 40)) +
         " does not have here");
}

}  // namespace attn::text::chat
