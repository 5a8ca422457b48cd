#pragma once
// Jinja's functions, filters and tests, and Python's methods. All four throw Error(data) for a name that is not known.

#include <attn/text/chat/texts.hpp>

#include <string>

namespace attn::text::chat {

bool is_function(const std::string& name);
Value call(const std::string& name, const Arguments& arguments);
Value filtered(const std::string& name, const Value& value, const Arguments& arguments);
bool tested(const std::string& name, const Value& value, const Arguments& arguments);
Value method(const std::string& name, const Value& value, const Arguments& arguments);

}  // namespace attn::text::chat
