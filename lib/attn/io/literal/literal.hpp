#pragma once
// Tensors written out in an operand.

#include <attn/core/tensor.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace attn::io {

/// The tensor of a literal, or none if the text does not have the form of one:
///
///     0.5                  a scalar, f64
///     2x2xf32=1,2,3,4      extents, dtype, elements in row-major order; one element fills the whole shape
///     i64=3,5  str=a,b     a vector as long as its elements
///     linspace=0,10,101    101 numbers from 0 to 10, both included, f64
///
/// Throws Error(usage) for an impossible literal, Error(memory) for one beyond the limit of memory_account().
std::optional<TensorView> parse_literal(std::string_view text);

/// How to write a literal, if the text, which is not a file, looks like one: an error in its type, a range, or numbers
/// separated by commas, alone or after an equals sign; else empty.
std::string literal_hint(std::string_view text);

}  // namespace attn::io
