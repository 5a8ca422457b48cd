#include <attn/simd/packed_matrix.hpp>

#include <attn/core/memory.hpp>
#include <attn/simd/packed_tiles.hpp>
#include <attn/simd/scratch.hpp>

#include <algorithm>
#include <memory>
#include <string>

namespace attn {
namespace {

/// Columns of the panel that starts at `column`, with the padding of the last vector.
template <class T>
std::size_t padded_width(const simd::GemmKernels<T>& kernel, std::size_t column, std::size_t outputs) {
  const std::size_t columns = std::min(kernel.panel_width, outputs - column);
  return (columns + kernel.vector_width - 1) / kernel.vector_width * kernel.vector_width;
}

/// The columns of `weight` in panels; the padding is 0.
template <class T, class Element>
void pack(const simd::GemmKernels<T>& kernel, const Element* weight, std::ptrdiff_t in_stride,
          std::ptrdiff_t out_stride, std::size_t inputs, std::size_t outputs, Element* packed,
          const Execution& execution) {
  constexpr std::size_t block = 16;  // inputs at a time, so that the transposed side stays in the L1 cache
  execution.parallel((outputs + kernel.panel_width - 1) / kernel.panel_width, [&](std::size_t panel, std::size_t) {
    const std::size_t column = panel * kernel.panel_width;
    const std::size_t width = padded_width(kernel, column, outputs);
    const std::size_t columns = std::min(width, outputs - column);
    Element* const to = packed + column * inputs;
    for (std::size_t first = 0; first < inputs; first += block) {
      const std::size_t last = std::min(first + block, inputs);
      for (std::size_t c = 0; c < columns; ++c) {
        const Element* source = weight + static_cast<std::ptrdiff_t>(column + c) * out_stride;
        for (std::size_t k = first; k < last; ++k)
          to[k * width + c] = source[static_cast<std::ptrdiff_t>(k) * in_stride];
      }
      for (std::size_t k = first; k < last; ++k)
        for (std::size_t c = columns; c < width; ++c) to[k * width + c] = Element{};
    }
  });
}

/// Rows that a stream of weights is held up by: with more, the processor computes longer than it reads.
constexpr std::size_t most_streaming_rows = 18;

/// How much of the depth of a panel rows take at a time: what stays in the nearest cache beside the rows, or all of it
/// (0) where there is no room for that; a panel then comes from the L2 cache, as fast as it is used. Few rows take
/// half of it: the next part is fetched while one is used, and memory is never idle (16 rows: 88 % of the multiply-add
/// peak instead of 72 %, weights from memory).
std::size_t part_of_depth(std::size_t rows, std::size_t step_bytes) {
  constexpr std::size_t part_bytes = std::size_t{32} << 10, room_bytes = std::size_t{48} << 10;
  static const bool has_room = nearest_cache() >= room_bytes;
  if (rows <= most_streaming_rows) return part_bytes / 2 / step_bytes;
  return has_room ? part_bytes / step_bytes : 0;
}

/// Rows that a task of many multiplies a panel with where panels are not taken in parts, and of them what stays in the
/// L2 cache beside a panel and what is written: deeper rows go block by block of the depth.
constexpr std::size_t chained_rows = 60, resident_bytes = std::size_t{256} << 10;

struct RowScratch;

}  // namespace

PackedMatrix::PackedMatrix(const TensorView& weight, WeightLayout layout, DType compute, const Execution& execution)
    : compute_(compute_dtype(compute)), isa_(execution.isa) {
  if (weight.rank() != 2) throw shape_error(weight.name, weight.shape, "a matrix");
  const std::size_t in_axis = layout == WeightLayout::out_in ? 1 : 0;
  inputs_ = weight.shape[in_axis];
  outputs_ = weight.shape[1 - in_axis];
  const simd::Kernels& kernels = simd::kernels(isa_);
  if (is_multiplied_as_bf16(weight, compute, isa_)) {
    stored_ = DType::bf16;
    is_tiled_ = true;
    panels_ = pack_tiles(weight, in_axis, execution);
    return;
  }
  const auto pack_as = [&](const auto& kernel) {
    const bool is_narrow = weight.dtype == DType::f16 || weight.dtype == DType::bf16;
    const bool stays =
        is_narrow && kernel.multiply[static_cast<std::size_t>(simd::storage_of(weight.dtype))] != nullptr;
    stored_ = stays ? weight.dtype : compute_;
    const TensorView source = weight.dtype == stored_ ? weight : cast(weight, stored_);
    const std::size_t full = outputs_ / kernel.panel_width * kernel.panel_width;
    const std::size_t columns = full + (full < outputs_ ? padded_width(kernel, full, outputs_) : 0);
    panels_ = Tensor(DType::u8, {columns * inputs_ * element_size(stored_)});
    visit_dtype(stored_, [&](auto element) {
      using Element = decltype(element);
      if constexpr (!std::is_same_v<Element, std::string>)
        pack(kernel, static_cast<const Element*>(source.data), source.strides[in_axis], source.strides[1 - in_axis],
             inputs_, outputs_, static_cast<Element*>(panels_.data()), execution);
    });
  };
  if (compute_ == DType::f64)
    pack_as(kernels.gemm_f64);
  else
    pack_as(kernels.gemm_f32);
}

template <class T>
void PackedMatrix::multiply(Strided<const T, 2> x, Strided<T, 2> y, const Epilogue<T>& epilogue,
                            const Execution& execution) const {
  const std::size_t rows = x.shape[0];
  if (dtype_of_v<T> != compute_ || x.shape[1] != inputs_ || y.shape[0] != rows || y.shape[1] != outputs_ ||
      (y.strides[1] != 1 && outputs_ > 1))
    throw Error(ErrorKind::defect, "matrix product",
                "(" + std::to_string(rows) + ", " + std::to_string(x.shape[1]) + ") times packed (" +
                    std::to_string(inputs_) + ", " + std::to_string(outputs_) + ") does not fit its output");
  if (rows == 0 || outputs_ == 0) return;

  const simd::GemmKernels<T>& kernel = simd::kernels(isa_).gemm<T>();
  if constexpr (std::is_same_v<T, float>)
    if (is_tiled_)
      return multiply_tiles(simd::kernels(isa_),
                            reinterpret_cast<const std::uint16_t*>(const_cast<Tensor&>(panels_).data()), x, y, epilogue,
                            execution);
  const auto multiply_panel = kernel.multiply[static_cast<std::size_t>(simd::storage_of(stored_))];
  const std::size_t size = element_size(stored_);
  const auto* panels = static_cast<const unsigned char*>(const_cast<Tensor&>(panels_).data());

  const std::size_t panel_bytes = kernel.panel_width * size;
  const bool chains =
      rows > most_streaming_rows && part_of_depth(rows, panel_bytes) == 0 && x.strides[1] == 1 && inputs_ > 0;
  const std::size_t row_block = chains ? chained_rows : simd::most_rows;

  // One block of rows times the panels [first_panel, last_panel): block by block of the depth, of which each takes the
  // rows from the L2 cache; a few rows stay there whole, and go through the weights in the order of memory.
  const auto multiply_block = [&](std::size_t first_row, std::size_t block_rows, std::size_t first_panel,
                                  std::size_t last_panel) {
    T* const y_rows = y.data + static_cast<std::ptrdiff_t>(first_row) * y.strides[0];
    const T* a = nullptr;  // the rows at a block of the depth
    std::ptrdiff_t a_stride = x.strides[0];
    const auto look_at = [&](std::size_t k, std::size_t depth) {
      const T* const x_block = x.data + static_cast<std::ptrdiff_t>(first_row) * x.strides[0] +
                               static_cast<std::ptrdiff_t>(k) * x.strides[1];
      a = x_block;
      if (x.strides[1] == 1) return;
      T* const copy = reinterpret_cast<T*>(simd::scratch<RowScratch>(row_block * depth_block * sizeof(T)));
      for (std::size_t row = 0; row < block_rows; ++row)
        for (std::size_t i = 0; i < depth; ++i)
          copy[row * depth + i] =
              x_block[static_cast<std::ptrdiff_t>(row) * x.strides[0] + static_cast<std::ptrdiff_t>(i) * x.strides[1]];
      a = copy;
      a_stride = static_cast<std::ptrdiff_t>(depth);
    };
    if (chains) {
      const std::size_t step = block_rows * inputs_ * sizeof(T) <= resident_bytes ? inputs_ : depth_block;
      for (std::size_t k = 0; k < inputs_; k += step)
        for (std::size_t panel = first_panel; panel < last_panel; ++panel) {
          const std::size_t column = panel * kernel.panel_width, width = padded_width(kernel, column, outputs_);
          simd::PanelProduct<T> product;
          product.a = x.data + static_cast<std::ptrdiff_t>(first_row) * x.strides[0] + k;
          product.a_stride = x.strides[0];
          product.panel = panels + (column * inputs_ + k * width) * size;
          product.y = y_rows + column;
          product.y_stride = y.strides[0];
          product.rows = block_rows;
          product.columns = std::min(width, outputs_ - column);
          product.depth = std::min(step, inputs_ - k);
          product.chain = depth_block;
          product.accumulate = k > 0;
          if (k + step >= inputs_) {
            product.bias = epilogue.bias != nullptr ? epilogue.bias + column : nullptr;
            product.activation = epilogue.activation;
          }
          multiply_panel(product);
        }
      return;
    }
    const bool streams = block_rows <= most_streaming_rows && x.strides[1] == 1;
    const auto times_panel = [&](std::size_t panel, std::size_t k, std::size_t depth) {
      const std::size_t column = panel * kernel.panel_width;
      const std::size_t width = padded_width(kernel, column, outputs_);
      simd::PanelProduct<T> product;
      product.a = a;
      product.a_stride = a_stride;
      product.panel = panels + (column * inputs_ + k * width) * size;
      if (streams && (panel + 1 < last_panel || k + depth < inputs_))
        product.next = panels + (column * inputs_ + (k + depth) * width) * size;
      else if (panel + 1 < last_panel)
        product.next = panels + ((column + width) * inputs_ + k * kernel.panel_width) * size;
      else if (k + depth_block < inputs_)
        product.next = panels + (first_panel * kernel.panel_width * inputs_ + (k + depth_block) * width) * size;
      product.y = y_rows + column;
      product.y_stride = y.strides[0];
      product.rows = block_rows;
      product.columns = std::min(width, outputs_ - column);
      product.depth = depth;
      product.part = part_of_depth(block_rows, width * size);
      product.accumulate = k > 0;
      multiply_panel(product);
    };
    const auto for_depth = [&](auto&& work) {
      for (std::size_t k = 0; k < inputs_ || k == 0; k += depth_block) {
        const std::size_t depth = std::min(depth_block, inputs_ - k);
        look_at(k, depth);
        work(k, depth);
      }
    };
    std::size_t panel = first_panel;
    if (block_rows == 1) {
      const std::size_t whole = outputs_ / kernel.panel_width;
      simd::RowProduct<T> product;
      product.panel_stride = inputs_ * kernel.panel_width;
      product.count = std::min(last_panel, whole) - std::min(first_panel, whole);
      product.y = y_rows + first_panel * kernel.panel_width;
      for_depth([&](std::size_t k, std::size_t depth) {
        product.x = a;
        product.panels = panels + (first_panel * kernel.panel_width * inputs_ + k * kernel.panel_width) * size;
        product.depth = depth;
        product.accumulate = k > 0;
        kernel.multiply_row[static_cast<std::size_t>(simd::storage_of(stored_))](product);
      });
      panel += product.count;
    }
    if (streams)
      for (; panel < last_panel; ++panel)
        for_depth([&](std::size_t k, std::size_t depth) { times_panel(panel, k, depth); });
    else
      for_depth([&](std::size_t k, std::size_t depth) {
        for (std::size_t each = panel; each < last_panel; ++each) times_panel(each, k, depth);
      });
    const std::size_t first_column = first_panel * kernel.panel_width;
    const std::size_t last_column = std::min(last_panel * kernel.panel_width, outputs_);
    finish_columns(kernel, epilogue, Strided<T, 2>{y_rows, {block_rows, outputs_}, y.strides}, first_column,
                   last_column);
  };

  // Every element is a chain of its own, so the cut into tasks is free to follow shape and threads. One row is read
  // two panels at a time.
  const std::size_t panel_count = (outputs_ + kernel.panel_width - 1) / kernel.panel_width;
  const std::size_t row_blocks = (rows + row_block - 1) / row_block;
  constexpr std::size_t small_work = std::size_t{1} << 20, small_weight = std::size_t{1} << 18;
  const bool is_small = rows * inputs_ * outputs_ < small_work && inputs_ * outputs_ * size < small_weight;
  if (is_small || execution.threads() == 1) {
    for (std::size_t block = 0; block < row_blocks; ++block) {
      multiply_block(block * row_block, std::min(row_block, rows - block * row_block), 0, panel_count);
      if (execution.progress) execution.progress(block + 1, row_blocks);
    }
    return;
  }
  // Few rows are cut by columns alone, evenly. Of many, tasks are so many that those which end last are a small part of
  // the whole, and have panels enough for their rows to be worth fetching.
  const bool is_tall = row_blocks > 2;
  const std::size_t wanted_tasks = (is_tall ? 16 : 4) * execution.threads();
  const std::size_t most_groups = std::max<std::size_t>(1, rows == 1 ? panel_count / 2
                                                           : is_tall ? panel_count / 4
                                                                     : panel_count);
  const std::size_t groups = std::clamp<std::size_t>(
      is_tall ? (wanted_tasks + row_blocks - 1) / row_blocks : wanted_tasks / row_blocks, 1, most_groups);
  execution.parallel_with_progress(row_blocks * groups, [&](std::size_t task, std::size_t) {
    const std::size_t block = task / groups, group = task % groups;
    multiply_block(block * row_block, std::min(row_block, rows - block * row_block), group * panel_count / groups,
                   (group + 1) * panel_count / groups);
  });
}

template void PackedMatrix::multiply<float>(Strided<const float, 2>, Strided<float, 2>, const Epilogue<float>&,
                                            const Execution&) const;
template void PackedMatrix::multiply<double>(Strided<const double, 2>, Strided<double, 2>, const Epilogue<double>&,
                                             const Execution&) const;

}  // namespace attn
