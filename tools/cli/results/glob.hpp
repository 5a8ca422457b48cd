#pragma once
// Shell patterns for names of datasets.

#include <string>

namespace cli {

/// Does `name` equal the pattern, or match it by fnmatch(3): *, ?, [a-c], [!a-c], and a backslash before a literal
/// character? A star also matches slashes. A leading slash is ignored in both: /a of an operand is a in HDF5, and
/// safetensors may have the name /a.
bool matches_glob(const std::string& pattern, const std::string& name) noexcept;

}  // namespace cli
