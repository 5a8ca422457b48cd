// The kernels of gemm.hpp. Included by gemm_<instruction set>.cpp alone.

#include <attn/simd/gemm.hpp>
#include <attn/simd/kernels/gemm_panels.hpp>
#include <attn/simd/vector/math.hpp>
#include <attn/simd/vector/tile.hpp>
#include <attn/simd/vector/transpose.hpp>

namespace attn::simd::ATTN_SIMD_LEVEL {
namespace {

/// R rows of a product with A^T, whose elements of a step are side by side.
template <int R, int N, class T>
void column_tile(const ColumnProduct<T>& p, std::size_t row) {
  constexpr int W = width<T>;
  V<T> sums[R][N] = {};
  const T *a = p.a + row, *panel = p.panel;
  const std::ptrdiff_t stride = p.a_stride;
  T* const y = p.y + static_cast<std::ptrdiff_t>(row) * p.y_stride;
#pragma GCC unroll 2
  for (std::size_t k = 0; k < p.depth; ++k, a += stride, panel += N * W) {
    V<T> columns[N];
#pragma GCC unroll 4
    for (int v = 0; v < N; ++v) columns[v] = load<T>(panel + v * W);
#pragma GCC unroll 6
    for (int r = 0; r < R; ++r) {
      const V<T> element = set1<T>(a[r]);
#pragma GCC unroll 4
      for (int v = 0; v < N; ++v) sums[r][v] = add_product<T>(sums[r][v], element, columns[v]);
    }
  }
#pragma GCC unroll 6
  for (int r = 0; r < R; ++r)
#pragma GCC unroll 4
    for (int v = 0; v < N; ++v) {
      T* const to = y + r * p.y_stride + v * W;
      const std::ptrdiff_t left = static_cast<std::ptrdiff_t>(p.columns) - v * W;
      if (left >= W)
        store<T>(to, p.accumulate ? load<T>(to) + sums[r][v] : sums[r][v]);
      else
        store_n<T>(to, p.accumulate ? load_n<T>(to, left) + sums[r][v] : sums[r][v], left);
    }
}

template <int N, class T>
void columns_of(const ColumnProduct<T>& p) {
  std::size_t row = 0;
  for (; p.rows - row >= 6; row += 6) column_tile<6, N, T>(p, row);
  if (p.rows - row >= 4) column_tile<4, N, T>(p, row), row += 4;
  if (p.rows - row >= 2) column_tile<2, N, T>(p, row), row += 2;
  if (p.rows - row >= 1) column_tile<1, N, T>(p, row);
}

template <class T>
void product_columns(const ColumnProduct<T>& p) {
  const std::size_t vectors = (p.columns + width<T> - 1) / width<T>;
  if (vectors == tile_vectors) return columns_of<tile_vectors, T>(p);
  if constexpr (tile_vectors == 4) {
    if (vectors == 2) return columns_of<2, T>(p);
    if (vectors == 3) return columns_of<3, T>(p);
  }
  columns_of<1, T>(p);
}

/// One row times P panels.
template <int P, class T, class Stored>
ATTN_INLINE void row_tile(const RowProduct<T>& p, const Stored* panels, T* y) {
  constexpr int N = tile_vectors, W = width<T>;
  V<T> acc[P][N] = {};
  for (std::size_t k = 0; k < p.depth; ++k, panels += N * W) {
    const V<T> element = set1<T>(p.x[k]);
#pragma GCC unroll 4
    for (int panel = 0; panel < P; ++panel)
#pragma GCC unroll 4
      for (int v = 0; v < N; ++v)
        acc[panel][v] =
            fma(element, widen(panels + static_cast<std::size_t>(panel) * p.panel_stride + v * W), acc[panel][v]);
  }
#pragma GCC unroll 4
  for (int panel = 0; panel < P; ++panel)
#pragma GCC unroll 4
    for (int v = 0; v < N; ++v, y += W) store<T>(y, p.accumulate ? load<T>(y) + acc[panel][v] : acc[panel][v]);
}

template <class T, class Stored>
void product_row(const RowProduct<T>& p) {
  constexpr std::size_t side_by_side = tile_vectors == 4 ? 2 : 4;
  const auto* panels = static_cast<const Stored*>(p.panels);
  T* y = p.y;
  std::size_t panel = 0;
  for (; panel + side_by_side <= p.count; panel += side_by_side) {
    row_tile<side_by_side, T, Stored>(p, panels, y);
    panels += side_by_side * p.panel_stride;
    y += side_by_side * tile_vectors * width<T>;
  }
  for (; panel < p.count; ++panel) {
    row_tile<1, T, Stored>(p, panels, y);
    panels += p.panel_stride;
    y += tile_vectors * width<T>;
  }
}

template <class T>
ATTN_INLINE void store_chain(T* y, V<T> chain, std::ptrdiff_t n, bool accumulate) {
  if (n >= width<T>) return store<T>(y, accumulate ? load<T>(y) + chain : chain);
  store_n<T>(y, accumulate ? load_n<T>(y, n) + chain : chain, n);
}

/// Columns side by side in memory: M vectors of them go down the inputs together.
template <int M, class T, class Stored>
ATTN_INLINE void stored_columns(const StoredProduct<T>& p, std::size_t column, std::ptrdiff_t n) {
  constexpr int W = width<T>;
  V<T> acc[M] = {};
  const Stored* row = static_cast<const Stored*>(p.weight) + column;
  for (std::size_t k = 0; k < p.depth; ++k, row += p.in_stride) {
    const V<T> element = set1<T>(p.x[k]);
#pragma GCC unroll 8
    for (int v = 0; v < M; ++v) acc[v] = fma(element, M == 1 ? widen_n<T>(row, n) : widen(row + v * W), acc[v]);
  }
#pragma GCC unroll 8
  for (int v = 0; v < M; ++v) store_chain<T>(p.y + column + v * W, acc[v], M == 1 ? n : W, p.accumulate);
}

/// The inputs of a column side by side: squares of columns by inputs are turned in registers.
template <class T, class Stored>
ATTN_INLINE void stored_square(const Stored* first, std::ptrdiff_t stride, std::ptrdiff_t columns,
                               std::ptrdiff_t inputs, V<T> (&square)[width<T>]) {
#pragma GCC unroll 16
  for (int r = 0; r < width<T>; ++r) square[r] = r < columns ? widen_n<T>(first + r * stride, inputs) : V<T>{};
  transpose<T>(square);
}

template <class T, class Stored>
void stored_rows(const StoredProduct<T>& p, std::size_t column, std::ptrdiff_t n) {
  constexpr std::ptrdiff_t W = width<T>;
  const auto depth = static_cast<std::ptrdiff_t>(p.depth);
  const Stored* weight = static_cast<const Stored*>(p.weight) + static_cast<std::ptrdiff_t>(column) * p.out_stride;
  V<T> acc = {}, square[W];
  std::ptrdiff_t k = 0;
  for (; k + W <= depth; k += W) {
    if (n == W)
      stored_square<T>(weight + k, p.out_stride, W, W, square);
    else
      stored_square<T>(weight + k, p.out_stride, n, W, square);
#pragma GCC unroll 16
    for (std::ptrdiff_t i = 0; i < W; ++i) acc = fma(set1<T>(p.x[k + i]), square[i], acc);
  }
  if (k < depth) {
    stored_square<T>(weight + k, p.out_stride, n, depth - k, square);
    for (std::ptrdiff_t i = 0; i < depth - k; ++i) acc = fma(set1<T>(p.x[k + i]), square[i], acc);
  }
  store_chain<T>(p.y + column, acc, n, p.accumulate);
}

template <class T, class Stored>
void product_stored(const StoredProduct<T>& p) {
  constexpr std::size_t W = static_cast<std::size_t>(width<T>), together = 8;
  std::size_t column = 0;
  const auto left = [&] { return static_cast<std::ptrdiff_t>(p.columns - column < W ? p.columns - column : W); };
  if (p.out_stride != 1) {
    for (; column < p.columns; column += W) stored_rows<T, Stored>(p, column, left());
    return;
  }
  for (; column + together * W <= p.columns; column += together * W)
    stored_columns<together, T, Stored>(p, column, width<T>);
  for (; column < p.columns; column += W) stored_columns<1, T, Stored>(p, column, left());
}

/// R rows, a vector of each together: the bias, then act(x) for all of x.
template <int R, class T, class Activate>
ATTN_INLINE void finish_strip(const Finish<T>& f, T* y, Activate act) {
  constexpr std::ptrdiff_t W = width<T>;
  const auto columns = static_cast<std::ptrdiff_t>(f.columns);
  for (std::ptrdiff_t c = 0; c < columns; c += W) {
    const std::ptrdiff_t n = columns - c < W ? columns - c : W;
    const auto get = [&](const T* from) __attribute__((always_inline)) {
      return n == W ? load<T>(from) : load_n<T>(from, n);
    };
    const V<T> bias = f.bias != nullptr ? get(f.bias + c) : V<T>{};
    V<T> x[R];
#pragma GCC unroll 6
    for (int r = 0; r < R; ++r) x[r] = get(y + r * f.y_stride + c);
    if (f.bias != nullptr)
#pragma GCC unroll 6
      for (int r = 0; r < R; ++r) x[r] = x[r] + bias;
    act(x);
#pragma GCC unroll 6
    for (int r = 0; r < R; ++r) {
      T* const to = y + r * f.y_stride + c;
      if (n == W)
        store<T>(to, x[r]);
      else
        store_n<T>(to, x[r], n);
    }
  }
}

/// gelu takes several rows together. What would gain less takes long to compile: row by row, and the activation is
/// chosen for each vector, a branch that is always predicted.
template <class T>
void finish(const Finish<T>& f) {
  std::size_t row = 0;
  const auto at = [&] { return f.y + static_cast<std::ptrdiff_t>(row) * f.y_stride; };
  if (f.activation == Activation::gelu) {
    for (; row + tile_rows <= f.rows; row += tile_rows)
      finish_strip<tile_rows>(
          f, at(), [](auto& x) __attribute__((always_inline)) { to_gelus(x); });
  }
  for (; row < f.rows; ++row)
    finish_strip<1>(
        f, at(), [&](auto& x) __attribute__((always_inline)) { x[0] = activate<T>(f.activation, x[0]); });
}

}  // namespace

extern const GemmKernels<float> gemm_f32 = {
    tile_vectors * width<float>,
    width<float>,
    {product<float, float>, product<float, Half>, product<float, Bfloat>},
    {product_row<float, float>, product_row<float, Half>, product_row<float, Bfloat>},
    {product_stored<float, float>, product_stored<float, Half>, product_stored<float, Bfloat>},
    product_columns<float>,
    finish<float>};
extern const GemmKernels<double> gemm_f64 = {tile_vectors * width<double>,
                                             width<double>,
                                             {product<double, double>, nullptr, nullptr},
                                             {product_row<double, double>, nullptr, nullptr},
                                             {product_stored<double, double>, nullptr, nullptr},
                                             product_columns<double>,
                                             finish<double>};

}  // namespace attn::simd::ATTN_SIMD_LEVEL
