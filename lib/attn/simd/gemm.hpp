#pragma once
// Kernels for products of packed matrices: what is compiled once per instruction set.

#include <attn/core/activation.hpp>
#include <attn/core/dtype.hpp>
#include <attn/core/isa.hpp>

#include <cstddef>

namespace attn::simd {

/// How the elements of a packed matrix are stored.
enum class Storage : unsigned char { full, half, bfloat };

/// How kernels are told of elements that they widen to f32: f16, bf16, or those that they compute with.
inline Storage storage_of(DType stored) noexcept {
  if (stored == DType::f16) return Storage::half;
  return stored == DType::bf16 ? Storage::bfloat : Storage::full;
}

/// Rows that one call of a product takes, a multiple of the largest register tile.
inline constexpr std::size_t most_rows = 96, most_tile_rows = 6;

/// Rows of the register tile that comes next where so many are left.
inline constexpr std::size_t rows_of_tile(std::size_t left) {
  return left >= most_tile_rows ? most_tile_rows : left >= 4 ? 4 : left >= 2 ? 2 : left;
}

/// Steps of the depth that lie side by side in packed rows: those of a tile are (depth / group, rows, group).
template <class T>
inline constexpr std::size_t row_group = 16 / sizeof(T);

/// y (rows, columns) = act([y +] A (rows, depth) B (depth, columns) + bias), one panel of B at a time.
///
/// Each element of the product is one chain of multiply-adds along the depth, from 0, or one after another: its bits
/// depend neither on how many rows or columns there are nor on where in a tile it lies.
template <class T>
struct PanelProduct {
  const T* a = nullptr;         ///< row-major, or packed, tile after tile
  std::ptrdiff_t a_stride = 0;  ///< from row to row, or from each row's share of a tile to the next; whole groups then
  bool is_packed = false;       ///< are the rows packed? Then `part` is not used
  const void* panel = nullptr;  ///< depth x panel width, row-major
  const void* next = nullptr;   ///< the panel that is needed next, fetched meanwhile; null: none
  T* y = nullptr;
  std::ptrdiff_t y_stride = 0;                   ///< from row to row
  std::size_t rows = 0, columns = 0, depth = 0;  ///< at most most_rows
  std::size_t part = 0;                          ///< many rows take as much of the depth at a time; 0: all of it
  bool accumulate = false;                       ///< add to y
  const T* bias = nullptr;                       ///< (columns), or null
  Activation activation = Activation::none;
};

/// The same for one row and several full panels, read side by side: one panel alone is a chain too slow for memory.
template <class T>
struct RowProduct {
  const T* x = nullptr;          ///< (depth)
  const void* panels = nullptr;  ///< each (depth, panel width)
  std::size_t panel_stride = 0;  ///< elements from panel to panel
  std::size_t count = 0, depth = 0;
  T* y = nullptr;  ///< (count * panel width)
  bool accumulate = false;
};

/// y (columns) = [y +] x (depth) B for one row and a matrix that lies as a file stores it: the same chains.
template <class T>
struct StoredProduct {
  const T* x = nullptr;
  const void* weight = nullptr;                  ///< B(0, 0)
  std::ptrdiff_t in_stride = 1, out_stride = 1;  ///< elements from input to input, from column to column; one is 1
  std::size_t columns = 0, depth = 0;
  T* y = nullptr;
  bool accumulate = false;
};

/// y (rows, columns) = [y +] A^T B for A (depth, rows) and one panel of B (depth, columns): the same chains.
template <class T>
struct ColumnProduct {
  const T* a = nullptr;
  std::ptrdiff_t a_stride = 0;  ///< from step to step; rows are side by side
  const T* panel = nullptr;     ///< depth x panel width, row-major
  T* y = nullptr;
  std::ptrdiff_t y_stride = 0;  ///< from row to row
  std::size_t rows = 0, columns = 0, depth = 0;
  bool accumulate = false;
};

/// act(y + bias), in place.
template <class T>
struct Finish {
  T* y = nullptr;
  std::ptrdiff_t y_stride = 0;
  std::size_t rows = 0, columns = 0;
  const T* bias = nullptr;  ///< (columns), or null
  Activation activation = Activation::none;
};

/// The kernels of one instruction set.
template <class T>
struct GemmKernels {
  std::size_t panel_width;   ///< columns of a full panel
  std::size_t vector_width;  ///< panels are multiples of it wide
  /// By Storage; null for f64, which is stored as it is.
  void (*multiply[3])(const PanelProduct<T>&);
  /// By Storage.
  void (*multiply_row[3])(const RowProduct<T>&);
  /// By Storage.
  void (*multiply_stored[3])(const StoredProduct<T>&);
  void (*multiply_columns)(const ColumnProduct<T>&);
  void (*finish)(const Finish<T>&);
};

/// isa must be available here (available_isas()).
template <class T>
const GemmKernels<T>& gemm_kernels(Isa isa) noexcept;

}  // namespace attn::simd
