#pragma once
// Shell patterns for names of datasets.

#include <string>

namespace cli {

/// Is `name` the pattern itself, or does it match it as fnmatch(3) says: *, ?, [a-c], [!a-c], and a backslash before a
/// character that stands for itself? A star matches slashes too.
bool matches_glob(const std::string& pattern, const std::string& name) noexcept;

}  // namespace cli
