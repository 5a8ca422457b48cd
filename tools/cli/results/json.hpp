#pragma once
// Reports as JSON Lines, where --json asks for them. Numbers that are not finite become null.

#include <nlohmann/json.hpp>

#include <string>

namespace cli {

using Json = nlohmann::ordered_json;

/// The object in one line; bytes that are not UTF-8 become U+FFFD.
inline std::string json_line(const Json& object) {
  return object.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace cli
