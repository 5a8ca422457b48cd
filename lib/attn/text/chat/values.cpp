#include <attn/core/error.hpp>
#include <attn/core/listed.hpp>
#include <attn/text/chat/values.hpp>
#include <attn/text/unicode.hpp>

#include <algorithm>
#include <cmath>

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

void append_json(const Value& value, int indent, int depth, std::string& all) {
  if (!value.is_structured() || value.empty()) {
    all += value.is_discarded() ? "null" : value.dump();
    return;
  }
  const auto line = [&](int levels) {
    if (indent > 0) all += '\n' + std::string(static_cast<std::size_t>(indent * levels), ' ');
  };
  all += value.is_array() ? '[' : '{';
  for (auto item = value.begin(); item != value.end(); ++item) {
    if (item != value.begin()) all += indent > 0 ? "," : ", ";
    line(depth + 1);
    if (value.is_object()) all += Value(item.key()).dump() + ": ";
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

std::vector<std::string> characters(const std::string& text) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = text::code_point_at(text, i).length;
    all.push_back(text.substr(i, length));
    i += length;
  }
  return all;
}

Value item_of(const Value& value, const Value& key) {
  if (value.is_discarded()) refuse("has no " + written(key) + ": it is undefined");
  if (value.is_object() && key.is_string()) {
    const auto found = value.find(key.get_ref<const std::string&>());
    return found == value.end() ? undefined() : *found;
  }
  if (!key.is_number_integer() || (!value.is_array() && !value.is_string())) return undefined();
  const std::vector<Value> all = elements_of(value);
  std::int64_t at = key.get<std::int64_t>();
  const auto size = static_cast<std::int64_t>(all.size());
  if (at < 0) at += size;
  return at < 0 || at >= size ? undefined() : all[static_cast<std::size_t>(at)];
}

std::vector<Value> elements_of(const Value& value) {
  std::vector<Value> all;
  if (value.is_array()) all.assign(value.begin(), value.end());
  if (value.is_object())
    for (auto item = value.begin(); item != value.end(); ++item) all.emplace_back(item.key());
  if (value.is_string())
    for (const std::string& c : characters(value.get_ref<const std::string&>())) all.emplace_back(c);
  if (!value.is_structured() && !value.is_string() && !value.is_discarded()) refuse("is not a list: " + written(value));
  return all;
}

Value slice_of(const Value& value, const Value& first, const Value& last, const Value& step) {
  const std::vector<Value> all = elements_of(value);
  const auto size = static_cast<std::int64_t>(all.size());
  const std::int64_t by = step.is_number_integer() ? step.get<std::int64_t>() : 1;
  if (by == 0) refuse("has a part of step 0");
  const auto bound = [&](const Value& given, std::int64_t otherwise) {
    if (!given.is_number_integer()) return otherwise;
    const std::int64_t at = given.get<std::int64_t>();
    return std::clamp<std::int64_t>(at < 0 ? at + size : at, by > 0 ? 0 : -1, by > 0 ? size : size - 1);
  };
  std::vector<Value> part;
  const std::int64_t end = bound(last, by > 0 ? size : -1);
  for (std::int64_t i = bound(first, by > 0 ? 0 : size - 1); by > 0 ? i < end : i > end; i += by)
    part.push_back(all[static_cast<std::size_t>(i)]);
  return value.is_string() ? Value(listed(part, "", text_of)) : Value(part);
}

Value calculate(const std::string& symbol, const Value& a, const Value& b) {
  if (symbol == "+" && a.is_string() && b.is_string()) return a.get<std::string>() + b.get<std::string>();
  if (symbol == "+" && a.is_array() && b.is_array()) {
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
    return whole.get_ref<const std::string&>().find(string_of(part, "'in' a text")) != std::string::npos;
  const std::vector<Value> all = elements_of(whole);
  return std::find(all.begin(), all.end(), part) != all.end();
}

}  // namespace attn::text::chat
