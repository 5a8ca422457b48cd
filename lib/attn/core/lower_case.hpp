#pragma once
// Names without distinction of case: suffixes, formats, words of other programs.

#include <string>

namespace attn {

/// The text with A to Z in lower case, in every locale.
inline std::string lower_case(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

}  // namespace attn
