#if defined(__x86_64__)
#define ATTN_SIMD_LEVEL amxbf16
#define ATTN_SIMD_BYTES 64
#include <attn/simd/gemm_bf16.hpp>
#include <attn/simd/vector/amx_tile.hpp>
#include <attn/simd/vector/bf16_lanes.hpp>
#include <attn/simd/vector/vector.hpp>

#include <immintrin.h>

namespace attn::simd::amxbf16 {
namespace {

constexpr std::size_t block_side = 2 * tile_side;

/// R tiles of rows times one panel.
template <int R, int N>
void block(const Bf16Product& p, std::size_t row, std::size_t rows, std::size_t column) {
  zero_block<R, N>();
  multiply_block<R, N>(p.a + static_cast<std::ptrdiff_t>(row) * p.a_stride, p.a_stride,
                       p.b + column * tile_depth * p.steps, N * static_cast<std::ptrdiff_t>(tile_elements),
                       static_cast<std::ptrdiff_t>(tile_elements), p.steps);
  float* const y = p.y + static_cast<std::ptrdiff_t>(row) * p.y_stride + column;
  const std::size_t columns = p.columns - column;
  if (columns >= N * tile_side) return store_block<R, N>(y, p.y_stride);
  alignas(64) float whole[block_side * block_side];
  store_block<R, N>(whole, block_side);
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c)
      y[static_cast<std::ptrdiff_t>(r) * p.y_stride + c] = whole[r * block_side + c];
}

/// Rows first ... first + rows in blocks of 32 or, where they are fewer, of all of them.
template <int R>
void panels(const Bf16Product& p, std::size_t first, std::size_t rows) {
  const std::size_t step = rows < block_side ? rows : block_side;
  for (std::size_t column = 0; column < p.columns; column += block_side)
    for (std::size_t row = first; row < first + rows; row += step) {
      if (p.columns - column > tile_side)
        block<R, 2>(p, row, step, column);
      else
        block<R, 1>(p, row, step, column);
    }
}

void multiply(const Bf16Product& p) {
  const std::size_t rest = p.rows % block_side, full = p.rows - rest;
  if (full > 0) {
    const TileScope scope;
    panels<2>(p, 0, full);
  }
  if (rest > tile_side) {
    const TileScope scope(tile_side, rest - tile_side);
    panels<2>(p, full, rest);
  } else if (rest > 0) {
    const TileScope scope(rest, 1);
    panels<1>(p, full, rest);
  }
}

}  // namespace

extern const Bf16GemmKernels gemm_bf16 = {round_lanes, multiply};

}  // namespace attn::simd::amxbf16
#endif
