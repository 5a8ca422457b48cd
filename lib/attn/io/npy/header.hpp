#pragma once
// The header of an NPY file: a Python dictionary as text.

#include <attn/core/dtype.hpp>
#include <attn/core/shape.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace attn::io {

struct NpyHeader {
  char order = '|', kind = 0;  ///< '<' little, '>' big endian; 'f', 'i', 'u', 'b', 'S', 'U', 'V'
  std::size_t width = 0;       ///< bytes of an element, characters of a 'U'
  bool fortran_order = false;
  Shape shape;
};

/// Throws Error(data) that names `label`.
NpyHeader parse_npy_header(std::string_view text, const std::string& label);

/// False for elements that are neither numbers nor strings. NumPy has no bfloat16; ml_dtypes stores it as two void
/// bytes.
bool npy_dtype(const NpyHeader& header, DType& dtype);

/// Throws Error(data) for elements of another type, such as "|O", with a hint how to save them as numbers.
[[noreturn]] void refuse_npy_type(std::string_view descr, const std::string& label);

/// The header after the ten fixed bytes of version 1, padded so that elements start at a multiple of 64, as NumPy
/// writes it; for numbers. A shape of 64 axes still fits.
std::string npy_header_text(DType dtype, const Shape& shape);

}  // namespace attn::io
