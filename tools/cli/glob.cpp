#include "cli/glob.hpp"

namespace cli {

bool matches_glob(std::string_view pattern, std::string_view name) noexcept {
  std::size_t p = 0, n = 0;
  // Where to go on when a later part does not fit: behind the last star, one more character taken by it.
  std::size_t star = std::string_view::npos, taken = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      taken = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++taken;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace cli
