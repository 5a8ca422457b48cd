#include "cli/glob.hpp"

#include <fnmatch.h>

namespace cli {

bool matches_glob(const std::string& pattern, const std::string& name) noexcept {
  return pattern == name || fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

}  // namespace cli
