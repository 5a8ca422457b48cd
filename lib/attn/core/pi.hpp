#pragma once

namespace attn {

inline constexpr double pi = 3.14159265358979323846;

}  // namespace attn
