#include <attn/matrix/stored_matrix.hpp>

#include <attn/core/execution.hpp>
#include <attn/matrix/bf16_product.hpp>
#include <attn/matrix/bf16x3_product.hpp>
#include <attn/matrix/packed_matrix.hpp>

#include <algorithm>
#include <iterator>
#include <type_traits>

namespace attn {
namespace {

struct Numbers;
struct Pieces;

constexpr std::size_t column_block = 128;  // columns that all rows are multiplied with while they are in the caches

/// Some rows of y = x W^T at the columns [first, last), as multiply-adds or pieces give them.
template <class T>
struct StoredWalk {
  const simd::GemmKernels<T>& kernels;
  const simd::Bf16x3GemmKernels* piece_kernels;
  const TensorView& weight;
  Strided<const T, 2> x;
  Strided<T, 2> y;

  const T* row_of_x(std::size_t row) const { return x.data + static_cast<std::ptrdiff_t>(row) * x.strides[0]; }
  T* row_of_y(std::size_t row) const { return y.data + static_cast<std::ptrdiff_t>(row) * y.strides[0]; }
  std::size_t storage() const { return static_cast<std::size_t>(simd::storage_of(weight.dtype)); }
  const void* weight_at(std::size_t column, std::size_t k) const {
    return static_cast<const unsigned char*>(weight.data) + (static_cast<std::ptrdiff_t>(column) * weight.strides[0] +
                                                             static_cast<std::ptrdiff_t>(k) * weight.strides[1]) *
                                                                static_cast<std::ptrdiff_t>(element_size(weight.dtype));
  }

  /// sums: of the columns alone.
  void add_products(std::size_t row, std::size_t k, std::size_t column, std::size_t columns, T* sums) const {
    simd::StoredProduct<T> product;
    product.x = row_of_x(row) + k;
    product.in_stride = weight.strides[1];
    product.out_stride = weight.strides[0];
    product.weight = weight_at(column, k);
    product.columns = columns;
    product.depth = std::min(depth_block, weight.shape[1] - k);
    product.y = sums;
    product.accumulate = k > 0;
    kernels.multiply_stored[storage()](product);
  }

  void multiply(std::size_t column, std::size_t columns) const {
    for (std::size_t k = 0; k < weight.shape[1] || k == 0; k += depth_block)
      for (std::size_t row = 0; row < x.shape[0]; ++row) add_products(row, k, column, columns, row_of_y(row) + column);
  }

  /// Some rows, at most two, in vectors; largest: of each bf16x3_columns columns, or null.
  void multiply_numbers(std::size_t row, std::size_t column, std::size_t columns, float* largest) const {
    const simd::Bf16x3GemmKernels& pieces = *piece_kernels;
    simd::Bf16x3RowProduct product;
    product.rows = std::min(simd::bf16x3_least_rows, x.shape[0] - row);
    product.numbers = split_rows<Numbers>(pieces, {row_of_x(row), x.strides[0]}, product.rows, weight.shape[1]);
    product.b = weight_at(column, 0);
    product.in_stride = weight.strides[1];
    product.out_stride = weight.strides[0];
    product.y = row_of_y(row) + column;
    product.y_stride = y.strides[0];
    product.columns = columns;
    product.depth = weight.shape[1];
    product.largest = largest;
    pieces.multiply_rows[storage()](product);
  }

  /// All rows in tiles, where columns lie side by side; so many as few are for packed panels too.
  void multiply_tiles(std::size_t column, std::size_t columns, float* largest) const {
    const simd::Bf16x3GemmKernels& kernel = *piece_kernels;
    const std::size_t rows = x.shape[0], inputs = weight.shape[1];
    auto* const pieces = reinterpret_cast<std::uint16_t*>(
        simd::scratch<Pieces>(simd::bf16x3_elements(rows, inputs) * sizeof(std::uint16_t)));
    kernel.split(x.data, x.strides[0], rows, inputs, pieces);
    alignas(64) float sums[simd::bf16x3_few_rows * simd::bf16x3_columns];
    for (std::size_t first = 0; first < columns; first += simd::bf16x3_columns) {
      simd::Bf16x3Product product;
      product.pieces = pieces;
      product.b = weight_at(column + first, 0);
      product.b_stride = weight.strides[1];
      product.sums = sums;
      product.rows = rows;
      product.columns = std::min(simd::bf16x3_columns, columns - first);
      product.depth = inputs;
      product.largest = largest + first / simd::bf16x3_columns;
      kernel.multiply[storage()](product);
      for (std::size_t row = 0; row < rows; ++row)
        std::copy_n(sums + row * simd::bf16x3_columns, product.columns, row_of_y(row) + column + first);
    }
  }

  void multiply_pieces(std::size_t column, std::size_t columns) const {
    const simd::Bf16x3GemmKernels& pieces = *piece_kernels;
    const std::size_t rows = x.shape[0], inputs = weight.shape[1];
    float largest[column_block / simd::bf16x3_columns];
    if (rows > simd::bf16x3_least_rows && weight.strides[0] == 1)
      multiply_tiles(column, columns, largest);
    else
      for (std::size_t row = 0; row < rows; row += simd::bf16x3_least_rows)
        multiply_numbers(row, column, columns, row == 0 ? largest : nullptr);
    if (weight.dtype == DType::f16) std::fill(std::begin(largest), std::end(largest), largest_half);  // as if packed
    for (std::size_t row = 0; row < rows; ++row) {
      const float largest_of_row = pieces.largest(row_of_x(row), inputs);
      mend_row(
          pieces, row_of_y(row) + column, columns,
          [&](std::size_t from) { return least_sound(largest_of_row, largest[from / simd::bf16x3_columns]); },
          [&](std::size_t from, float* sums) {
            for (std::size_t k = 0; k < inputs; k += depth_block)
              add_products(row, k, column + from, std::min(simd::bf16x3_columns, columns - from), sums);
          });
    }
  }
};

}  // namespace

bool is_readable_as_stored(const TensorView& weight, DType compute, Isa isa) {
  const bool lies_so = weight.rank() == 2 && (weight.strides[0] == 1 || weight.strides[1] == 1);
  if (!lies_so) return false;
  if (compute == DType::f64) return weight.dtype == DType::f64;
  return !is_multiplied_as_bf16(weight, compute, isa) &&
         (weight.dtype == DType::f32 || weight.dtype == DType::f16 || weight.dtype == DType::bf16);
}

template <class T>
void multiply_stored(const TensorView& weight, Strided<const T, 2> x, Strided<T, 2> y, const Epilogue<T>& epilogue,
                     const Execution& execution) {
  const std::size_t outputs = weight.shape[0], inputs = weight.shape[1];
  const StoredWalk<T> walk{simd::gemm_kernels<T>(execution.isa), simd::bf16x3_gemm_kernels(execution.isa), weight, x,
                           y};
  const std::size_t blocks = (outputs + column_block - 1) / column_block;
  execution.sized_for(x.shape[0] * inputs * outputs).parallel(blocks, [&](std::size_t task, std::size_t) {
    const std::size_t column = task * column_block, columns = std::min(column_block, outputs - column);
    if constexpr (std::is_same_v<T, float>) {
      if (is_multiplied_by_pieces(inputs, DType::f32, execution.isa))
        walk.multiply_pieces(column, columns);
      else
        walk.multiply(column, columns);
    } else {
      walk.multiply(column, columns);
    }
    finish_columns(walk.kernels, epilogue, y, column, column + columns);
  });
}

template void multiply_stored<float>(const TensorView&, Strided<const float, 2>, Strided<float, 2>,
                                     const Epilogue<float>&, const Execution&);
template void multiply_stored<double>(const TensorView&, Strided<const double, 2>, Strided<double, 2>,
                                      const Epilogue<double>&, const Execution&);

}  // namespace attn
