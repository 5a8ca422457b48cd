#pragma once
// The values of templates and what Jinja's operators make of them.

#include <nlohmann/json.hpp>

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
std::vector<std::string> characters(const std::string& text);

/// Element, field or character; undefined where there is none.
Value item_of(const Value& value, const Value& key);
/// The elements of a list, the keys of an object, or the characters of a text.
std::vector<Value> elements_of(const Value& value);
Value slice_of(const Value& value, const Value& first, const Value& last, const Value& step);

/// + - * / // % **
Value calculate(const std::string& symbol, const Value& a, const Value& b);
bool is_less(const Value& a, const Value& b);
bool contains(const Value& whole, const Value& part);

/// Throws Error(data); the subject and the line are added on the way up.
[[noreturn]] void refuse(const std::string& what);

}  // namespace attn::text::chat
