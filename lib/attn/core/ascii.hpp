#pragma once
// Names compared letter by letter: suffixes, formats, words of other programs.

#include <attn/core/api.hpp>

#include <string>
#include <string_view>

namespace ATTN_API attn {

/// The text with the letters A to Z made small, in every locale.
inline std::string lower_case(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

inline bool starts_with(std::string_view text, std::string_view start) noexcept {
  return text.substr(0, start.size()) == start;
}
inline bool ends_with(std::string_view text, std::string_view end) noexcept {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

}  // namespace attn
