#include <attn/matrix/packed_matrix.hpp>

#include <attn/core/memory.hpp>
#include <attn/matrix/bf16x3_product.hpp>
#include <attn/matrix/panel_product.hpp>

#include <algorithm>
#include <memory>
#include <string>

namespace attn {
namespace {

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
      if (out_stride == 1) {
        for (std::size_t k = first; k < last; ++k)
          std::copy_n(weight + static_cast<std::ptrdiff_t>(k) * in_stride + column, columns, to + k * width);
      }
      for (std::size_t c = out_stride == 1 ? columns : 0; c < columns; ++c) {
        const Element* source = weight + static_cast<std::ptrdiff_t>(column + c) * out_stride;
        for (std::size_t k = first; k < last; ++k)
          to[k * width + c] = source[static_cast<std::ptrdiff_t>(k) * in_stride];
      }
      for (std::size_t k = first; k < last; ++k)
        for (std::size_t c = columns; c < width; ++c) to[k * width + c] = Element{};
    }
  });
}

/// The cut of rows into blocks of whole tiles, as many in each as can be; where there are many, each thread has as many
/// blocks.
struct RowBlocks {
  std::size_t rows, count, tile_rows, tiles;
  bool is_tall;

  RowBlocks(std::size_t rows_of_x, std::size_t most_in_block, std::size_t rows_of_tile, std::size_t threads)
      : rows(rows_of_x),
        count((rows + most_in_block - 1) / most_in_block),
        tile_rows(rows_of_tile),
        tiles((rows + tile_rows - 1) / tile_rows),
        is_tall(count > 2) {
    if (is_tall && count > threads) count = (count + threads - 1) / threads * threads;
  }
  std::size_t begin(std::size_t block) const { return std::min(rows, block * tiles / count * tile_rows); }
  std::size_t size(std::size_t block) const { return begin(block + 1) - begin(block); }
};

/// The cut of a product into tasks: blocks of rows times groups of panels. Every element is a sum of its own, so the
/// cut is free to follow shape and threads.
template <class Walk>
struct ProductTasks {
  const Walk& walk;
  RowBlocks blocks;
  std::size_t groups;

  ProductTasks(const Walk& product, std::size_t threads)
      : walk(product), blocks(walk.rows(), walk.row_block(), walk.rows_together, threads) {
    // Few rows are cut by columns alone, evenly; one row is read two panels at a time. Of many, tasks are so many that
    // those which end last are a small part of the whole, and have panels enough for their rows to be worth fetching.
    const std::size_t wanted_tasks = (blocks.is_tall ? 16 : 4) * threads;
    const std::size_t least_panels = blocks.rows == 1         ? 2
                                     : !blocks.is_tall        ? 1
                                     : blocks.count < threads ? 4
                                                              : walk.least_panels();
    const std::size_t most_groups = std::max<std::size_t>(1, walk.panel_count() / least_panels);
    const std::size_t wanted_groups =
        blocks.is_tall ? (wanted_tasks + blocks.count - 1) / blocks.count : wanted_tasks / blocks.count;
    groups = std::clamp<std::size_t>(wanted_groups, 1, most_groups);
  }
  std::size_t count() const { return blocks.count * groups; }
  void operator()(std::size_t task) const { multiply(task / groups, task % groups, groups); }
  /// Blocks one after another, for a thread alone.
  void one_by_one(const Execution& execution) const {
    for (std::size_t block = 0; block < blocks.count; ++block) {
      multiply(block, 0, 1);
      if (execution.progress) execution.progress(block + 1, blocks.count);
    }
  }

 private:
  void multiply(std::size_t block, std::size_t group, std::size_t of_groups) const {
    const std::size_t panels = walk.panel_count();
    walk.multiply(blocks.begin(block), blocks.size(block), group * panels / of_groups,
                  (group + 1) * panels / of_groups);
  }
};

/// Whole products with one x. Threads meet once for all: a product of one row with a small matrix takes little longer.
template <class Walk>
void multiply_in_tasks(const std::vector<Walk>& walks, const Execution& execution) {
  constexpr std::size_t small_work = std::size_t{1} << 20, small_weight = std::size_t{1} << 18;
  std::vector<ProductTasks<Walk>> products;
  products.reserve(walks.size());
  std::size_t work = 0, weight = 0, tasks = 0;
  for (const Walk& walk : walks) {
    products.emplace_back(walk, execution.threads());
    work += walk.rows() * walk.inputs() * walk.outputs();
    weight += walk.inputs() * walk.outputs() * walk.size;
    tasks += products.back().count();
  }
  const bool is_small = work < small_work && weight < small_weight;
  if (is_small || execution.threads() == 1) {
    for (const ProductTasks<Walk>& product : products) product.one_by_one(execution);
    return;
  }
  execution.parallel_with_progress(tasks, [&](std::size_t task, std::size_t) {
    const ProductTasks<Walk>* product = products.data();
    for (; task >= product->count(); ++product) task -= product->count();
    (*product)(task);
  });
}

/// The same, with rows of x that are prepared once for all products where that is worth while.
template <class Walk>
void multiply_together_in_tasks(const std::vector<Walk>& walks, const Execution& execution) {
  const Walk& first = walks.front();
  const std::size_t threads = execution.threads();
  const RowBlocks blocks(first.rows(), first.row_block(), first.rows_together, threads);
  if (walks.size() == 1 || !first.keeps_rows() || !blocks.is_tall || blocks.count < threads ||
      !std::all_of(walks.begin(), walks.end(),
                   [](const Walk& walk) { return walk.panel_count() >= walk.least_panels(); }))
    return multiply_in_tasks(walks, execution);
  execution.parallel_with_progress(blocks.count, [&](std::size_t block, std::size_t) {
    Walk::multiply_together(walks, blocks.begin(block), blocks.size(block));
  });
}

}  // namespace

PackedMatrix::PackedMatrix(const TensorView& weight, DType compute, const Execution& execution)
    : compute_(compute_dtype(compute)), isa_(execution.isa) {
  if (weight.rank() != 2) throw shape_error(weight.name, weight.shape, "a matrix");
  inputs_ = weight.shape[1];
  outputs_ = weight.shape[0];
  if (is_multiplied_as_bf16(weight, compute, isa_)) {
    stored_ = DType::bf16;
    is_tiled_ = true;
    panels_ = pack_tiles(weight, execution);
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
    panels_ = allocate_beside(columns * inputs_ * element_size(stored_));
    visit_dtype(stored_, [&](auto element) {
      using Element = decltype(element);
      if constexpr (!std::is_same_v<Element, std::string>)
        pack(kernel, static_cast<const Element*>(source.data), source.strides[1], source.strides[0], inputs_, outputs_,
             static_cast<Element*>(panels_.get()), execution);
    });
  };
  if (compute_ == DType::f64)
    pack_as(simd::gemm_kernels<double>(isa_));
  else
    pack_as(simd::gemm_kernels<float>(isa_));
  if (!is_multiplied_by_pieces(inputs_, compute_, isa_)) return;
  constexpr std::size_t width = simd::bf16x3_columns;
  largest_of_panels_.resize((outputs_ + width - 1) / width);
  execution.parallel(largest_of_panels_.size(), [&](std::size_t panel, std::size_t) {
    const std::size_t columns = padded_width(simd::gemm_kernels<float>(isa_), panel * width, outputs_);
    const auto* const numbers =
        static_cast<const unsigned char*>(panels_.get()) + panel * width * inputs_ * element_size(stored_);
    largest_of_panels_[panel] =
        largest_magnitude(*simd::bf16x3_gemm_kernels(isa_), numbers, stored_, columns * inputs_);
  });
}

template <class Walk, class T>
Walk PackedMatrix::walk(Strided<const T, 2> x, const Product<T>& product) const {
  const auto* const panels = static_cast<const unsigned char*>(panels_.get());
  const simd::Storage storage = simd::storage_of(stored_);
  if constexpr (std::is_same_v<Walk, PieceWalk>)
    return {*simd::bf16x3_gemm_kernels(isa_),
            simd::gemm_kernels<float>(isa_),
            storage,
            element_size(stored_),
            panels,
            largest_of_panels_.data(),
            x,
            product.y,
            product.epilogue};
  else
    return {simd::gemm_kernels<T>(isa_), storage, element_size(stored_), panels, x, product.y, product.epilogue};
}

template <class T>
void PackedMatrix::expect_fitting(Strided<const T, 2> x, Strided<T, 2> y) const {
  const std::size_t rows = x.shape[0];
  if (dtype_of_v<T> != compute_ || x.shape[1] != inputs_ || y.shape[0] != rows || y.shape[1] != outputs_ ||
      (y.strides[1] != 1 && outputs_ > 1))
    throw Error(ErrorKind::defect, "matrix product",
                "(" + std::to_string(rows) + ", " + std::to_string(x.shape[1]) + ") times packed (" +
                    std::to_string(inputs_) + ", " + std::to_string(outputs_) + ") does not fit its output");
}

template <class T>
void PackedMatrix::multiply(Strided<const T, 2> x, Strided<T, 2> y, const Epilogue<T>& epilogue,
                            const Execution& execution) const {
  multiply_together<T>(x, {{this, y, epilogue}}, execution);
}

template <class T>
void PackedMatrix::multiply_together(Strided<const T, 2> x, const std::vector<Product<T>>& products,
                                     const Execution& execution) {
  for (const Product<T>& p : products) p.matrix->expect_fitting(x, p.y);
  if (x.shape[0] == 0) return;
  const auto multiply_walks = [&](auto walks) {
    using Walk = typename decltype(walks)::value_type;
    for (const Product<T>& p : products) {
      const PackedMatrix& matrix = *p.matrix;
      if (matrix.outputs_ == 0) continue;
      if constexpr (std::is_same_v<T, float>)
        if (matrix.is_tiled_) {
          multiply_tiles(matrix.isa_, static_cast<const std::uint16_t*>(matrix.panels_.get()), x, p.y, p.epilogue,
                         execution);
          continue;
        }
      walks.push_back(matrix.template walk<Walk>(x, p));
    }
    if (!walks.empty()) multiply_together_in_tasks(walks, execution);
  };
  const PackedMatrix& first = *products.front().matrix;
  if constexpr (std::is_same_v<T, float>)
    if (is_multiplied_by_pieces(first.inputs_, first.compute_, first.isa_))
      return multiply_walks(std::vector<PieceWalk>{});
  multiply_walks(std::vector<PanelWalk<T>>{});
}

template void PackedMatrix::multiply<float>(Strided<const float, 2>, Strided<float, 2>, const Epilogue<float>&,
                                            const Execution&) const;
template void PackedMatrix::multiply<double>(Strided<const double, 2>, Strided<double, 2>, const Epilogue<double>&,
                                             const Execution&) const;

template void PackedMatrix::multiply_together<float>(Strided<const float, 2>, const std::vector<Product<float>>&,
                                                     const Execution&);
template void PackedMatrix::multiply_together<double>(Strided<const double, 2>, const std::vector<Product<double>>&,
                                                      const Execution&);

}  // namespace attn
