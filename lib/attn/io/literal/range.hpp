#pragma once
// Ranges in the syntax of other programs.

#include <string>
#include <string_view>

namespace attn::io {

/// The linspace= for a range of numbers: "0:5:0.1" and "0:0.1:5", "0..5", "seq(0,5)", "np.arange(0,5,0.1)",
/// "linspace(0,5,51)"; a hint how to write it if its count is not clear; empty for other texts.
std::string range_hint(std::string_view text);

}  // namespace attn::io
