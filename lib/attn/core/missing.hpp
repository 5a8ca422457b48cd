#pragma once
// The marks of missing values in text.

#include <string_view>

namespace attn {

/// Nothing, NA, NaN or a dot, as in tables of statistics.
inline bool is_missing(std::string_view text) noexcept {
  return text.empty() || text == "NA" || text == "." || text == "NaN" || text == "nan";
}

}  // namespace attn
