#include <attn/simd/stored_matrix.hpp>

#include <attn/core/execution.hpp>
#include <attn/simd/kernels.hpp>
#include <attn/simd/packed_tiles.hpp>

#include <algorithm>

namespace attn {
namespace {

constexpr std::size_t column_block = 128;  // columns that all rows are multiplied with while they are in the caches

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
  const std::size_t rows = x.shape[0], outputs = weight.shape[0], inputs = weight.shape[1];
  const simd::GemmKernels<T>& kernel = simd::kernels(execution.isa).gemm<T>();
  const auto multiply = kernel.multiply_stored[static_cast<std::size_t>(simd::storage_of(weight.dtype))];
  const auto* first = static_cast<const unsigned char*>(weight.data);
  const auto size = static_cast<std::ptrdiff_t>(element_size(weight.dtype));
  const std::size_t blocks = (outputs + column_block - 1) / column_block;
  execution.sized_for(rows * inputs * outputs).parallel(blocks, [&](std::size_t task, std::size_t) {
    const std::size_t column = task * column_block, columns = std::min(column_block, outputs - column);
    for (std::size_t k = 0; k < inputs || k == 0; k += depth_block)
      for (std::size_t row = 0; row < rows; ++row) {
        simd::StoredProduct<T> product;
        product.x = x.data + static_cast<std::ptrdiff_t>(row) * x.strides[0] + static_cast<std::ptrdiff_t>(k);
        product.in_stride = weight.strides[1];
        product.out_stride = weight.strides[0];
        product.weight = first + (static_cast<std::ptrdiff_t>(column) * product.out_stride +
                                  static_cast<std::ptrdiff_t>(k) * product.in_stride) *
                                     size;
        product.columns = columns;
        product.depth = std::min(depth_block, inputs - k);
        product.y = y.data + static_cast<std::ptrdiff_t>(row) * y.strides[0] + column;
        product.accumulate = k > 0;
        multiply(product);
      }
    finish_columns(kernel, epilogue, y, column, column + columns);
  });
}

template void multiply_stored<float>(const TensorView&, Strided<const float, 2>, Strided<float, 2>,
                                     const Epilogue<float>&, const Execution&);
template void multiply_stored<double>(const TensorView&, Strided<const double, 2>, Strided<double, 2>,
                                      const Epilogue<double>&, const Execution&);

}  // namespace attn
