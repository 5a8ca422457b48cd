#pragma once
// Tensors written out in an operand.

#include <attn/core/tensor.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace attn::io {

/// The tensor that a literal spells, or none when the text has not the form of a literal:
///
///     0.5                  a scalar, f64
///     2x2xf32=1,2,3,4      extents, dtype, elements in row-major order; one element fills the whole shape
///     i64=3,5  str=a,b     a vector as long as its elements
///     linspace=0,10,101    101 numbers from 0 to 10, both included, f64
///
/// Throws Error(usage) for a literal that says something impossible, Error(memory) for one beyond what memory_account()
/// allows.
std::optional<TensorView> parse_literal(std::string_view text);

/// How to write a literal, where the text, which is no file, seems to be meant as one: a slip in its type, a range, or
/// numbers with commas between, alone or behind an equals sign; else empty.
std::string literal_hint(std::string_view text);

}  // namespace attn::io
