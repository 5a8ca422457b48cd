#pragma once
// What Python and Jinja make of texts: parts, cases, formats, methods.

#include <attn/text/chat/values.hpp>

#include <initializer_list>
#include <map>
#include <string>
#include <vector>

namespace attn::text::chat {

struct Arguments {
  std::vector<Value> listed;
  std::map<std::string, Value> named;

  /// By place or by name, or undefined.
  Value get(std::size_t at, const std::string& name) const;
};

bool is_one_of(const std::string& name, std::initializer_list<const char*> names);
std::int64_t whole_or(const Value& value, std::int64_t otherwise);

enum class Side { both, left, right };
/// Without characters of `set` at its ends, or white space.
std::string stripped(const std::string& text, const Value& set, Side side);

enum class Case { upper, lower, capital, title, title_of_words, swapped };
std::string in_case(const std::string& text, Case how);

Value replaced(const std::string& text, const Value& old, const Value& by, const Value& count);
std::vector<Value> split(const std::string& text, const Value& separator, const Value& most);
/// The texts of the elements, or of a field of theirs, with a separator between them.
std::string joined(const Value& value, const std::string& separator, const Value& attribute = undefined());
/// A field of a field, "function.name", or an element.
Value path_of(const Value& value, const Value& path, const Value& otherwise = undefined());
/// isalpha and the like: all characters are of a kind, and there is one.
bool all_are(const std::string& name, const std::string& text);
/// A method of a text; undefined if there is none of that name.
Value text_method(const std::string& name, const std::string& text, const Arguments& arguments);

}  // namespace attn::text::chat
