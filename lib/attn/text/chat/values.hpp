#pragma once
// The values of templates, which are Python's, and what Jinja's operators make of them.

#include <nlohmann/json.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace attn::text::chat {

// JSON has no word for these three kinds, and Jinja prints or joins them in another way.

struct Text : std::string {
  using std::string::string;
  Text(std::string text = {}) : std::string(std::move(text)) {}
  bool is_markup = false;  ///< of |safe and |escape: what is added to it is escaped
  bool is_whole = false;   ///< as the key of a field: a whole number
};

/// What Python has of lists: the last four have no elements by number, and an iterator not even a length.
enum class ListKind : std::uint8_t { list, tuple, range, keys, values, items, iterator };

template <class T, class Allocator>
struct List : std::vector<T, Allocator> {
  using std::vector<T, Allocator>::vector;
  ListKind kind = ListKind::list;
  std::shared_ptr<bool> was_read = {};  ///< of an iterator and its copies, which are empty from then on
};

template <class Key, class T, class Less, class Allocator>
struct Fields : nlohmann::ordered_map<Key, T, Less, Allocator> {
  using nlohmann::ordered_map<Key, T, Less, Allocator>::ordered_map;
  bool is_namespace = false;
};

/// Objects keep the order of their fields. The undefined value is "discarded", a function is "binary": its name.
using Value = nlohmann::basic_json<Fields, List, Text>;

inline Value undefined() { return Value(Value::value_t::discarded); }
inline bool is_whole(const Value& value) { return value.is_number_integer() || value.is_boolean(); }
inline bool is_numeric(const Value& value) { return value.is_number() || value.is_boolean(); }
inline ListKind kind_of(const Value& list) { return list.get_ref<const Value::array_t&>().kind; }
inline bool is_tuple(const Value& value) { return value.is_array() && kind_of(value) == ListKind::tuple; }
inline bool is_iterator(const Value& value) { return value.is_array() && kind_of(value) == ListKind::iterator; }
inline bool has_numbers(const Value& value) { return value.is_array() && kind_of(value) <= ListKind::range; }
inline bool is_namespace(const Value& value) {
  return value.is_object() && value.get_ref<const Value::object_t&>().is_namespace;
}
inline bool is_markup(const Value& value) { return value.is_string() && value.get_ref<const Text&>().is_markup; }
inline const Text& text_in(const Value& value) { return value.get_ref<const Text&>(); }

/// The key of a field for a text or whole number, and the other way round.
Text field_of(const Value& key);
Value key_of(const Text& field);

Value list_of(ListKind kind, std::vector<Value> elements);
inline Value tuple_of(std::vector<Value> elements) { return list_of(ListKind::tuple, std::move(elements)); }
Value markup_of(std::string text);
Value function_of(const std::string& name);
std::string function_name(const Value& function);

bool is_true(const Value& value);
/// As {{ value }} prints it, which is as Python does. Throws Error(data) for what Python prints by its address.
std::string text_of(const Value& value);
/// As Python writes a value inside a list.
std::string written(const Value& value);

/// The arguments of Python's json.dumps.
struct JsonStyle {
  std::optional<std::string> indent;  ///< of a level; none: one line
  std::string comma = ", ", colon = ": ";
  bool ascii = false, sorted = false;
};
std::string json_of(const Value& value, const JsonStyle& style = {});

/// Throws Error(data) if it is no text, with `what` as what needs one.
const std::string& string_of(const Value& value, const char* what);
/// Where its characters begin, and its end.
std::vector<std::size_t> boundaries_of(const std::string& text);
/// std::string::find in linear time.
std::size_t find_text(const std::string& text, const std::string& part, std::size_t from = 0);

constexpr std::uint64_t bytes_of_value = 48;  ///< beside its text
/// About the memory that it takes. Throws Error(data) for deep ones, which recursion handles.
std::uint64_t weight(const Value& value, std::size_t levels = 128);
/// The same, as though its elements were empty.
std::uint64_t shallow_weight(const Value& value);
/// Throws Error(data) for a text that no chat needs, and Error(memory).
void expect_bytes(std::uint64_t bytes);

/// x[key]: element, field or character; undefined where there is none.
Value item_of(const Value& value, const Value& key);
/// Has Python's text, list or object a method of that name, apart from those that change it, which templates hide?
bool has_method(const Value& value, const std::string& name);
/// x.name, which is a method before it is a field.
Value attribute_of(const Value& value, const std::string& name);
/// The elements of a list, the keys of an object, or the characters of a text. Throws Error(data) where those of an
/// iterator are asked for again.
std::vector<Value> elements_of(const Value& value);
Value slice_of(const Value& value, const Value& first, const Value& last, const Value& step);

/// + - * / // % ** ~
Value calculate(const std::string& symbol, const Value& a, const Value& b);
bool is_equal(const Value& a, const Value& b);
bool is_less(const Value& a, const Value& b);
bool contains(const Value& whole, const Value& part);

/// With entities for the characters that have a meaning in HTML.
std::string escaped(const std::string& text);
/// With characters before and after it, up to a number of characters.
std::string padded(const std::string& text, std::int64_t width, char side, const std::string& fill = " ");
/// format % values of Python.
std::string percent_formatted(const std::string& format, const Value& values);
/// snprintf with a width and a number of digits.
std::string number_formatted(const std::string& flags, std::int64_t width, std::int64_t digits, char kind,
                             const Value& number);

/// Throws Error(data); the subject and the line are added on the way up.
[[noreturn]] void refuse(const std::string& what);

}  // namespace attn::text::chat
