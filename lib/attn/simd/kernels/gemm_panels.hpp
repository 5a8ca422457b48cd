// Rows times panels of a packed matrix, in register tiles. Included only by kernel sources.
#pragma once

#include <attn/simd/gemm.hpp>
#include <attn/simd/vector/math.hpp>
#include <attn/simd/vector/tile.hpp>

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

}  // namespace
}  // namespace attn::simd::ATTN_SIMD_LEVEL
