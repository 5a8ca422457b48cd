#pragma once
// How wide text is where every letter has a cell, as in a terminal.

#include <attn/core/api.hpp>

#include <cstddef>

namespace ATTN_API attn {
namespace text {

/// 2 for wide letters (Chinese, Japanese, Korean, emoji), 0 for accents that join the letter before, else 1.
std::size_t cells_of(char32_t code_point) noexcept;

}  // namespace text
}  // namespace attn
