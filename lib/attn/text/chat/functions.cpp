#include <attn/text/chat/functions.hpp>

#include <attn/core/error.hpp>
#include <attn/text/unicode.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <set>
#include <utility>

namespace attn::text::chat {
namespace {

std::int64_t length_of(const Value& value) {
  if (value.is_string()) return static_cast<std::int64_t>(text::count_code_points(text_in(value)));
  if (value.is_discarded()) return 0;
  if (is_iterator(value)) refuse("asks for the length of an iterator, which only a list of its elements has");
  if (!value.is_structured() || is_namespace(value)) refuse("has no length: " + written(value));
  return static_cast<std::int64_t>(value.size());
}

/// What elements are sorted by: themselves or fields of theirs, and texts in lower case unless their case counts.
Value sort_key(const Value& element, const Value& attribute, const Value& case_sensitive,
               const Value& otherwise = undefined()) {
  Value key = attribute.is_discarded() || attribute.is_null() ? element : path_of(element, attribute, otherwise);
  return key.is_string() && !is_true(case_sensitive) ? Value(in_case(text_in(key), Case::lower)) : key;
}

struct Keyed {
  Value key, element;
};

std::vector<Keyed> keyed(const Value& value, const Value& attribute, const Value& case_sensitive,
                         const Value& otherwise = undefined()) {
  std::vector<Keyed> all;
  for (Value& element : elements_of(value)) {
    Value key = sort_key(element, attribute, case_sensitive, otherwise);
    all.push_back({std::move(key), std::move(element)});
  }
  return all;
}

void sort(std::vector<Keyed>& all, bool downwards = false) {
  std::stable_sort(all.begin(), all.end(), [downwards](const Keyed& a, const Keyed& b) {
    return downwards ? is_less(b.key, a.key) : is_less(a.key, b.key);
  });
}

Value list_of(std::vector<Keyed> all) {
  Value list = Value::array();
  for (Keyed& one : all) list.push_back(std::move(one.element));
  return list;
}

Value sorted(const Value& value, const Arguments& arguments) {
  const Value attribute = arguments.get(2, "attribute"), case_sensitive = arguments.get(1, "case_sensitive");
  std::vector<Keyed> all = keyed(value, {}, true);
  for (Keyed& one : all) {
    if (!attribute.is_string()) {
      one.key = sort_key(one.element, attribute, case_sensitive);
      continue;
    }
    one.key = Value::array();  // several fields, "a,b"
    for (const Value& path : split(text_in(attribute), Value(","), Value()))
      one.key.push_back(sort_key(one.element, path, case_sensitive));
  }
  sort(all, is_true(arguments.get(0, "reverse")));
  return list_of(std::move(all));
}

Value unique(const Value& value, const Arguments& arguments) {
  std::vector<Keyed> kept;
  std::set<std::string> seen;
  for (Keyed& one : keyed(value, arguments.get(1, "attribute"), arguments.get(0, "case_sensitive")))
    if (seen.insert(written(one.key)).second) kept.push_back(std::move(one));
  return list_of(std::move(kept));
}

Value grouped(const Value& value, const Arguments& arguments) {
  const Value attribute = arguments.get(0, "attribute"), otherwise = arguments.get(1, "default");
  std::vector<Keyed> all = keyed(value, attribute, arguments.get(2, "case_sensitive"), otherwise);
  sort(all);
  std::vector<Value> groups;
  for (std::size_t i = 0; i < all.size();) {
    const Value name = path_of(all[i].element, attribute, otherwise);
    Value group = Value::array();
    const std::size_t first = i;
    for (; i < all.size() && is_equal(all[i].key, all[first].key); ++i) group.push_back(all[i].element);
    groups.push_back(tuple_of({name, std::move(group)}));
  }
  return groups;
}

Value extreme(const std::string& name, const Value& value, const Arguments& arguments) {
  std::vector<Keyed> all = keyed(value, arguments.get(1, "attribute"), arguments.get(0, "case_sensitive"));
  if (all.empty()) return undefined();
  const Keyed* best = &all.front();
  for (const Keyed& one : all)
    if (name == "max" ? is_less(best->key, one.key) : is_less(one.key, best->key)) best = &one;
  return best->element;
}

/// batch: lists of `count` elements. slice: `count` lists, the first ones longer.
Value in_parts(const std::string& name, const Value& value, const Arguments& arguments) {
  const Value fill = arguments.get(1, "fill_with");
  const std::vector<Value> all = elements_of(value);
  const std::int64_t count = whole_or(arguments.get(0, name == "batch" ? "linecount" : "slices"), 0);
  if (count < 1 || count > 100'000) refuse("needs a number from 1 to 100000 for " + name);
  const auto number = static_cast<std::size_t>(count);
  expect_bytes(number * weight(fill));
  const std::size_t parts = name == "slice" ? number : (all.size() + number - 1) / number;
  std::vector<Value> lists;
  for (std::size_t i = 0, first = 0; i < parts; ++i) {
    const std::size_t size = name == "batch" ? number : all.size() / number + (i < all.size() % number ? 1 : 0);
    const std::size_t end = std::min(first + size, all.size());
    Value list = Value::array();
    for (; first < end; ++first) list.push_back(all[first]);
    const bool is_short = name == "batch" ? list.size() < number : i >= all.size() % number && all.size() % number > 0;
    for (std::size_t missing = is_short ? (name == "batch" ? number - list.size() : 1) : 0;
         missing > 0 && !fill.is_discarded() && !fill.is_null(); --missing)
      list.push_back(fill);
    lists.push_back(std::move(list));
  }
  return lists;
}

Value rounded(const Value& value, const Arguments& arguments) {
  if (!is_numeric(value)) refuse("rounds " + written(value));
  const Value method = arguments.get(1, "method");
  const std::string how = method.is_string() ? text_in(method) : "common";
  const std::int64_t digits = std::clamp<std::int64_t>(whole_or(arguments.get(0, "precision"), 0), -300, 300);
  if (how == "common" && is_whole(value) && digits >= 0) return value;
  const double x = calculate("*", value, 1.0).get<double>();
  if (how == "common" && digits >= 0) return std::strtod(number_formatted("", 0, digits, 'f', x).c_str(), nullptr);
  const double power = std::pow(10.0, static_cast<double>(digits));
  if (how == "ceil") return std::ceil(x * power) / power;
  if (how == "floor") return std::floor(x * power) / power;
  if (how != "common") refuse("rounds by '" + how + "', not common, ceil or floor");
  const double result = std::nearbyint(x * power) / power;
  return is_whole(value) ? Value(static_cast<std::int64_t>(std::llround(result))) : Value(result);
}

/// The number that a text begins with and is.
Value number_of(const std::string& name, const Value& value, const Arguments& arguments) {
  const Value given = arguments.get(0, "default");
  const Value otherwise = !given.is_discarded() ? given : name == "int" ? Value(0) : Value(0.0);
  if (value.is_discarded()) refuse("makes a number of what is undefined");
  if (value.is_boolean()) return name == "int" ? Value(is_true(value) ? 1 : 0) : Value(is_true(value) ? 1.0 : 0.0);
  if (value.is_number()) {
    const double number = value.get<double>();
    if (name == "float") return number;
    if (value.is_number_integer()) return value;
    return std::abs(number) < 0x1p63 ? Value(static_cast<std::int64_t>(number)) : otherwise;
  }
  if (!value.is_string()) return otherwise;
  std::string text = stripped(text_in(value), Value(), Side::both);
  text.erase(std::remove(text.begin(), text.end(), '_'), text.end());
  if (text.empty()) return otherwise;
  char* end = nullptr;
  const std::int64_t base = whole_or(arguments.get(1, "base"), 10);
  if (name == "int" && (base == 0 || (base >= 2 && base <= 36))) {
    const long long whole = std::strtoll(text.c_str(), &end, static_cast<int>(base));
    if (*end == '\0') return static_cast<std::int64_t>(whole);
  }
  const double number = std::strtod(text.c_str(), &end);
  if (*end != '\0' || text.find_first_of("xX") != std::string::npos) return otherwise;
  if (name == "float") return number;
  return std::abs(number) < 0x1p63 ? Value(static_cast<std::int64_t>(number)) : otherwise;
}

/// What Jinja makes element by element, as it is asked for them.
Value lazily(const Value& list) { return list_of(ListKind::iterator, {list.begin(), list.end()}); }

/// (key, value) of each field.
Value pairs_of(const Value& object) {
  Value all = list_of(ListKind::items, {});
  if (object.is_discarded()) return all;
  if (!object.is_object()) refuse("has no fields: " + written(object));
  for (auto item = object.begin(); item != object.end(); ++item)
    all.push_back(tuple_of({key_of(item.key()), item.value()}));
  return all;
}

Value sorted_pairs(const Value& value, const Arguments& arguments) {
  if (!value.is_object()) refuse("has no fields: " + written(value));
  const Value by = arguments.get(1, "by");
  const bool by_value = by.is_string() && text_in(by) == "value";
  std::vector<Keyed> all = keyed(pairs_of(value), by_value ? 1 : 0, arguments.get(0, "case_sensitive"));
  sort(all, is_true(arguments.get(2, "reverse")));
  return list_of(std::move(all));
}

Arguments without_first(const Arguments& arguments, std::size_t count) {
  Arguments rest{arguments};
  rest.listed.erase(rest.listed.begin(),
                    rest.listed.begin() + static_cast<std::ptrdiff_t>(std::min(count, rest.listed.size())));
  return rest;
}

/// select, reject, selectattr and rejectattr: the elements that pass a test, or those that do not.
Value chosen(const std::string& name, const Value& value, const Arguments& arguments) {
  const bool by_field = name.size() > 6, keeps = name.front() == 's';
  const std::size_t first = by_field ? 1 : 0;
  const Value test = arguments.get(first, "");
  const Arguments rest = without_first(arguments, first + 1);
  Value all = Value::array();
  if (!is_true(value)) return all;  // also of what has no elements
  for (const Value& element : elements_of(value)) {
    const Value subject = by_field ? path_of(element, arguments.get(0, "")) : element;
    const bool passes = test.is_string() ? tested(text_in(test), subject, rest) : is_true(subject);
    if (passes == keeps) all.push_back(element);
  }
  return all;
}

Value mapped(const Value& value, const Arguments& arguments) {
  Value all = Value::array();
  const auto attribute = arguments.named.find("attribute");
  const Value otherwise = arguments.get(SIZE_MAX, "default");
  expect_bytes(weight(otherwise) * shallow_weight(value) / bytes_of_value);
  const Arguments rest = without_first(arguments, 1);
  if (!is_true(value)) return all;  // also of what has no elements
  for (const Value& element : elements_of(value))
    all.push_back(arguments.listed.empty() && attribute != arguments.named.end()
                      ? path_of(element, attribute->second, otherwise)
                      : filtered(string_of(arguments.get(0, ""), "map"), element, rest));
  return all;
}

Value indented(const std::string& text, const Arguments& arguments) {
  const Value width = arguments.get(0, "width");
  if (width.is_number_integer()) expect_bytes(width.get<std::uint64_t>());
  const std::string blanks =
      width.is_string() ? std::string(text_in(width)) : std::string(static_cast<std::size_t>(whole_or(width, 4)), ' ');
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

std::string truncated(const std::string& text, const Arguments& arguments) {
  const std::int64_t length = whole_or(arguments.get(0, "length"), 255),
                     leeway = whole_or(arguments.get(3, "leeway"), 5);
  const Value given = arguments.get(2, "end");
  const std::string end = given.is_discarded() ? "..." : text_of(given);
  const std::vector<std::size_t> at = boundaries_of(text);
  const auto kept = length - static_cast<std::int64_t>(text::count_code_points(end));
  if (kept < 0 || leeway < 0) refuse("truncates to " + std::to_string(length) + " characters with '" + end + "'");
  if (static_cast<std::int64_t>(at.size()) - 1 <= length + leeway) return text;
  const std::string cut = text.substr(0, at[static_cast<std::size_t>(kept)]);
  return (is_true(arguments.get(1, "killwords")) ? cut : cut.substr(0, cut.rfind(' '))) + end;
}

/// Python's \w+.
std::int64_t words_in(const std::string& text) {
  std::int64_t words = 0;
  bool in_word = false;
  for (std::size_t i = 0, length = 0; i < text.size(); i += length) {
    length = text::code_point_at(text, i).length;
    const bool is_word = text[i] == '_' || all_are("isalnum", text.substr(i, length));
    words += is_word && !in_word ? 1 : 0;
    in_word = is_word;
  }
  return words;
}

/// A text, whose slashes stay, or the fields of a query. A blank is "+" there.
std::string url_encoded(const Value& value) {
  const auto quote = [](const std::string& text, bool in_query) {
    constexpr char digits[] = "0123456789ABCDEF";
    std::string all;
    for (const char c : text) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte < 0x80 && (std::isalnum(byte) != 0 || std::string_view("_.-~").find(c) != std::string_view::npos))
        all += c;
      else if (c == (in_query ? ' ' : '/'))
        all += in_query ? '+' : '/';
      else
        all.append({'%', digits[byte >> 4], digits[byte & 15]});
    }
    expect_bytes(all.size());
    return all;
  };
  if (!value.is_structured()) return quote(text_of(value), false);
  std::string all;
  for (const Value& pair : elements_of(value.is_object() ? pairs_of(value) : value))
    all += (all.empty() ? "" : "&") + quote(text_of(item_of(pair, 0)), true) + "=" +
           quote(text_of(item_of(pair, 1)), true);
  return all;
}

JsonStyle style_of(const Arguments& arguments) {
  JsonStyle style;
  style.ascii = is_true(arguments.get(0, "ensure_ascii"));
  const Value indent = arguments.get(1, "indent"), separators = arguments.get(2, "separators");
  if (indent.is_string()) style.indent = text_in(indent);
  if (is_whole(indent)) {
    const std::int64_t width = calculate("+", indent, 0).get<std::int64_t>();
    expect_bytes(static_cast<std::uint64_t>(std::max<std::int64_t>(width, 0)));
    style.indent.emplace(static_cast<std::size_t>(std::max<std::int64_t>(width, 0)), ' ');
  }
  if (style.indent) style.comma = ",";
  if (separators.is_array() && separators.size() == 2) {
    style.comma = string_of(separators[0], "separators");
    style.colon = string_of(separators[1], "separators");
  }
  style.sorted = is_true(arguments.get(3, "sort_keys"));
  return style;
}

Value range_of(const Arguments& arguments) {
  constexpr std::int64_t most = 100'000;
  const auto whole = [&](std::size_t at, std::int64_t otherwise) {
    const Value value = arguments.get(at, "");
    if (!is_whole(value) && !value.is_discarded()) refuse("has a range with " + written(value));
    return whole_or(value, otherwise);
  };
  const bool has_two = arguments.listed.size() > 1;
  const std::int64_t first = has_two ? whole(0, 0) : 0, last = whole(has_two ? 1 : 0, 0), step = whole(2, 1);
  if (step == 0) refuse("has a range of step 0");
  Value all = list_of(ListKind::range, {});
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

/// Fields of an object or of (key, value) pairs, then named ones.
Value object_of(const Arguments& arguments) {
  Value object = Value::object();
  const Value first = arguments.get(0, "");
  if (first.is_object()) object = first;
  if (first.is_array())
    for (const Value& pair : first) object[field_of(item_of(pair, 0))] = item_of(pair, 1);
  for (const auto& [field, value] : arguments.named) object[field] = value;
  object.get_ref<Value::object_t&>().is_namespace = false;
  return object;
}

}  // namespace

bool is_function(const std::string& name) {
  return is_one_of(name,
                   {"raise_exception", "range", "strftime_now", "namespace", "dict", "joiner", "cycler", "lipsum"});
}

Value call(const std::string& name, const Arguments& arguments) {
  if (name == "raise_exception") refuse(text_of(arguments.get(0, "message")));
  if (name == "range") return range_of(arguments);
  if (name == "strftime_now") return time_now(text_of(arguments.get(0, "format")));
  if (name == "dict") return object_of(arguments);
  if (name == "namespace") {
    Value object = object_of(arguments);
    object.get_ref<Value::object_t&>().is_namespace = true;
    return object;
  }
  refuse("calls '" + name + "', which is not known here");
}

Value filtered(const std::string& name, const Value& value, const Arguments& arguments) {
  const Value first = arguments.get(0, "");
  // Where a text comes out of a text, markup stays markup.
  const auto text = [&](std::string made) {
    return is_markup(value) ? markup_of(std::move(made)) : Value(std::move(made));
  };
  if (name == "trim") return text(stripped(text_of(value), arguments.get(0, "chars"), Side::both));
  if (name == "tojson") return json_of(value, style_of(arguments));
  if (name == "length" || name == "count") return length_of(value);
  if (name == "upper") return text(in_case(text_of(value), Case::upper));
  if (name == "lower") return text(in_case(text_of(value), Case::lower));
  if (name == "title") return text(in_case(text_of(value), Case::title_of_words));
  if (name == "capitalize") return text(in_case(text_of(value), Case::capital));
  if (name == "string") return text(text_of(value));
  if (name == "safe") return markup_of(text_of(value));
  if (name == "escape" || name == "e") return is_markup(value) ? value : markup_of(escaped(text_of(value)));
  if (name == "forceescape") return markup_of(escaped(text_of(value)));
  if (name == "replace")
    return replaced(text_of(value), arguments.get(0, "old"), arguments.get(1, "new"), arguments.get(2, "count"));
  if (name == "list") return elements_of(value);
  if (name == "join") return joined(value, text_of(arguments.get(0, "d")), arguments.get(1, "attribute"));
  if (name == "first" || name == "last") {
    if (has_numbers(value) || value.is_string()) return item_of(value, name == "first" ? 0 : -1);
    if (is_iterator(value) && name == "last") refuse("asks for the last element of an iterator");
    const std::vector<Value> all = elements_of(value);
    return all.empty() ? undefined() : name == "first" ? all.front() : all.back();
  }
  if (name == "reverse" && value.is_string()) return slice_of(value, Value(), Value(), -1);
  if (name == "reverse") {
    std::vector<Value> all = elements_of(value);
    std::reverse(all.begin(), all.end());
    return list_of(is_iterator(value) ? ListKind::list : ListKind::iterator, std::move(all));
  }
  if (name == "items") return lazily(pairs_of(value));
  if (name == "default" || name == "d") {
    const bool falls = value.is_discarded() || (is_true(arguments.get(1, "boolean")) && !is_true(value));
    const bool has_other = !arguments.listed.empty() || arguments.named.count("default_value") > 0;
    return !falls ? value : has_other ? arguments.get(0, "default_value") : Value("");
  }
  if (name == "dictsort") return sorted_pairs(value, arguments);
  if (name == "sort") return sorted(value, arguments);
  if (name == "unique") return lazily(unique(value, arguments));
  if (name == "groupby") return grouped(value, arguments);
  if (name == "min" || name == "max") return extreme(name, value, arguments);
  if (name == "sum") {
    const Value start = arguments.get(1, "start");
    Value sum = start.is_discarded() ? Value(0) : start;
    for (const Keyed& one : keyed(value, arguments.get(0, "attribute"), true)) sum = calculate("+", sum, one.key);
    return sum;
  }
  if (name == "batch" || name == "slice") return lazily(in_parts(name, value, arguments));
  if (name == "int" || name == "float") return number_of(name, value, arguments);
  if (name == "abs") return is_less(value, 0) ? calculate("-", 0, value) : calculate("+", value, 0);
  if (name == "round") return rounded(value, arguments);
  if (name == "attr") {
    if (is_namespace(value)) return item_of(value, first);
    if (has_method(value, text_of(first))) refuse("asks for the method '" + text_of(first) + "' by |attr");
    return undefined();
  }
  if (is_one_of(name, {"select", "reject", "selectattr", "rejectattr"})) return lazily(chosen(name, value, arguments));
  if (name == "map") return lazily(mapped(value, arguments));
  if (name == "indent") return text(indented(text_of(value), arguments));
  if (name == "center") return text(padded(text_of(value), whole_or(arguments.get(0, "width"), 80), '^'));
  if (name == "truncate") return truncated(text_of(value), arguments);
  if (name == "wordcount") return words_in(text_of(value));
  if (name == "urlencode") return url_encoded(value);
  if (name == "format") {
    Value fields = object_of({{}, arguments.named});
    return percent_formatted(text_of(value), fields.empty() ? tuple_of(arguments.listed) : fields);
  }
  refuse("asks for the filter '" + name + "', which is not known here");
}

bool tested(const std::string& name, const Value& value, const Arguments& arguments) {
  const Value other = arguments.get(0, "");
  if (name == "defined") return !value.is_discarded();
  if (name == "undefined") return value.is_discarded();
  if (name == "none") return value.is_null();
  if (name == "string") return value.is_string();
  if (name == "mapping") return value.is_object() && !is_namespace(value);
  if (name == "sequence" && value.is_array()) return has_numbers(value);
  if (name == "iterable" || name == "sequence")
    return (value.is_structured() && !is_namespace(value)) || value.is_string() || value.is_discarded();
  if (name == "number") return is_numeric(value);
  if (name == "integer") return value.is_number_integer();
  if (name == "float") return value.is_number_float();
  if (name == "boolean") return value.is_boolean();
  if (name == "true" || name == "false") return value.is_boolean() && value.get<bool>() == (name == "true");
  if (name == "callable") return value.is_binary() || value.is_discarded();
  if (name == "escaped") return is_markup(value);
  if (name == "upper" || name == "lower") return all_are("is" + name, text_of(value));
  if (is_one_of(name, {"==", "eq", "equalto"})) return is_equal(value, other);
  if (name == "!=" || name == "ne") return !is_equal(value, other);
  if (is_one_of(name, {"<", "lt", "lessthan"})) return is_less(value, other);
  if (is_one_of(name, {">", "gt", "greaterthan"})) return is_less(other, value);
  if (name == "<=" || name == "le") return is_less(value, other) || is_equal(value, other);
  if (name == ">=" || name == "ge") return is_less(other, value) || is_equal(value, other);
  if (name == "sameas") return value.type() == other.type() && is_equal(value, other);
  if (name == "in") return contains(other, value);
  if (name == "odd" || name == "even") return is_true(calculate("%", value, 2)) == (name == "odd");
  if (name == "divisibleby") return !is_true(calculate("%", value, other));
  refuse("asks for the test '" + name + "', which is not known here");
}

Value method(const std::string& name, const Value& value, const Arguments& arguments) {
  const Value first = arguments.get(0, "");
  if (value.is_object() && !is_namespace(value)) {
    if (name == "items") return pairs_of(value);
    if (name == "keys") return list_of(ListKind::keys, elements_of(value));
    if (name == "copy") return value;
    if (name == "get") {
      const Value found = item_of(value, first), otherwise = arguments.get(1, "default");
      return !found.is_discarded() && !found.is_binary() ? found : otherwise.is_discarded() ? Value() : otherwise;
    }
    if (name == "values") return list_of(ListKind::values, {value.begin(), value.end()});
  }
  const bool is_loop = is_namespace(value) && value.contains("index0") && value.contains("depth0");
  if (is_loop && name != "cycle") refuse("calls 'loop." + name + "', which is not known here");
  if (is_namespace(value) && name == "cycle" && value.contains("index0") && value["index0"].is_number_unsigned() &&
      !arguments.listed.empty())
    return arguments.listed[value["index0"].get<std::size_t>() % arguments.listed.size()];
  if (value.is_array() && kind_of(value) == ListKind::list && name == "copy") return value;
  if (has_numbers(value) && (name == "count" || name == "index")) {
    const auto is_first = [&](const Value& one) { return is_equal(one, first); };
    if (name == "count") return std::count_if(value.begin(), value.end(), is_first);
    const auto found = std::find_if(value.begin(), value.end(), is_first);
    if (found == value.end()) refuse("does not find " + written(first) + " in " + written(value).substr(0, 40));
    return found - value.begin();
  }
  if (value.is_string())
    if (const Value made = text_method(name, text_in(value), arguments); !made.is_discarded())
      return is_markup(value) && made.is_string() ? markup_of(text_in(made)) : made;
  refuse("calls '" + name + "', which " + (value.is_discarded() ? "undefined" : written(value).substr(0, 40)) +
         " does not have here");
}

}  // namespace attn::text::chat
