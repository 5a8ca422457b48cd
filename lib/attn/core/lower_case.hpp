#pragma once
// Names that are the same however they are written: suffixes, formats, words of other programs.

#include <string>

namespace attn {

/// The text with the letters A to Z made small, in every locale.
inline std::string lower_case(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

}  // namespace attn
