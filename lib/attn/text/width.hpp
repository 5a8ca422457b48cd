#pragma once
// Width of text in the cells of a terminal.

#include <attn/core/api.hpp>

#include <cstddef>

namespace ATTN_API attn {
namespace text {

/// 2 for wide letters (Chinese, Japanese, Korean, emoji), 0 for accents that join the letter before, else 1.
std::size_t cells_of(char32_t code_point) noexcept;

}  // namespace text
}  // namespace attn
