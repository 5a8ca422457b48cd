// The kernels of gemm.hpp. Included by gemm_<instruction set>.cpp alone.

#include <attn/simd/gemm.hpp>
#include <attn/simd/vector/math.hpp>
#include <attn/simd/vector/tile.hpp>
#include <attn/simd/vector/transpose.hpp>

namespace attn::simd::ATTN_SIMD_LEVEL {
namespace {

/// a b + sum, rounded as fma(). The instruction that leaves the sum where it is: left to itself, GCC 12 moves sums from
/// register to register, and out of them where steps are unrolled (6 % of a product).
template <class T>
ATTN_INLINE V<T> add_product(V<T> sum, V<T> a, V<T> b) {
#if ATTN_SIMD_BYTES > 16
  if constexpr (sizeof(T) == 4)
    asm volatile("vfmadd231ps %2, %1, %0" : "+v"(sum) : "v"(a), "v"(b));
  else
    asm volatile("vfmadd231pd %2, %1, %0" : "+v"(sum) : "v"(a), "v"(b));
#else
  sum = fma(a, b, sum);
#endif
  return sum;
}

/// The sums of a register tile: rows r of A (R, depth) times a panel (depth, N vectors), k in order; beside(k) is done
/// once for each k, of which it is told k modulo the steps that are taken together, or 0.
template <int R, int N, bool Packed, class T, class Stored, class Beside>
ATTN_INLINE void multiply_tile(V<T> (&sums)[R][N], const T* a, std::ptrdiff_t a_stride, const Stored* panel,
                               std::size_t depth, Beside beside) {
  constexpr int together = static_cast<int>(row_group<T>);  // with 4 in f64 GCC 12 runs out of registers
  // Rows hang on two pointers, three on each, packed ones on one, and a step is a displacement: addresses take few
  // registers and no time.
  const T *low = a, *high = R > 3 && !Packed ? a + 3 * a_stride : a;
  const auto step = [&](int k) __attribute__((always_inline)) {
    beside(k);
    V<T> columns[N];
#pragma GCC unroll 4
    for (int v = 0; v < N; ++v) columns[v] = widen(panel + (k * N + v) * width<T>);
#pragma GCC unroll 6
    for (int r = 0; r < R; ++r) {
      const T* row = Packed ? low + r * together : r < 3 ? low + r * a_stride : high + (r - 3) * a_stride;
      const V<T> element = set1<T>(row[k]);
#pragma GCC unroll 4
      for (int v = 0; v < N; ++v) sums[r][v] = add_product<T>(sums[r][v], element, columns[v]);
    }
  };
  const auto advance = [&](int steps) __attribute__((always_inline)) {
    low += Packed && steps == together ? R * together : steps;
    panel += steps * N * width<T>;
    if constexpr (!Packed) {
      high += steps;
      asm volatile("" : "+r"(low), "+r"(high), "+r"(a_stride));  // else there is an address for each row and step
    }
  };
  for (; depth >= together; depth -= together) {
#pragma GCC unroll 4
    for (int k = 0; k < together; ++k) step(k);
    advance(together);
  }
  for (; depth > 0; --depth) {
    step(0);
    advance(1);
  }
}

/// Fetches so many cache lines into the L2 cache in every so many steps.
template <int Lines, int Every>
struct Fetch {
  const unsigned char*& next;
  __attribute__((always_inline)) void operator()(int k) const {
    if (k % Every != 0) return;
#pragma GCC unroll 4
    for (int line = 0; line < Lines; ++line) __builtin_prefetch(next + 64 * line, 0, 2);
    next += 64 * Lines;
  }
};

/// Where the chains of a panel's products stand between two parts of its depth.
template <class T>
struct Chains {
  T* at = nullptr;
  std::ptrdiff_t stride = 0;  ///< from row to row
  bool begin = true, end = true;
  bool add = false;          ///< what has ended is added to y
  bool finish = false;       ///< and then the bias
  std::size_t fetching = 0;  ///< of packed rows: steps that fetch what is needed next
};

template <class T>
void finish(const Finish<T>& f);

/// One register tile of a product, and so many lines of the next panel fetched in every so many steps along the depth.
template <int R, int N, int Lines, int Every, bool Packed, class T, class Stored>
void product_tile(const PanelProduct<T>& p, const Chains<T>& chains, const T* a, const Stored* panel, std::size_t depth,
                  std::size_t row, const unsigned char*& next) {
  constexpr int W = width<T>;
  V<T> sums[R][N];
  T* const y = p.y + static_cast<std::ptrdiff_t>(row) * p.y_stride;
  T* const chain = chains.at + static_cast<std::ptrdiff_t>(row) * chains.stride;
  const auto each_vector = [](auto f) __attribute__((always_inline)) {
#pragma GCC unroll 6
    for (int r = 0; r < R; ++r)
#pragma GCC unroll 4
      for (int v = 0; v < N; ++v) f(r, v);
  };
  if (chains.begin)
    each_vector([&](int r, int v) __attribute__((always_inline)) { sums[r][v] = V<T>{}; });
  else
    each_vector([&](int r, int v)
                    __attribute__((always_inline)) { sums[r][v] = load<T>(chain + r * chains.stride + v * W); });
  // What is written, or added to, comes meanwhile (Sapphire Rapids: 1 % of a product, 4 % where many columns leave the
  // L2 cache).
  if constexpr (Packed && ATTN_SIMD_BYTES == 64)
    each_vector([&](int r, int v)
                    __attribute__((always_inline)) { __builtin_prefetch(y + r * p.y_stride + v * W, 1); });
  else if (chains.add)
#pragma GCC unroll 6
    for (int r = 0; r < R; ++r) __builtin_prefetch(y + r * p.y_stride);
  if constexpr (Lines > 0) {
    const std::size_t fetching = !Packed || depth < chains.fetching ? depth : chains.fetching;
    const unsigned char* ahead = next;  // in a register: what is written through `next` would be stored each time
    multiply_tile<R, N, Packed, T, Stored>(sums, a, p.a_stride, panel, fetching, Fetch<Lines, Every>{ahead});
    next = ahead;
    a += Packed ? fetching * R : fetching;
    panel += fetching * N * W;
    depth -= fetching;
  }
  if constexpr (Lines == 0 || Packed)
    multiply_tile<R, N, Packed, T, Stored>(sums, a, p.a_stride, panel, depth, [](int) {});
  if (!chains.end)
    return each_vector([&](int r, int v)
                           __attribute__((always_inline)) { store<T>(chain + r * chains.stride + v * W, sums[r][v]); });
  const std::ptrdiff_t last = static_cast<std::ptrdiff_t>(p.columns) - (N - 1) * W;  // columns of the last vector
  const auto get = [&](const T* from, int v) __attribute__((always_inline)) {
    return v < N - 1 || last == W ? load<T>(from + v * W) : load_n<T>(from + v * W, last);
  };
  if (chains.add)
    each_vector([&](int r, int v)
                    __attribute__((always_inline)) { sums[r][v] = get(y + r * p.y_stride, v) + sums[r][v]; });
  if (chains.finish && p.bias != nullptr)
#pragma GCC unroll 4
    for (int v = 0; v < N; ++v) {
      const V<T> bias = get(p.bias, v);
#pragma GCC unroll 6
      for (int r = 0; r < R; ++r) sums[r][v] = sums[r][v] + bias;
    }
  const bool is_relu = p.activation == Activation::relu;  // one maximum, done where the sums are
  if (chains.finish && is_relu)
    each_vector([&](int r, int v)
                    __attribute__((always_inline)) { sums[r][v] = activate<T>(Activation::relu, sums[r][v]); });
  each_vector([&](int r, int v) __attribute__((always_inline)) {
    T* const to = y + r * p.y_stride + v * W;
    if (v < N - 1 || last == W)
      store<T>(to, sums[r][v]);
    else
      store_n<T>(to, sums[r][v], last);
  });
  // What else is done to the tile finds it in the nearest cache.
  if (chains.finish && p.activation != Activation::none && !is_relu)
    finish<T>({y, p.y_stride, static_cast<std::size_t>(R), p.columns, nullptr, p.activation});
}

/// All rows times a part of the panel's depth.
template <int N, int Lines, int Every, class T, class Stored>
void product_part(const PanelProduct<T>& p, const Chains<T>& chains, std::size_t first, std::size_t depth,
                  const unsigned char* next, const unsigned char* end) {
  const T* a = p.a + first;
  const auto* panel = static_cast<const Stored*>(p.panel) + first * N * static_cast<std::size_t>(width<T>);
  std::size_t row = 0;
  const auto take = [&](auto tile, std::size_t n) {
    tile(p, chains, a, panel, depth, row, next);
    a += static_cast<std::ptrdiff_t>(n) * p.a_stride;
    row += n;
  };
  const auto fetches = [&] { return Lines > 0 && next < end; };
  while (p.rows - row >= tile_rows)
    if (fetches())
      take(product_tile<tile_rows, N, Lines, Every, false, T, Stored>, tile_rows);
    else
      take(product_tile<tile_rows, N, 0, 1, false, T, Stored>, tile_rows);
  // Whole tiles have fetched all of the next panel; where there is none, the rows that are left do.
  constexpr int lines = N * width<T> * static_cast<int>(sizeof(Stored)) / 64;  // of one step along the depth
  constexpr bool in_one_pass = Lines == 4 || (Lines > 0 && lines * Every <= Lines);
  constexpr int L = in_one_pass ? Lines : 0, E = in_one_pass ? Every : 1;
  const auto take_rest = [&](auto fetching, auto tile, std::size_t n) {
    if (p.rows - row < n) return;
    if (fetches())
      take(fetching, n);
    else
      take(tile, n);
  };
  take_rest(product_tile<4, N, L, E, false, T, Stored>, product_tile<4, N, 0, 1, false, T, Stored>, 4);
  take_rest(product_tile<2, N, L, E, false, T, Stored>, product_tile<2, N, 0, 1, false, T, Stored>, 2);
  take_rest(product_tile<1, N, L, E, false, T, Stored>, product_tile<1, N, 0, 1, false, T, Stored>, 1);
}

/// Rows of more than one tile may take the panel in parts; a chain goes on from part to part. While a part is used, the
/// next one is fetched.
template <int N, int Lines, int Every, class T, class Stored>
void product_rows(const PanelProduct<T>& p) {
  constexpr std::size_t W = static_cast<std::size_t>(width<T>), row_bytes = N * W * sizeof(Stored);
  const std::size_t step = p.rows > tile_rows && p.part > 0 ? p.part : p.depth;
  alignas(64) T memory[most_rows * N * W];
  Chains<T> chains{memory, N * W};
  if (!p.accumulate && p.columns == N * W) chains = {p.y, p.y_stride};
  chains.add = p.accumulate;
  for (std::size_t first = 0; first < p.depth || first == 0; first += step) {
    chains.begin = first == 0;
    chains.end = chains.finish = first + step >= p.depth;
    const auto* next = static_cast<const unsigned char*>(chains.end ? p.next : p.panel);
    if (!chains.end) next += (first + step) * row_bytes;
    const unsigned char* const end = next == nullptr ? nullptr : next + step * row_bytes;
    product_part<N, Lines, Every, T, Stored>(p, chains, first, chains.end ? p.depth - first : step, next, end);
    if (chains.end) return;
  }
}

/// Packed rows. Each tile fetches its share of the next panel, so many lines in each group of steps.
template <int N, int Lines, class T, class Stored>
void product_packed(const PanelProduct<T>& p) {
  constexpr int bytes = N * width<T> * static_cast<int>(sizeof(Stored));  // of one step along the depth
  constexpr int Every = static_cast<int>(row_group<T>);
  static_assert(rows_of_tile(most_rows) == tile_rows);
  const auto* next = static_cast<const unsigned char*>(p.next);
  const std::size_t passes = p.rows / tile_rows, together = passes * Lines * 64;
  Chains<T> chains;
  chains.add = p.accumulate;
  chains.finish = true;
  chains.fetching = next == nullptr || passes == 0 ? 0 : (p.depth * bytes + together - 1) / together * row_group<T>;
  std::size_t row = 0;
  const auto take = [&](auto tile, std::size_t n) {
    tile(p, chains, p.a + static_cast<std::ptrdiff_t>(row) * p.a_stride, static_cast<const Stored*>(p.panel), p.depth,
         row, next);
    row += n;
  };
  while (p.rows - row >= tile_rows) take(product_tile<tile_rows, N, Lines, Every, true, T, Stored>, tile_rows);
  if (p.rows - row >= 4) take(product_tile<4, N, 0, 1, true, T, Stored>, 4);
  if (p.rows - row >= 2) take(product_tile<2, N, 0, 1, true, T, Stored>, 2);
  if (p.rows - row >= 1) take(product_tile<1, N, 0, 1, true, T, Stored>, 1);
}

/// As few lines together as fetch all of the next panel: where they wait for the L3 cache, many at once take the places
/// of what comes from the L2 cache (Sapphire Rapids, where one line instead of four makes a product 1 to 3 % faster).
template <int N, class T, class Stored>
void packed_panel(const PanelProduct<T>& p) {
  constexpr std::size_t lines = N * width<T> * sizeof(Stored) * row_group<T> / 64;  // of a group of steps
  const std::size_t passes = p.rows / tile_rows;
  if constexpr (lines > 4 && N == tile_vectors) {
    if (2 * passes < lines) return product_packed<N, 4, T, Stored>(p);
    if (passes < lines) return product_packed<N, 2, T, Stored>(p);
  }
  product_packed<N, 1, T, Stored>(p);
}

/// Panels of full width come one after another: while one is used, the next is fetched, spread over all passes, as
/// memory that is asked for much at once is idle afterwards.
template <class T, class Stored>
void full_panel(const PanelProduct<T>& p) {
  constexpr int N = tile_vectors;
  constexpr std::size_t lines = N * width<T> * sizeof(Stored) / 64;  // of one step along the depth
  const std::size_t passes = p.rows < tile_rows ? 1 : p.rows / tile_rows;
  if constexpr (lines > 2)
    if (lines > 2 * passes) return product_rows<N, 4, 1, T, Stored>(p);
  if constexpr (lines > 1)
    if (lines > passes) return product_rows<N, 2, 1, T, Stored>(p);
  if constexpr (lines > 0)
    if (2 * lines > passes) return product_rows<N, 1, 1, T, Stored>(p);
  product_rows<N, 1, 2, T, Stored>(p);
}

template <int N, class T, class Stored>
void panel_of(const PanelProduct<T>& p) {
  if (p.is_packed) return packed_panel<N, T, Stored>(p);
  if constexpr (N == tile_vectors)
    full_panel<T, Stored>(p);
  else
    product_rows<N, 0, 1, T, Stored>(p);
}

template <class T, class Stored>
void product(const PanelProduct<T>& p) {
  const std::size_t vectors = (p.columns + width<T> - 1) / width<T>;
  if (vectors == tile_vectors) return panel_of<tile_vectors, T, Stored>(p);
  if constexpr (tile_vectors == 4) {
    if (vectors == 2) return panel_of<2, T, Stored>(p);
    if (vectors == 3) return panel_of<3, T, Stored>(p);
  }
  panel_of<1, T, Stored>(p);
}

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
