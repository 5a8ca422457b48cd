// The kernels of gemm.hpp. Included by gemm_<instruction set>.cpp alone.

#include <attn/simd/gemm.hpp>
#include <attn/simd/math.hpp>
#include <attn/simd/tile.hpp>

namespace attn::simd::ATTN_SIMD_LEVEL {
namespace {

/// One register tile of a product.
template <int R, int N, class T, class Stored>
void product_tile(const T* a, const Stored* panel, std::size_t depth, T* y, std::ptrdiff_t y_stride,
                  std::size_t columns, bool add) {
  V<T> acc[R][N] = {};
  accumulate<R, N, T, Stored>(acc, a, 1, R, panel, N * width<T>, depth);
  constexpr int W = width<T>;
  const std::ptrdiff_t last = static_cast<std::ptrdiff_t>(columns) - (N - 1) * W;  // columns of the last vector
  for (int r = 0; r < R; ++r) {
    T* row = y + r * y_stride;
#pragma GCC unroll 4
    for (int v = 0; v < N - 1; ++v) store<T>(row + v * W, add ? load<T>(row + v * W) + acc[r][v] : acc[r][v]);
    T* end = row + (N - 1) * W;
    if (last == W)
      store<T>(end, add ? load<T>(end) + acc[r][N - 1] : acc[r][N - 1]);
    else
      store_n<T>(end, add ? load_n<T>(end, last) + acc[r][N - 1] : acc[r][N - 1], last);
  }
}

template <int N, class T, class Stored>
void product_rows(const PanelProduct<T>& p) {
  const T* a = p.a;
  T* y = p.y;
  const auto* panel = static_cast<const Stored*>(p.panel);
  std::size_t rows = p.rows;
  const auto take = [&](auto tile, std::size_t n) {
    tile(a, panel, p.depth, y, p.y_stride, p.columns, p.accumulate);
    a += n * p.depth;
    y += static_cast<std::ptrdiff_t>(n) * p.y_stride;
    rows -= n;
  };
  while (rows >= tile_rows) take(product_tile<tile_rows, N, T, Stored>, tile_rows);
  if (rows >= 4) take(product_tile<4, N, T, Stored>, 4);
  if (rows >= 2) take(product_tile<2, N, T, Stored>, 2);
  if (rows >= 1) take(product_tile<1, N, T, Stored>, 1);
}

template <class T, class Stored>
void product(const PanelProduct<T>& p) {
  const std::size_t vectors = (p.columns + width<T> - 1) / width<T>;
  if (vectors == 1) return product_rows<1, T, Stored>(p);
  if constexpr (tile_vectors == 4) {
    if (vectors == 3) return product_rows<3, T, Stored>(p);
    if (vectors == 4) return product_rows<4, T, Stored>(p);
  }
  product_rows<2, T, Stored>(p);
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

template <class T, int R>
const T* pack_group(const T* x, std::ptrdiff_t row_stride, std::ptrdiff_t column_stride, std::size_t depth, T* packed) {
  const T* column = x;
  for (std::size_t k = 0; k < depth; ++k, column += column_stride, packed += R)
    for (int r = 0; r < R; ++r) packed[r] = column[r * row_stride];
  return x + R * row_stride;
}

template <class T>
void pack_rows(const T* x, std::ptrdiff_t row_stride, std::ptrdiff_t column_stride, std::size_t rows, std::size_t depth,
               T* packed) {
  const auto take = [&](auto pack, std::size_t n) {
    x = pack(x, row_stride, column_stride, depth, packed);
    packed += n * depth;
    rows -= n;
  };
  while (rows >= tile_rows) take(pack_group<T, tile_rows>, tile_rows);
  if (rows >= 4) take(pack_group<T, 4>, 4);
  if (rows >= 2) take(pack_group<T, 2>, 2);
  if (rows >= 1) take(pack_group<T, 1>, 1);
}

template <class T, Activation activation>
void finish_rows(const Finish<T>& f) {
  constexpr std::ptrdiff_t W = width<T>;
  const auto columns = static_cast<std::ptrdiff_t>(f.columns);
  for (std::size_t r = 0; r < f.rows; ++r) {
    T* row = f.y + static_cast<std::ptrdiff_t>(r) * f.y_stride;
    for (std::ptrdiff_t c = 0; c < columns; c += W) {
      const std::ptrdiff_t n = columns - c < W ? columns - c : W;
      V<T> y = n == W ? load<T>(row + c) : load_n<T>(row + c, n);
      if (f.bias != nullptr) y = y + (n == W ? load<T>(f.bias + c) : load_n<T>(f.bias + c, n));
      y = activate<T>(activation, y);
      if (n == W)
        store<T>(row + c, y);
      else
        store_n<T>(row + c, y, n);
    }
  }
}

template <class T>
void finish(const Finish<T>& f) {
  switch (f.activation) {
    case Activation::none: return finish_rows<T, Activation::none>(f);
    case Activation::relu: return finish_rows<T, Activation::relu>(f);
    case Activation::gelu: return finish_rows<T, Activation::gelu>(f);
    case Activation::gelu_tanh: return finish_rows<T, Activation::gelu_tanh>(f);
    case Activation::silu: return finish_rows<T, Activation::silu>(f);
    case Activation::tanh: return finish_rows<T, Activation::tanh>(f);
    case Activation::sigmoid: return finish_rows<T, Activation::sigmoid>(f);
  }
}

}  // namespace

extern const GemmKernels<float> gemm_f32 = {
    tile_rows,
    tile_vectors* width<float>,
    width<float>,
    pack_rows<float>,
    {product<float, float>, product<float, Half>, product<float, Bfloat>},
    {product_row<float, float>, product_row<float, Half>, product_row<float, Bfloat>},
    finish<float>};
extern const GemmKernels<double> gemm_f64 = {tile_rows,
                                             tile_vectors* width<double>,
                                             width<double>,
                                             pack_rows<double>,
                                             {product<double, double>, nullptr, nullptr},
                                             {product_row<double, double>, nullptr, nullptr},
                                             finish<double>};

}  // namespace attn::simd::ATTN_SIMD_LEVEL
