#pragma once
// Kernels for products of f32 matrices as sums of products of bf16: what is compiled for processors with tiles of them.

#include <attn/simd/gemm.hpp>
#include <attn/simd/vector/bf16x3_sizes.hpp>

#include <cstddef>
#include <cstdint>

namespace attn::simd {

/// Steps of the depth in a part, and columns that are multiplied together.
inline constexpr std::size_t bf16x3_part_steps = 4, bf16x3_columns = 64;
inline constexpr std::size_t bf16x3_part = bf16x3_part_steps * bf16x3_step;
/// As many rows as one tile has, and fewer, go through a matrix in the order of memory; so few need no tiles.
inline constexpr std::size_t bf16x3_few_rows = bf16x3_side, bf16x3_least_rows = 2;

/// Tiles of rows; they come in pairs where rows are not few.
inline constexpr std::size_t bf16x3_tiles(std::size_t rows) {
  return rows <= bf16x3_few_rows ? 1 : (rows + 2 * bf16x3_side - 1) / (2 * bf16x3_side) * 2;
}
/// Elements that the pieces of (rows, depth) take: parts of the depth, in each the tiles of rows, in each the steps, in
/// each the tiles of the three pieces (see bf16x3.hpp).
inline constexpr std::size_t bf16x3_elements(std::size_t rows, std::size_t depth) {
  return (depth + bf16x3_part - 1) / bf16x3_part * bf16x3_tiles(rows) * 3 * bf16x3_side * bf16x3_part;
}

/// Numbers that the pieces of a row are: steps, in each the three pieces.
inline constexpr std::size_t bf16x3_numbers(std::size_t depth) {
  return (depth + bf16x3_step - 1) / bf16x3_step * 3 * bf16x3_step;
}

/// sums (rows of whole tiles, 64) = [sums +] A (rows, depth) B (depth, columns): an element's bits are a function of
/// its row of A and its column of B. Few rows begin anew.
struct Bf16x3Product {
  const std::uint16_t* pieces = nullptr;  ///< of A
  const void* b = nullptr;                ///< B(0, 0)
  std::ptrdiff_t b_stride = 0;            ///< elements from step to step along the depth; columns lie side by side
  const void* next = nullptr;             ///< what is read after it, fetched meanwhile; null: nothing
  float* sums = nullptr;
  std::size_t rows = 0, columns = 0, depth = 0;  ///< columns: at most bf16x3_columns
  bool accumulate = false;
  float* largest = nullptr;  ///< the largest magnitude in B of few rows, null: nobody asks; NaN may be passed over
  /// What has ended goes to y (rows, columns) = sums + bias; null: it goes on.
  float* y = nullptr;
  std::ptrdiff_t y_stride = 0;
  const float* bias = nullptr;   ///< (columns), or null
  const float* least = nullptr;  ///< (rows): sums have to be finite and of at least such a magnitude,
  bool* has_unsound = nullptr;   ///< (rows): or else this becomes true
};

/// y (rows, columns) = A (rows, depth) B (depth, columns) for one or two rows and a matrix that lies in any way, the
/// same bits.
struct Bf16x3RowProduct {
  const float* numbers = nullptr;  ///< the pieces of the rows of A as numbers, row by row
  const void* b = nullptr;
  std::ptrdiff_t in_stride = 1, out_stride = 1;  ///< elements from step to step, from column to column; one is 1
  float* y = nullptr;
  std::ptrdiff_t y_stride = 0;
  std::size_t rows = 0, columns = 0, depth = 0;
  float* largest = nullptr;  ///< that of each 64 columns of B, null: nobody asks; NaN may be passed over
};

/// The kernels of one instruction set.
struct Bf16x3GemmKernels {
  /// Pieces of x (rows, depth).
  void (*split)(const float* x, std::ptrdiff_t stride, std::size_t rows, std::size_t depth, std::uint16_t* pieces);
  /// By Storage of B.
  void (*multiply[3])(const Bf16x3Product&);
  /// The pieces of one row as bf16x3_numbers(depth) numbers.
  void (*split_row)(const float* x, std::size_t depth, float* numbers);
  /// By Storage of B.
  void (*multiply_rows[3])(const Bf16x3RowProduct&);
  /// The largest magnitude of so many numbers; NaN may be passed over.
  float (*largest)(const float* x, std::size_t count);
  /// Is every one of so many numbers finite and its magnitude at least `least`?
  bool (*are_sound)(const float* y, std::size_t count, float least);
};

/// isa must be available here (available_isas()); null: it has none, f32 is multiplied in vectors.
const Bf16x3GemmKernels* bf16x3_gemm_kernels(Isa isa) noexcept;

}  // namespace attn::simd
