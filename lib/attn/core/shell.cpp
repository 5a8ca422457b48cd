#include <attn/core/shell.hpp>

#include <algorithm>

namespace attn {

// Control characters are octal numbers in $'...', which POSIX 2024 requires of shells.
std::string shell_quoted(const std::string& word) {
  constexpr const char* plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
  if (std::none_of(word.begin(), word.end(), is_control)) {
    std::string quoted = "'";
    for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
  }
  std::string quoted = "$'";
  for (const char c : word) {
    if (c == '\n')
      quoted += "\\n";
    else if (is_control(static_cast<unsigned char>(c)))
      quoted +=
          {'\\', static_cast<char>('0' + c / 64), static_cast<char>('0' + c / 8 % 8), static_cast<char>('0' + c % 8)};
    else
      quoted += (c == '\'' || c == '\\' ? "\\" : "") + std::string(1, c);
  }
  return quoted + "'";
}

}  // namespace attn
