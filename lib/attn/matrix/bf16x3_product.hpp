#pragma once
// Which products by pieces of bf16 are as good as those by multiply-adds, and the others.

#include <attn/core/memory.hpp>
#include <attn/core/shape.hpp>
#include <attn/matrix/packed_matrix.hpp>
#include <attn/simd/gemm_bf16x3.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace attn {

/// Is a product y = x W in f32 summed by pieces, where the instruction set has them? Of the depth alone: parts of a
/// matrix give the bits of the whole.
inline bool is_multiplied_by_pieces(std::size_t inputs, DType compute, Isa isa) {
  return compute == DType::f32 && inputs >= simd::bf16x3_step && simd::bf16x3_gemm_kernels(isa) != nullptr;
}

/// Rows of x, whose elements lie side by side.
struct RowsOfX {
  const float* data;
  std::ptrdiff_t stride;
};

/// The pieces of one or two rows as numbers, in memory of the thread.
template <class Tag>
const float* split_rows(const simd::Bf16x3GemmKernels& kernels, const RowsOfX& rows, std::size_t count,
                        std::size_t depth) {
  const std::size_t size = simd::bf16x3_numbers(depth);
  auto* const numbers = reinterpret_cast<float*>(simd::scratch<Tag>(count * size * sizeof(float)));
  for (std::size_t row = 0; row < count; ++row)
    kernels.split_row(rows.data + static_cast<std::ptrdiff_t>(row) * rows.stride, depth, numbers + row * size);
  return numbers;
}

/// A bound of the magnitudes of f16 that are finite, of which each column has its own.
inline constexpr float largest_half = 65504;

/// The largest magnitude of so many numbers; NaN may be passed over. That of f16 is bounded anyway.
inline float largest_magnitude(const simd::Bf16x3GemmKernels& kernels, const void* numbers, DType stored,
                               std::size_t count) {
  if (stored == DType::f16) return largest_half;
  if (stored != DType::bf16) return kernels.largest(static_cast<const float*>(numbers), count);
  std::int16_t top = 0;  // magnitudes are in the order of their bits
  const auto* const bits = static_cast<const std::int16_t*>(numbers);
  for (std::size_t i = 0; i < count; ++i) {
    const auto magnitude = static_cast<std::int16_t>(bits[i] & 0x7fff);
    if (magnitude <= 0x7f80) top = std::max(top, magnitude);
  }
  const std::uint32_t wide = static_cast<std::uint32_t>(top) << 16;
  float widened;
  std::memcpy(&widened, &wide, sizeof widened);
  return widened;
}

/// The least magnitude of a sum that pieces give, where these are the largest ones of its row of x and of the weights
/// of its panel. What is cut off below 2^-126 of pieces and their products is at most depth 2^-126 (|x| + |w| + 1),
/// less than rounding where a sum is larger than this.
inline float least_sound(float largest_of_row, float largest_of_panel) {
  if (!(largest_of_panel <= std::numeric_limits<float>::max())) return std::numeric_limits<float>::infinity();
  return 0x1p-76f * std::max({1.0f, largest_of_row, largest_of_panel});
}

/// Where sums of pieces are infinite, NaN or too small, y is what multiply-adds gave, and the bias.
inline void replace_unsound(const float* sums, float least, const float* multiplied, std::size_t columns,
                            const float* bias, float* y) {
  for (std::size_t c = 0; c < columns; ++c)
    if (!(std::abs(sums[c]) >= least && std::abs(sums[c]) <= std::numeric_limits<float>::max()))
      y[c] = bias != nullptr ? multiplied[c] + bias[c] : multiplied[c];
}

/// The same for a row of y of any width: least_at(column) and multiply(column, multiplied) are for `bf16x3_columns`
/// columns from there on.
template <class LeastAt, class Multiply>
void mend_row(const simd::Bf16x3GemmKernels& kernels, float* y, std::size_t columns, const LeastAt& least_at,
              const Multiply& multiply) {
  for (std::size_t column = 0; column < columns; column += simd::bf16x3_columns) {
    const std::size_t count = std::min(simd::bf16x3_columns, columns - column);
    const float least = least_at(column);
    if (kernels.are_sound(y + column, count, least)) continue;
    float multiplied[simd::bf16x3_columns];
    multiply(column, multiplied);
    replace_unsound(y + column, least, multiplied, count, nullptr, y + column);
  }
}

// How a product in f32 goes through the panels of a packed matrix by pieces of bf16.

/// The packed matrix, as for PanelWalk, and what it is multiplied with: y = act(x W + bias).
struct PieceWalk {
  const simd::Bf16x3GemmKernels& kernels;
  const simd::GemmKernels<float>& multiply_adds;
  simd::Storage storage;
  std::size_t size;  ///< bytes of a stored element
  const unsigned char* panels;
  const float* largest_of_panels;  ///< magnitudes
  Strided<const float, 2> x;       ///< (rows, inputs)
  Strided<float, 2> y;             ///< (rows, outputs)
  Epilogue<float> epilogue;

  static constexpr std::size_t panel_width = simd::bf16x3_columns;
  /// Rows that a task takes together at most: so many that a panel is split while it is little of the work.
  static constexpr std::size_t most_rows = 256;
  /// Panels whose sums fill half of an L2 cache.
  static constexpr std::size_t panels_together = 16;
  /// Blocks of rows end where pairs of tiles do.
  static constexpr std::size_t rows_together = 2 * simd::bf16x3_side;

  std::size_t rows() const { return x.shape[0]; }
  std::size_t inputs() const { return x.shape[1]; }
  std::size_t outputs() const { return y.shape[1]; }
  std::size_t panel_count() const { return (outputs() + panel_width - 1) / panel_width; }

  bool keeps_rows() const { return rows() > simd::bf16x3_few_rows; }
  std::size_t row_block() const { return keeps_rows() ? most_rows : simd::bf16x3_few_rows; }
  /// Panels of a task of many rows that make it worth while to split its rows.
  std::size_t least_panels() const { return keeps_rows() ? 12 : 4; }

  /// Rows first_row ... + count, no more than row_block(), times the panels [first_panel, last_panel).
  void multiply(std::size_t first_row, std::size_t count, std::size_t first_panel, std::size_t last_panel) const {
    multiply_walks({*this}, first_row, count, first_panel, last_panel);
  }

  /// The same for all panels of matrices that are multiplied with one x, whose rows are split once.
  static void multiply_together(const std::vector<PieceWalk>& walks, std::size_t first_row, std::size_t count) {
    multiply_walks(walks, first_row, count, 0, ~std::size_t{0});
  }

 private:
  struct Pieces;
  struct PlainRows;
  struct Sums;
  struct Numbers;

  /// Lines of the first panel that are asked for before anything is known of x.
  static constexpr std::size_t first_lines = 256;

  const float* row_of_x(std::size_t row, std::size_t k) const {
    return x.data + static_cast<std::ptrdiff_t>(row) * x.strides[0] + static_cast<std::ptrdiff_t>(k) * x.strides[1];
  }
  std::size_t columns_of(std::size_t panel) const { return std::min(panel_width, outputs() - panel * panel_width); }
  std::size_t padded_columns_of(std::size_t panel) const {
    const std::size_t width = multiply_adds.vector_width;
    return (columns_of(panel) + width - 1) / width * width;
  }
  const unsigned char* panel_at(std::size_t panel, std::size_t k) const {
    return panels + (panel * panel_width * inputs() + k * padded_columns_of(panel)) * size;
  }

  /// So much of the depth that the pieces of the rows stay in the L2 cache; all of it where rows are few, so that the
  /// matrix is read in the order of memory.
  std::size_t depth_at_once(std::size_t count) const {
    constexpr std::size_t most_elements = std::size_t{384} << 10;
    const std::size_t parts = most_elements / simd::bf16x3_elements(count, 1);
    return count > simd::bf16x3_few_rows ? std::max<std::size_t>(parts, 1) * simd::bf16x3_part : inputs();
  }

  /// Rows at a part of the depth: where they are, or in a copy.
  RowsOfX rows_at(std::size_t first_row, std::size_t count, std::size_t k, std::size_t depth) const {
    if (x.strides[1] == 1) return {row_of_x(first_row, k), x.strides[0]};
    auto* const plain = reinterpret_cast<float*>(simd::scratch<PlainRows>(count * depth * sizeof(float)));
    for (std::size_t row = 0; row < count; ++row)
      for (std::size_t i = 0; i < depth; ++i) plain[row * depth + i] = *row_of_x(first_row + row, k + i);
    return {plain, static_cast<std::ptrdiff_t>(depth)};
  }

  Strided<float, 2> rows_of_y(std::size_t first_row, std::size_t count) const {
    return {y.data + static_cast<std::ptrdiff_t>(first_row) * y.strides[0], {count, outputs()}, y.strides};
  }

  static void multiply_walks(const std::vector<PieceWalk>& walks, std::size_t first_row, std::size_t count,
                             std::size_t first_panel, std::size_t last_panel) {
    const PieceWalk& first = walks.front();
    const simd::Bf16x3GemmKernels& kernel = first.kernels;
    float largest[most_rows];
    for (std::size_t row = 0; row < count; ++row)
      largest[row] = kernel.largest(first.rows_at(first_row + row, 1, 0, first.inputs()).data, first.inputs());
    if (count <= simd::bf16x3_least_rows) {
      for (const PieceWalk& walk : walks) walk.multiply_rows(largest, first_row, count, first_panel, last_panel);
      return;
    }
    // Where the depth goes in several turns, sums of all panels wait for the next one, in the L2 cache too.
    std::vector<Panel> panels;
    const std::size_t together = first.depth_at_once(count) < first.inputs() ? panels_together : ~std::size_t{0};
    for (const PieceWalk& walk : walks)
      for (std::size_t panel = first_panel; panel < std::min(last_panel, walk.panel_count()); ++panel) {
        panels.push_back({&walk, panel});
        if (panels.size() < together) continue;
        multiply_panels(panels, largest, first_row, count);
        panels.clear();
      }
    if (!panels.empty()) multiply_panels(panels, largest, first_row, count);
  }

  struct Panel {
    const PieceWalk* walk;
    std::size_t number;
  };

  static void multiply_panels(const std::vector<Panel>& panels, const float* largest, std::size_t first_row,
                              std::size_t count) {
    const PieceWalk& first = *panels.front().walk;
    const simd::Bf16x3GemmKernels& kernel = first.kernels;
    const std::size_t inputs = first.inputs(), step = first.depth_at_once(count);
    const std::size_t panel_sums = simd::bf16x3_tiles(count) * simd::bf16x3_side * panel_width;
    auto* const sums =
        reinterpret_cast<float*>(simd::scratch<Sums>((step < inputs ? panels.size() : 1) * panel_sums * sizeof(float)));
    for (std::size_t k = 0; k < inputs; k += step) {
      const std::size_t depth = std::min(step, inputs - k);
      const RowsOfX rows = first.rows_at(first_row, count, k, depth);
      auto* const pieces = reinterpret_cast<std::uint16_t*>(
          simd::scratch<Pieces>(simd::bf16x3_elements(count, depth) * sizeof(std::uint16_t)));
      kernel.split(rows.data, rows.stride, count, depth, pieces);
      for (std::size_t i = 0; i < panels.size(); ++i) {
        const auto& [walk, panel] = panels[i];
        simd::Bf16x3Product product;
        product.pieces = pieces;
        product.b = walk->panel_at(panel, k);
        product.b_stride = static_cast<std::ptrdiff_t>(walk->padded_columns_of(panel));
        product.next = i + 1 < panels.size() ? panels[i + 1].walk->panel_at(panels[i + 1].number, k) : nullptr;
        product.sums = sums + (step < inputs ? i * panel_sums : 0);
        product.rows = count;
        product.columns = walk->columns_of(panel);
        product.depth = depth;
        product.accumulate = k > 0;
        if (k + depth < inputs)
          walk->multiply_panel(product);
        else
          walk->end_panel(product, largest, first_row, panel);
      }
    }
  }

  void multiply_panel(const simd::Bf16x3Product& product) const {
    kernels.multiply[static_cast<std::size_t>(storage)](product);
  }

  /// The last turn, which writes y.
  void end_panel(simd::Bf16x3Product& product, const float* largest, std::size_t first_row, std::size_t panel) const {
    const std::size_t column = panel * panel_width, last = column + product.columns;
    const Strided<float, 2> to = rows_of_y(first_row, product.rows);
    float least[most_rows];
    for (std::size_t row = 0; row < product.rows; ++row)
      least[row] = least_sound(largest[row], largest_of_panels[panel]);
    bool has_unsound[most_rows] = {};
    product.least = least;
    product.y = to.data + column;
    product.y_stride = to.strides[0];
    product.bias = epilogue.bias != nullptr ? epilogue.bias + column : nullptr;
    product.has_unsound = has_unsound;
    multiply_panel(product);
    for (std::size_t row = 0; row < product.rows; ++row) {
      if (!has_unsound[row]) continue;
      float multiplied[panel_width];
      multiply_row(first_row + row, panel, multiplied);
      replace_unsound(product.sums + row * panel_width, least[row], multiplied, product.columns, product.bias,
                      to[row].data + column);
    }
    finish_columns(multiply_adds, {nullptr, epilogue.activation}, to, column, last);
  }

  void multiply_rows(const float* largest, std::size_t first_row, std::size_t count, std::size_t first_panel,
                     std::size_t last_panel) const {
    const Strided<float, 2> to = rows_of_y(first_row, count);
    const std::size_t end = std::min(last_panel, panel_count());
    const std::size_t first = first_panel * panel_width, last = std::min(end * panel_width, outputs());
    for (std::size_t line = 0; line < first_lines; ++line)  // while x is split
      __builtin_prefetch(panel_at(first_panel, 0) + 64 * line, 0, 2);
    const float* const numbers = split_rows<Numbers>(kernels, rows_at(first_row, count, 0, inputs()), count, inputs());
    for (std::size_t panel = first_panel; panel < end; ++panel) {
      simd::Bf16x3RowProduct product;
      product.numbers = numbers;
      product.b = panel_at(panel, 0);
      product.in_stride = static_cast<std::ptrdiff_t>(padded_columns_of(panel));
      product.y = to.data + panel * panel_width;
      product.y_stride = to.strides[0];
      product.rows = count;
      product.columns = columns_of(panel);
      product.depth = inputs();
      kernels.multiply_rows[static_cast<std::size_t>(storage)](product);
    }
    for (std::size_t row = 0; row < count; ++row)
      mend_row(
          kernels, to[row].data + first, last - first,
          [&](std::size_t column) {
            return least_sound(largest[row], largest_of_panels[first_panel + column / panel_width]);
          },
          [&](std::size_t column, float* multiplied) {
            multiply_row(first_row + row, first_panel + column / panel_width, multiplied);
          });
    finish_columns(multiply_adds, epilogue, to, first, last);
  }

  /// A row times a panel by multiply-adds.
  void multiply_row(std::size_t row, std::size_t panel, float* sums) const {
    float plain[depth_block];
    for (std::size_t k = 0; k < inputs(); k += depth_block) {
      simd::PanelProduct<float> product;
      product.depth = std::min(depth_block, inputs() - k);
      for (std::size_t i = 0; i < product.depth; ++i) plain[i] = *row_of_x(row, k + i);
      product.a = plain;
      product.a_stride = depth_block;
      product.panel = panel_at(panel, k);
      product.y = sums;
      product.y_stride = panel_width;
      product.rows = 1;
      product.columns = columns_of(panel);
      product.accumulate = k > 0;
      multiply_adds.multiply[static_cast<std::size_t>(storage)](product);
    }
  }
};

}  // namespace attn
