#pragma once
// Kernels for products of bf16 matrices: what is compiled for processors that multiply tiles or pairs of them.

#include <attn/core/isa.hpp>

#include <cstddef>
#include <cstdint>

namespace attn::simd {

/// y (rows, columns) = A (rows, depth) B (depth, columns), bf16 summed in f32, in the order that amx_tile.hpp says or,
/// of pairs, in one chain: an element's bits are a function of its row of A and its column of B.
struct Bf16Product {
  const std::uint16_t* a = nullptr;  ///< row-major, 32 * steps elements in each row
  std::ptrdiff_t a_stride = 0;       ///< from row to row
  const std::uint16_t* b =
      nullptr;  ///< panels of 32 columns, the last of 16 or 32: for each step a tile for 16 columns
  float* y = nullptr;
  std::ptrdiff_t y_stride = 0;
  std::size_t rows = 0, columns = 0;
  std::size_t steps = 0;  ///< of 32 along the depth, which zeros fill up
};

/// The kernels of one instruction set.
struct Bf16GemmKernels {
  void (*round)(const float* x, std::size_t count, std::uint16_t* rounded);  ///< to nearest, ties to even
  void (*multiply)(const Bf16Product&);
};

/// isa must be available here (available_isas()); null: it has none, bf16 is multiplied in f32.
const Bf16GemmKernels* bf16_gemm_kernels(Isa isa) noexcept;

}  // namespace attn::simd
