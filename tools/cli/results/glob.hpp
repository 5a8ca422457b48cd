#pragma once
// Shell patterns for names of datasets.

#include <string>

namespace cli {

/// Is `name` the pattern itself, or does it match it as fnmatch(3) says: *, ?, [a-c], [!a-c], and a backslash before a
/// character that stands for itself? A star matches slashes too. One slash in front says nothing: /a, as operands have
/// it, is HDF5's a, and a is /a as safetensors may call it.
bool matches_glob(const std::string& pattern, const std::string& name) noexcept;

}  // namespace cli
