#include <attn/matrix/bf16_product.hpp>

#include <attn/core/memory.hpp>

#include <algorithm>

namespace attn {
namespace {

constexpr std::size_t step_depth = 32, tile_columns = 16, panel_columns = 32;
constexpr std::size_t rounded_rows = 128;  // rows that are rounded together, and that a panel is multiplied with

std::size_t steps_of(std::size_t inputs) { return (inputs + step_depth - 1) / step_depth; }

struct RoundedRows;
struct PlainRow;

/// Rows of x in bf16, each filled up with zeros to whole steps.
const std::uint16_t* rounded_to_bf16(const simd::Bf16GemmKernels& kernel, Strided<const float, 2> x) {
  const std::size_t inputs = x.shape[1], depth = steps_of(inputs) * step_depth;
  auto* const rows =
      reinterpret_cast<std::uint16_t*>(simd::scratch<RoundedRows>(rounded_rows * depth * sizeof(std::uint16_t)));
  for (std::size_t row = 0; row < x.shape[0]; ++row) {
    const float* from = x.data + static_cast<std::ptrdiff_t>(row) * x.strides[0];
    if (x.strides[1] != 1) {
      auto* const plain = reinterpret_cast<float*>(simd::scratch<PlainRow>(inputs * sizeof(float)));
      for (std::size_t i = 0; i < inputs; ++i) plain[i] = from[static_cast<std::ptrdiff_t>(i) * x.strides[1]];
      from = plain;
    }
    kernel.round(from, inputs, rows + row * depth);
    std::fill(rows + row * depth + inputs, rows + (row + 1) * depth, std::uint16_t{0});
  }
  return rows;
}

}  // namespace

std::shared_ptr<void> pack_tiles(const TensorView& weight, const Execution& execution) {
  const std::size_t inputs = weight.shape[1], outputs = weight.shape[0];
  const std::ptrdiff_t in_stride = weight.strides[1], out_stride = weight.strides[0];
  const std::size_t steps = steps_of(inputs), columns = (outputs + tile_columns - 1) / tile_columns * tile_columns;
  std::shared_ptr<void> packed = allocate_beside(columns * steps * step_depth * sizeof(std::uint16_t));
  const auto* source = static_cast<const std::uint16_t*>(weight.data);
  execution.parallel((columns + panel_columns - 1) / panel_columns, [&](std::size_t task, std::size_t) {
    const std::size_t panel = task * panel_columns;
    auto* tile = static_cast<std::uint16_t*>(packed.get()) + panel * steps * step_depth;
    for (std::size_t step = 0; step < steps; ++step)
      for (std::size_t first = panel; first < std::min(panel + panel_columns, columns); first += tile_columns) {
        const std::size_t depth = std::min(step_depth, inputs - step * step_depth);
        std::fill_n(tile, step_depth * tile_columns, std::uint16_t{0});
        for (std::size_t c = 0; c < std::min(tile_columns, outputs - std::min(first, outputs)); ++c) {
          const std::uint16_t* from = source + static_cast<std::ptrdiff_t>(first + c) * out_stride +
                                      static_cast<std::ptrdiff_t>(step * step_depth) * in_stride;
          for (std::size_t k = 0; k < depth; ++k)
            tile[k / 2 * 2 * tile_columns + 2 * c + k % 2] = from[static_cast<std::ptrdiff_t>(k) * in_stride];
        }
        tile += step_depth * tile_columns;
      }
  });
  return packed;
}

void multiply_tiles(Isa isa, const std::uint16_t* panels, Strided<const float, 2> x, Strided<float, 2> y,
                    const Epilogue<float>& epilogue, const Execution& execution) {
  const simd::Bf16GemmKernels& kernels = *simd::bf16_gemm_kernels(isa);
  const std::size_t rows = x.shape[0], outputs = y.shape[1], steps = steps_of(x.shape[1]);
  const std::size_t panel_count = (outputs + panel_columns - 1) / panel_columns;
  const std::size_t row_blocks = (rows + rounded_rows - 1) / rounded_rows;
  constexpr std::size_t small_work = std::size_t{1} << 20;
  const bool is_small = execution.threads() == 1 || rows * x.shape[1] * outputs < small_work;
  const std::size_t wanted_tasks = is_small ? 1 : 4 * execution.threads();
  const std::size_t groups = std::clamp<std::size_t>(wanted_tasks / row_blocks, 1, panel_count);
  execution.parallel_with_progress(row_blocks * groups, [&](std::size_t task, std::size_t) {
    const std::size_t first_row = task / groups * rounded_rows, group = task % groups;
    const std::size_t first = group * panel_count / groups * panel_columns;
    const std::size_t last = std::min((group + 1) * panel_count / groups * panel_columns, outputs);
    const std::size_t count = std::min(rounded_rows, rows - first_row);
    const Strided<const float, 2> x_rows{
        x.data + static_cast<std::ptrdiff_t>(first_row) * x.strides[0], {count, x.shape[1]}, x.strides};
    const Strided<float, 2> y_rows{
        y.data + static_cast<std::ptrdiff_t>(first_row) * y.strides[0], {count, outputs}, y.strides};
    simd::Bf16Product product;
    product.a = rounded_to_bf16(kernels, x_rows);
    product.a_stride = static_cast<std::ptrdiff_t>(steps * step_depth);
    product.b = panels + first * steps * step_depth;
    product.y = y_rows.data + first;
    product.y_stride = y.strides[0];
    product.rows = count;
    product.columns = last - first;
    product.steps = steps;
    kernels.multiply(product);
    finish_columns(simd::gemm_kernels<float>(isa), epilogue, y_rows, first, last);
  });
}

}  // namespace attn
