#include <attn/matrix/column_product.hpp>

#include <attn/core/error.hpp>
#include <attn/core/memory.hpp>
#include <attn/matrix/panel_product.hpp>

#include <algorithm>

namespace attn {
namespace {

struct ColumnScratch;

/// Rows of a block: a panel of them stays in the L2 cache beside the rows of a that it is multiplied with.
constexpr std::size_t block_rows = 256;

}  // namespace

template <class T>
void multiply_columns(Strided<const T, 2> a, Strided<const T, 2> b, Strided<T, 2> y, const Execution& execution) {
  const std::size_t rows = a.shape[0], m = y.shape[0], n = y.shape[1];
  if (b.shape[0] != rows || a.shape[1] != m || b.shape[1] != n)
    throw Error(ErrorKind::defect, "product of columns", "does not fit its output");
  const simd::GemmKernels<T>& kernel = simd::gemm_kernels<T>(execution.isa);
  const std::size_t panels = (n + kernel.panel_width - 1) / kernel.panel_width;
  // A panel is packed for each group of columns of a, which must be many for that to cost little.
  constexpr std::size_t least_columns = 96;
  const std::size_t wanted = execution.threads() == 1 ? 1 : (4 * execution.threads() + panels - 1) / panels;
  const std::size_t groups = std::clamp<std::size_t>(wanted, 1, std::max<std::size_t>(m / least_columns, 1));
  execution.sized_for(rows * m * n / 16).parallel(panels * groups, [&](std::size_t task, std::size_t) {
    const std::size_t column = task / groups * kernel.panel_width, columns = std::min(kernel.panel_width, n - column),
                      width = padded_width(kernel, column, n), first = task % groups * m / groups,
                      last = (task % groups + 1) * m / groups;
    T* const panel = reinterpret_cast<T*>(simd::scratch<ColumnScratch>(block_rows * width * sizeof(T)));
    simd::ColumnProduct<T> product;
    product.a_stride = a.strides[0];
    product.panel = panel;
    product.y = y.data + static_cast<std::ptrdiff_t>(first) * y.strides[0] + column;
    product.y_stride = y.strides[0];
    product.rows = last - first;
    product.columns = columns;
    for (std::size_t k = 0; k < rows || k == 0; k += block_rows) {
      product.depth = std::min(block_rows, rows - k);
      product.a = a.data + static_cast<std::ptrdiff_t>(k) * a.strides[0] + first;
      product.accumulate = k > 0;
      const T* from = b.data + static_cast<std::ptrdiff_t>(k) * b.strides[0] + column;
      T* to = panel;
      for (std::size_t step = 0; step < product.depth; ++step, from += b.strides[0], to += width)
        std::fill(std::copy_n(from, columns, to), to + width, T(0));
      kernel.multiply_columns(product);
    }
  });
}

template void multiply_columns<float>(Strided<const float, 2>, Strided<const float, 2>, Strided<float, 2>,
                                      const Execution&);
template void multiply_columns<double>(Strided<const double, 2>, Strided<const double, 2>, Strided<double, 2>,
                                       const Execution&);

}  // namespace attn
