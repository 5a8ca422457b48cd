#pragma once
// Shell patterns for names of datasets.

#include <string_view>

namespace cli {

/// Does `name` match the pattern of *, ? and literal characters? A star matches slashes too.
bool matches_glob(std::string_view pattern, std::string_view name) noexcept;

}  // namespace cli
