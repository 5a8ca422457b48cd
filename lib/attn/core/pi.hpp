#pragma once

#include <attn/core/api.hpp>

namespace ATTN_API attn {

inline constexpr double pi = 3.14159265358979323846;

}  // namespace attn
