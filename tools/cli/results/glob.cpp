#include "cli/results/glob.hpp"

#include <fnmatch.h>

#include <cstring>

namespace cli {
namespace {

const char* without_slash(const std::string& name) noexcept {
  return name.c_str() + (name.find_first_not_of('/') == 1 ? 1 : 0);
}

bool matches(const char* pattern, const char* name) noexcept {
  return std::strcmp(pattern, name) == 0 || fnmatch(pattern, name, 0) == 0;
}

}  // namespace

bool matches_glob(const std::string& pattern, const std::string& name) noexcept {
  return matches(pattern.c_str(), name.c_str()) || matches(without_slash(pattern), without_slash(name));
}

}  // namespace cli
