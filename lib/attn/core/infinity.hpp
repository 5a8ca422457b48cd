#pragma once
#include <attn/core/api.hpp>

#include <limits>

namespace ATTN_API attn {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace attn
