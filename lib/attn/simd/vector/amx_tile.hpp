// The tile registers of AMX: products of bf16 matrices, summed in f32. Included only by sources for amxbf16.
//
// A product C (rows, columns) += A (rows, depth) B (depth, columns) goes by blocks of 32 x 32: R <= 2 tiles of A (16
// rows by 32 depth, row-major) times N <= 2 tiles of B (32 depth by 16 columns, pairs of depth interleaved):
//
//     b[p * 32 + 2 * column + i] = B[2 p + i][column],  p < 16, i < 2: one KiB, one tile
//
// The registers: C(r, n) is tile 2 r + n, A(r) tile 4 + r, B(n) tile 6 + n.
//
// Order of addition: in each step of 32 depth, even and odd elements each in a chain of multiply-adds from 0; the two
// chains are added to each other, their sum to C. Steps go in order. So an element's bits depend on its row of A and
// its column of B alone, and zeros that fill up the depth change none. Subnormal numbers count as 0. Source: Intel 64
// and IA-32 Architectures Software Developer's Manual, TDPBF16PS.
//
// The instructions are written as assembly because the compilers' intrinsics for loads do not say that memory is read.
#pragma once

#include <attn/simd/vector/vector.hpp>

#include <cstddef>
#include <cstdint>

namespace attn::simd::ATTN_SIMD_LEVEL {

/// Elements of depth in one step, rows of a tile of A, columns of a tile of B, elements of a tile of A or B.
inline constexpr std::size_t tile_depth = 32, tile_side = 16, tile_elements = tile_depth * tile_side;

/// Makes the tiles of the thread usable: so many rows, and columns of 32 bits, of each, 1 to 16; memory of further ones
/// is not touched.
ATTN_INLINE void configure_tiles(const std::size_t (&rows)[8], const std::size_t (&columns)[8]) {
  struct alignas(64) {
    std::uint8_t palette = 1, start_row = 0, reserved[14] = {};
    std::uint16_t row_bytes[16] = {};
    std::uint8_t rows[16] = {};
  } config;
  for (int tile = 0; tile < 8; ++tile) {
    config.row_bytes[tile] = static_cast<std::uint16_t>(4 * columns[tile]);
    config.rows[tile] = static_cast<std::uint8_t>(rows[tile]);
  }
  asm volatile("ldtilecfg %0" ::"m"(config));
}
/// For blocks: rows of A and C in the first and second row of tiles.
ATTN_INLINE void configure_tiles(std::size_t first_rows = tile_side, std::size_t second_rows = tile_side) {
  constexpr std::size_t all = tile_side;
  configure_tiles({first_rows, first_rows, second_rows, second_rows, first_rows, second_rows, all, all},
                  {all, all, all, all, all, all, all, all});
}
/// Gives them back: no context switch has to save them afterwards.
ATTN_INLINE void release_tiles() { asm volatile("tilerelease" ::); }

/// Both, for as long as one lives.
class TileScope {
 public:
  explicit TileScope(std::size_t first_rows = tile_side, std::size_t second_rows = tile_side) {
    configure_tiles(first_rows, second_rows);
  }
  ~TileScope() { release_tiles(); }
  TileScope(const TileScope&) = delete;
  TileScope& operator=(const TileScope&) = delete;
};

/// stride: bytes from row to row of the tile in memory.
template <int tile>
ATTN_INLINE void tile_load(const void* from, std::ptrdiff_t stride) {
  asm volatile("tileloadd (%0,%1,1), %%tmm%c2" ::"r"(from), "r"(stride), "i"(tile) : "memory");
}
template <int tile>
ATTN_INLINE void tile_store(void* to, std::ptrdiff_t stride) {
  asm volatile("tilestored %%tmm%c2, (%0,%1,1)" ::"r"(to), "r"(stride), "i"(tile) : "memory");
}
template <int tile>
ATTN_INLINE void tile_zero() {
  asm volatile("tilezero %%tmm%c0" ::"i"(tile));
}
template <int c, int a, int b>
ATTN_INLINE void tile_multiply_add() {
  asm volatile("tdpbf16ps %%tmm%c2, %%tmm%c1, %%tmm%c0" ::"i"(c), "i"(a), "i"(b));
}

/// C = 0.
template <int R, int N>
ATTN_INLINE void zero_block() {
  tile_zero<0>();
  if constexpr (N == 2) tile_zero<1>();
  if constexpr (R == 2) tile_zero<2>();
  if constexpr (R == 2 && N == 2) tile_zero<3>();
}

/// C += A B over `steps` of 32 depth. a: row-major bf16, a_stride elements from row to row, steps * 32 of them read in
/// each; b: the tile of step s and column block n at b + s * b_step + n * b_next, elements.
template <int R, int N>
ATTN_INLINE void multiply_block(const std::uint16_t* a, std::ptrdiff_t a_stride, const std::uint16_t* b,
                                std::ptrdiff_t b_step, std::ptrdiff_t b_next, std::size_t steps) {
  constexpr std::ptrdiff_t b_row = 64;
  for (std::size_t s = 0; s < steps; ++s, a += tile_depth, b += b_step) {
    tile_load<6>(b, b_row);
    tile_load<4>(a, 2 * a_stride);
    tile_multiply_add<0, 4, 6>();
    if constexpr (N == 2) {
      tile_load<7>(b + b_next, b_row);
      tile_multiply_add<1, 4, 7>();
    }
    if constexpr (R == 2) {
      tile_load<5>(a + static_cast<std::ptrdiff_t>(tile_side) * a_stride, 2 * a_stride);
      tile_multiply_add<2, 5, 6>();
      if constexpr (N == 2) tile_multiply_add<3, 5, 7>();
    }
  }
}

/// y (R * 16, N * 16) = C, or what the rows of the scope leave of it; stride: elements.
template <int R, int N>
ATTN_INLINE void store_block(float* y, std::ptrdiff_t stride) {
  constexpr auto side = static_cast<std::ptrdiff_t>(tile_side);
  tile_store<0>(y, 4 * stride);
  if constexpr (N == 2) tile_store<1>(y + side, 4 * stride);
  if constexpr (R == 2) tile_store<2>(y + side * stride, 4 * stride);
  if constexpr (R == 2 && N == 2) tile_store<3>(y + side * stride + side, 4 * stride);
}

/// C = y, to go on adding to it.
template <int R, int N>
ATTN_INLINE void load_block(const float* y, std::ptrdiff_t stride) {
  constexpr auto side = static_cast<std::ptrdiff_t>(tile_side);
  tile_load<0>(y, 4 * stride);
  if constexpr (N == 2) tile_load<1>(y + side, 4 * stride);
  if constexpr (R == 2) tile_load<2>(y + side * stride, 4 * stride);
  if constexpr (R == 2 && N == 2) tile_load<3>(y + side * stride + side, 4 * stride);
}

// What vectors need to compute the same sums bit for bit.

/// What a tile does with numbers below the normal range: they are 0. While one lives, vectors do the same with results,
/// and with operands unless there are none; what it encloses must not be inlined.
class SubnormalsAreZero {
 public:
  explicit SubnormalsAreZero(bool among_operands = true) : before_(_mm_getcsr()) {
    _mm_setcsr(before_ | flush_results | (among_operands ? flush_operands : 0));
  }
  ~SubnormalsAreZero() { _mm_setcsr(before_); }
  SubnormalsAreZero(const SubnormalsAreZero&) = delete;
  SubnormalsAreZero& operator=(const SubnormalsAreZero&) = delete;

 private:
  static constexpr unsigned flush_results = 0x8000, flush_operands = 0x0040;
  unsigned before_;
};

/// sum + a b, rounded once, a in all lanes. Asked for in this order: left to itself, GCC 12 splits all columns first,
/// for which there are no registers.
ATTN_INLINE void add_broadcast(V<float>& sum, const float& a, V<float> b) {
  asm volatile("vfmadd231ps %2%{1to16%}, %1, %0" : "+v"(sum) : "v"(b), "m"(a));
}

}  // namespace attn::simd::ATTN_SIMD_LEVEL
