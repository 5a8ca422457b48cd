#pragma once
// Elements as formats store them: little or big endian, aligned or not, in place wherever possible.

#include <attn/core/slab.hpp>
#include <attn/core/tensor.hpp>
#include <attn/io/byte_input.hpp>

#include <cstddef>
#include <functional>
#include <string>

namespace attn::io {

/// More are a damaged header, or a mistake: no tensor has them, and lists of them would fill a screen.
constexpr std::size_t most_axes = 64;

/// How a tensor lies in bytes.
struct StoredTensor {
  DType dtype = DType::f64;  ///< numbers only
  Shape shape;
  Strides strides;  ///< in elements; empty: row-major
  bool swap_bytes = false;
};

/// The part of the tensor that starts at the first of `bytes`: in place where byte order and alignment allow, a copy of
/// that part otherwise. Booleans come out as 0 and 1 whatever was stored. Throws Error(input) when the bytes are too
/// few.
TensorView view_stored(const Bytes& bytes, const StoredTensor& stored, const Slab& part, const std::string& name);

/// The bytes that a tensor needs where it is stored, 0 when it has no elements. Throws Error(data) naming `label` for a
/// shape that no file can hold, empty axes left aside, so that strides can be computed after it.
std::size_t stored_bytes(const Shape& shape, std::size_t element_bytes, const std::string& label);

/// Elements in the other byte order, in place.
void swap_elements(void* data, std::size_t count, std::size_t element_bytes) noexcept;

/// Bytes that are neither 0 nor 1 become 1.
void normalise_booleans(std::uint8_t* data, std::size_t count) noexcept;
bool are_booleans(const std::uint8_t* data, std::size_t count) noexcept;

/// Hands out all bytes of x in row-major order, in place where x is contiguous. Numbers only.
void for_each_run(const TensorView& x, const std::function<void(const void* data, std::size_t bytes)>& consume);

}  // namespace attn::io
