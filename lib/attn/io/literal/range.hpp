#pragma once
// Ranges as other programs write them.

#include <string>
#include <string_view>

namespace attn::io {

/// The linspace= that a range of numbers is: "0:5:0.1" and "0:0.1:5", "0..5", "seq(0,5)", "np.arange(0,5,0.1)",
/// "linspace(0,5,51)"; how to write one, where its count is not plain; empty for other texts.
std::string range_hint(std::string_view text);

}  // namespace attn::io
