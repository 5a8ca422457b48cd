#pragma once
// Elements as formats store them: little or big endian, aligned or not, used in place if possible.

#include <attn/core/shape.hpp>
#include <attn/core/tensor.hpp>
#include <attn/io/byte_input.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace attn::io {

/// More axes mean a damaged header or an error: no tensor has them, and lists of them would fill a screen.
constexpr std::size_t most_axes = 64;

/// Layout of a tensor in bytes.
struct StoredTensor {
  DType dtype = DType::f64;  ///< numbers only
  Shape shape;
  Strides strides;  ///< in elements; empty: row-major
  bool swap_bytes = false;
};

/// The part of the tensor that starts at the first of `bytes`: in place if byte order and alignment allow, else a copy
/// of that part. Booleans become 0 and 1. Throws Error(input) if there are too few bytes.
TensorView view_stored(const Bytes& bytes, const StoredTensor& stored, const Slab& part, const std::string& name);

/// The stored bytes of a tensor, 0 without elements. Throws Error(data) that names `label` for a shape that no file can
/// hold, ignoring empty axes, so that strides can be computed afterwards.
std::size_t stored_bytes(const Shape& shape, std::size_t element_bytes, const std::string& label);

/// Swaps the byte order of elements, in place.
void swap_elements(void* data, std::size_t count, std::size_t element_bytes) noexcept;

/// Bytes that are neither 0 nor 1 become 1.
void normalise_booleans(std::uint8_t* data, std::size_t count) noexcept;
bool are_booleans(const std::uint8_t* data, std::size_t count) noexcept;

/// Adds a character by its number, at most 0x10ffff.
void append_utf8(std::string& text, std::uint32_t code);

/// Passes all bytes of x on in row-major order, without a copy if x is contiguous. Numbers only.
void for_each_run(const TensorView& x, const std::function<void(const void* data, std::size_t bytes)>& consume);

}  // namespace attn::io
