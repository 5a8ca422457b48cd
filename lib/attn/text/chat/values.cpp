#include <attn/core/error.hpp>
#include <attn/core/memory.hpp>
#include <attn/text/chat/values.hpp>
#include <attn/text/unicode.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace attn::text::chat {

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

}  // namespace

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

}  // namespace attn::text::chat
