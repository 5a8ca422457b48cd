#pragma once
// The values of templates and what Jinja's operators make of them.

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace attn::text::chat {

/// Objects keep the order of their fields. The undefined value is "discarded".
using Value = nlohmann::ordered_json;

inline Value undefined() { return Value(Value::value_t::discarded); }

bool is_true(const Value& value);
/// As {{ value }} prints it, which is as Python does.
std::string text_of(const Value& value);
/// As Python writes a value inside a list.
std::string written(const Value& value);
/// As JSON, with a blank after comma and colon.
std::string json_of(const Value& value, int indent = 0);

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

/// Element, field or character; undefined where there is none.
Value item_of(const Value& value, const Value& key);
/// The elements of a list, the keys of an object, or the characters of a text.
std::vector<Value> elements_of(const Value& value);
Value slice_of(const Value& value, const Value& first, const Value& last, const Value& step);

/// + - * / // % ** ~
Value calculate(const std::string& symbol, const Value& a, const Value& b);
bool is_less(const Value& a, const Value& b);
bool contains(const Value& whole, const Value& part);

/// Throws Error(data); the subject and the line are added on the way up.
[[noreturn]] void refuse(const std::string& what);

// Jinja's functions, filters, tests and methods.

struct Arguments {
  std::vector<Value> listed;
  std::map<std::string, Value> named;

  /// By place or by name, or undefined.
  Value get(std::size_t at, const std::string& name) const;
};

// All four throw Error(data) for a name that is not known.
Value call(const std::string& name, const Arguments& arguments);
Value filtered(const std::string& name, const Value& value, const Arguments& arguments);
bool tested(const std::string& name, const Value& value, const Arguments& arguments);
Value method(const std::string& name, const Value& value, const Arguments& arguments);

}  // namespace attn::text::chat
