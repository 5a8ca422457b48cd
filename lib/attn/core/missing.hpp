#pragma once
// What text says where a value is missing.

#include <attn/core/api.hpp>

#include <string_view>

namespace ATTN_API attn {

/// Nothing, NA, NaN or a dot, as in tables of statistics.
inline bool is_missing(std::string_view text) noexcept {
  return text.empty() || text == "NA" || text == "." || text == "NaN" || text == "nan";
}

}  // namespace attn
