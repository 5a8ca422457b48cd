#pragma once
#include <limits>

namespace attn {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace attn
