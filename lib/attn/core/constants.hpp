#pragma once
// Numbers with a name.

#include <attn/core/export.hpp>

#include <limits>

namespace ATTN_API attn {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

inline constexpr double pi = 3.14159265358979323846;

}  // namespace attn
