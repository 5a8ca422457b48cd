#pragma once
// Jinja's functions, filters, tests and methods.

#include <attn/text/chat/values.hpp>

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

// All four throw Error(data) for a name that is not known.
Value call(const std::string& name, const Arguments& arguments);
Value filtered(const std::string& name, const Value& value, const Arguments& arguments);
bool tested(const std::string& name, const Value& value, const Arguments& arguments);
Value method(const std::string& name, const Value& value, const Arguments& arguments);

}  // namespace attn::text::chat
