#pragma once
// Sizes of the tiles that products of bf16 pieces go through (see bf16x3.hpp).

#include <cstddef>

namespace attn::simd {

inline constexpr std::size_t bf16x3_step = 32;  ///< elements of depth, which zeros fill up
inline constexpr std::size_t bf16x3_side = 16;  ///< rows or columns of a tile

}  // namespace attn::simd
