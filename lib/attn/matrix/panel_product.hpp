#pragma once
// How a product goes through the panels of a packed matrix.

#include <attn/core/memory.hpp>
#include <attn/core/shape.hpp>
#include <attn/matrix/bf16_product.hpp>
#include <attn/matrix/packed_matrix.hpp>
#include <attn/simd/gemm.hpp>

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <vector>

namespace attn {

/// Columns of the panel that starts at `column`, with the padding of the last vector.
template <class T>
std::size_t padded_width(const simd::GemmKernels<T>& kernel, std::size_t column, std::size_t outputs) {
  const std::size_t columns = std::min(kernel.panel_width, outputs - column);
  return (columns + kernel.vector_width - 1) / kernel.vector_width * kernel.vector_width;
}

/// Rows that a stream of weights is held up by: with more, the processor computes longer than it reads.
inline constexpr std::size_t most_streaming_rows = 18;

/// How much of the depth of a panel rows take at a time. Of many, all of it (0): a panel comes from the L2 cache, as
/// fast as it is used (Sapphire Rapids: 1.05 times the speed of parts that stay in its L1 cache of 48 KiB, as each part
/// stores and loads its sums). Few rows take what fills half of a small nearest cache: the next part is fetched while
/// one is used, and memory is never idle (16 rows: 88 % of the multiply-add peak instead of 72 %, weights from memory).
inline std::size_t part_of_depth(std::size_t rows, std::size_t step_bytes) {
  constexpr std::size_t part_bytes = std::size_t{16} << 10;
  return rows <= most_streaming_rows ? part_bytes / step_bytes : 0;
}

/// Rows that a task of many multiplies a panel with: a block of their depth stays in the L2 cache beside two panels and
/// what is written.
template <class T>
inline constexpr std::size_t resident_rows = (std::size_t{192} << 10) / (depth_block * sizeof(T));

/// Columns that rows must be multiplied with to be worth packing (AVX2: half a cycle for each element, 3 % of its
/// products).
inline constexpr std::size_t packing_columns = 512;

struct RowScratch;

/// A packed matrix as its kernels see it, and what it is multiplied with: y = act(x W + bias).
template <class T>
struct PanelWalk {
  const simd::GemmKernels<T>& kernel;
  simd::Storage storage;
  std::size_t size;  ///< bytes of a stored element
  const unsigned char* panels;
  Strided<const T, 2> x;  ///< (rows, inputs)
  Strided<T, 2> y;        ///< (rows, outputs)
  Epilogue<T> epilogue;

  std::size_t rows() const { return x.shape[0]; }
  std::size_t inputs() const { return x.shape[1]; }
  std::size_t outputs() const { return y.shape[1]; }
  std::size_t panel_count() const { return (outputs() + kernel.panel_width - 1) / kernel.panel_width; }

  /// Blocks of rows end where tiles do.
  static constexpr std::size_t rows_together = simd::most_tile_rows;

  /// Does a block of many rows stay in the L2 cache, and panels come to it?
  bool keeps_rows() const { return rows() > most_streaming_rows && x.strides[1] == 1 && inputs() > 0; }
  /// Rows that a task takes together at most.
  std::size_t row_block() const { return keeps_rows() ? resident_rows<T> : simd::most_rows; }

  /// Panels of a task of many rows that make it worth while to fetch, or pack, its rows.
  std::size_t least_panels() const { return keeps_rows() ? packing_columns / kernel.panel_width : 4; }

  /// Rows first_row ... + count, no more than row_block(), times the panels [first_panel, last_panel).
  void multiply(std::size_t first_row, std::size_t count, std::size_t first_panel, std::size_t last_panel) const {
    if (keeps_rows())
      multiply_resident(first_row, count, first_panel, last_panel);
    else
      multiply_blocks(first_row, count, first_panel, last_panel);
  }

  /// The same for all panels of matrices that are multiplied with one x and keep its rows, which are packed once.
  static void multiply_together(const std::vector<PanelWalk>& walks, std::size_t first_row, std::size_t count) {
    const PanelWalk& first = walks.front();
    for (std::size_t k = 0; k < first.inputs(); k += depth_block) {
      const std::size_t depth = std::min(depth_block, first.inputs() - k);
      const Rows from = first.packed_rows(first_row, count, k, depth);
      for (std::size_t i = 0; i < walks.size(); ++i) {
        const bool is_last = i + 1 == walks.size();
        const PanelWalk& next = is_last ? first : walks[i + 1];
        const std::size_t next_k = is_last ? k + depth : k;
        walks[i].multiply_panels(from, true, first_row, count, k, depth, 0, walks[i].panel_count(),
                                 next_k < first.inputs() ? next.panel_at(0, next_k) : nullptr);
      }
    }
  }

 private:
  const T* row_of_x(std::size_t row, std::size_t k) const {
    return x.data + static_cast<std::ptrdiff_t>(row) * x.strides[0] + static_cast<std::ptrdiff_t>(k) * x.strides[1];
  }
  T* row_of_y(std::size_t row) const { return y.data + static_cast<std::ptrdiff_t>(row) * y.strides[0]; }
  std::size_t width_at(std::size_t panel) const { return padded_width(kernel, panel * kernel.panel_width, outputs()); }
  /// Where a panel begins at step k of the depth.
  const unsigned char* panel_at(std::size_t panel, std::size_t k) const {
    return panels + (panel * kernel.panel_width * inputs() + k * width_at(panel)) * size;
  }
  void multiply_panel(const simd::PanelProduct<T>& product) const {
    kernel.multiply[static_cast<std::size_t>(storage)](product);
  }

  simd::PanelProduct<T> product_of(std::size_t first_row, std::size_t count, std::size_t panel, std::size_t k,
                                   std::size_t depth) const {
    const std::size_t column = panel * kernel.panel_width;
    simd::PanelProduct<T> product;
    product.panel = panel_at(panel, k);
    product.y = row_of_y(first_row) + column;
    product.y_stride = y.strides[0];
    product.rows = count;
    product.columns = std::min(width_at(panel), outputs() - column);
    product.depth = depth;
    product.accumulate = k > 0;
    return product;
  }

  /// Each panel while a block of the rows' depth stays in the L2 cache.
  void multiply_resident(std::size_t first_row, std::size_t count, std::size_t first_panel,
                         std::size_t last_panel) const {
    const bool is_packed = (last_panel - first_panel) * kernel.panel_width >= packing_columns;
    for (std::size_t k = 0; k < inputs(); k += depth_block) {
      const std::size_t depth = std::min(depth_block, inputs() - k);
      const Rows from =
          is_packed ? packed_rows(first_row, count, k, depth) : Rows{row_of_x(first_row, k), x.strides[0]};
      multiply_panels(from, is_packed, first_row, count, k, depth, first_panel, last_panel,
                      k + depth < inputs() ? panel_at(first_panel, k + depth) : nullptr);
    }
  }

  /// Rows at a block of the depth: where they are, or in a copy.
  struct Rows {
    const T* data;
    std::ptrdiff_t stride;
  };

  /// Rows, `depth` steps of them from k on, times panels; `after` is fetched while the last one is used.
  void multiply_panels(const Rows& from, bool is_packed, std::size_t first_row, std::size_t count, std::size_t k,
                       std::size_t depth, std::size_t first_panel, std::size_t last_panel,
                       const unsigned char* after) const {
    for (std::size_t panel = first_panel; panel < last_panel; ++panel) {
      auto product = product_of(first_row, count, panel, k, depth);
      product.a = from.data;
      product.a_stride = from.stride;
      product.is_packed = is_packed;
      product.next = panel + 1 < last_panel ? panel_at(panel + 1, k) : after;
      if (k + depth == inputs()) {
        const std::size_t column = panel * kernel.panel_width;
        product.bias = epilogue.bias != nullptr ? epilogue.bias + column : nullptr;
        product.activation = epilogue.activation;
      }
      multiply_panel(product);
    }
  }

  /// Packed in the order in which tiles read them: rows far apart share sets of the nearest cache, and what is fetched
  /// ahead of the last steps of a row is of no use. While a tile is packed, the next is fetched, line by line.
  Rows packed_rows(std::size_t first_row, std::size_t count, std::size_t k, std::size_t depth) const {
    constexpr std::size_t group = simd::row_group<T>, line = 64 / sizeof(T);
    const std::size_t whole = depth / group * group, stride = (depth + group - 1) / group * group;
    const std::ptrdiff_t x_stride = x.strides[0];
    T* const copy = reinterpret_cast<T*>(simd::scratch<RowScratch>(count * stride * sizeof(T)));
    const auto pack_tile = [&](std::size_t row, auto rows) {
      T* to = copy + row * stride;
      const T* from = row_of_x(first_row + row, k);
      const T* ahead = from + static_cast<std::ptrdiff_t>(row + 2 * rows <= count ? rows : 0) * x_stride;
      const auto take = [&](std::size_t i, std::size_t steps) __attribute__((always_inline)) {
        for (std::size_t r = 0; r < rows; ++r, to += group)
          std::memcpy(to, from + static_cast<std::ptrdiff_t>(r) * x_stride + i, steps * sizeof(T));
      };
      std::size_t i = 0;
      for (; i + line <= depth; i += line) {
        for (std::size_t r = 0; r < rows; ++r)
          __builtin_prefetch(ahead + static_cast<std::ptrdiff_t>(r) * x_stride + i);
        for (std::size_t g = 0; g < line; g += group) take(i + g, group);
      }
      for (; i < whole; i += group) take(i, group);
      if (whole < depth) take(whole, depth - whole);
    };
    for (std::size_t row = 0; row < count;) {
      const std::size_t rows = simd::rows_of_tile(count - row);
      if (rows == simd::most_tile_rows)
        pack_tile(row, std::integral_constant<std::size_t, simd::most_tile_rows>{});
      else
        pack_tile(row, rows);
      row += rows;
    }
    return {copy, static_cast<std::ptrdiff_t>(stride)};
  }
  Rows rows_at(std::size_t first_row, std::size_t count, std::size_t k, std::size_t depth) const {
    if (x.strides[1] == 1) return {row_of_x(first_row, k), x.strides[0]};
    T* const copy = reinterpret_cast<T*>(simd::scratch<RowScratch>(simd::most_rows * depth_block * sizeof(T)));
    for (std::size_t row = 0; row < count; ++row)
      for (std::size_t i = 0; i < depth; ++i) copy[row * depth + i] = *row_of_x(first_row + row, k + i);
    return {copy, static_cast<std::ptrdiff_t>(depth)};
  }

  /// Block by block of the depth, of which each takes the rows from the L2 cache; a few rows stay there whole, and go
  /// through the weights in the order of memory.
  void multiply_blocks(std::size_t first_row, std::size_t count, std::size_t first_panel,
                       std::size_t last_panel) const {
    const bool streams = count <= most_streaming_rows && x.strides[1] == 1;
    const auto times_panel = [&](const Rows& from, std::size_t panel, std::size_t k, std::size_t depth) {
      auto product = product_of(first_row, count, panel, k, depth);
      product.a = from.data;
      product.a_stride = from.stride;
      if (streams && (panel + 1 < last_panel || k + depth < inputs()))
        product.next = panel_at(panel, k + depth);
      else if (panel + 1 < last_panel)
        product.next = panel_at(panel + 1, k);
      else if (k + depth_block < inputs())
        product.next = panel_at(first_panel, k + depth_block);
      product.part = part_of_depth(count, width_at(panel) * size);
      multiply_panel(product);
    };
    const auto for_depth = [&](auto&& work) {
      for (std::size_t k = 0; k < inputs() || k == 0; k += depth_block) {
        const std::size_t depth = std::min(depth_block, inputs() - k);
        work(rows_at(first_row, count, k, depth), k, depth);
      }
    };
    std::size_t panel = first_panel;
    if (count == 1) panel += multiply_row(first_row, first_panel, last_panel, for_depth);
    if (streams)
      for (; panel < last_panel; ++panel)
        for_depth([&](const Rows& from, std::size_t k, std::size_t depth) { times_panel(from, panel, k, depth); });
    else
      for_depth([&](const Rows& from, std::size_t k, std::size_t depth) {
        for (std::size_t each = panel; each < last_panel; ++each) times_panel(from, each, k, depth);
      });
    finish_columns(kernel, epilogue, Strided<T, 2>{row_of_y(first_row), {count, outputs()}, y.strides},
                   first_panel * kernel.panel_width, std::min(last_panel * kernel.panel_width, outputs()));
  }

  /// One row times the full panels, side by side; returns how many they are.
  template <class ForDepth>
  std::size_t multiply_row(std::size_t row, std::size_t first_panel, std::size_t last_panel,
                           const ForDepth& for_depth) const {
    const std::size_t whole = outputs() / kernel.panel_width;
    simd::RowProduct<T> product;
    product.panel_stride = inputs() * kernel.panel_width;
    product.count = std::min(last_panel, whole) - std::min(first_panel, whole);
    product.y = row_of_y(row) + first_panel * kernel.panel_width;
    for_depth([&](const Rows& from, std::size_t k, std::size_t depth) {
      product.x = from.data;
      product.panels = panels + (first_panel * inputs() + k) * kernel.panel_width * size;
      product.depth = depth;
      product.accumulate = k > 0;
      kernel.multiply_row[static_cast<std::size_t>(storage)](product);
    });
    return product.count;
  }
};

}  // namespace attn
