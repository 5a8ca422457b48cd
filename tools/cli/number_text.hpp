#pragma once
// Numbers in lines of text.

#include <charconv>
#include <string>

namespace cli {

/// x, a float or a double, with `digits` significant digits; 0: the fewest that read back as x.
template <class T>
std::string number_text(T x, int digits) {
  char text[32];
  const auto end = digits > 0 ? std::to_chars(text, text + sizeof text, x, std::chars_format::general, digits)
                              : std::to_chars(text, text + sizeof text, x);
  return {text, end.ptr};
}

}  // namespace cli
