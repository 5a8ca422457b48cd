// f32 as three bf16, and products of such matrices in tiles of AMX. Included only by sources for amxbf16.
//
// A number of 24 bits is the exact sum of three pieces of 8:
//
//     x = x1 + x2 + x3,   x1 = x cut off, x2 = x - x1 rounded, x3 = x - x1 - x2 (|x2| <= 2^-7 |x|, |x3| <= 2^-16 |x|)
//
// A product is the sum of the six of its nine products of pieces that are not below 2^-22 of it; the others are less
// than what rounding costs in a chain of f32, and of any sign. Sums are f32. So a product of two matrices has less than
// half the error of one by multiply-adds (which round once for each element of the depth, a tile once for 32 of each
// product), at 1.5 times the speed.
//
// Infinity and NaN give NaN, numbers below 2^-100 lose digits, and sums below the normal range are 0: who uses these
// products computes such rows otherwise.
//
// A step is 32 elements of depth. Elements i and 16 + i of it are a pair, i < 16, in both operands: so the pieces of
// two vectors come side by side by a shift, whichever way a matrix lies.
//
//     rows of A (rows, depth)        tile of a step and piece    [row][pair of depth][2]
//     columns of B (depth, columns)  the same                    [pair of depth][column][2]
//
// Order of addition: step by step; in a step the products of pieces A3 B1, A2 B1, A2 B2, A1 B2, A1 B3, A1 B1, each as
// amx_tile.hpp says. An operand of fewer pieces (f16 has two, bf16 one) leaves out products of zeros.
//
// Source: Henry, Tang and Heinecke 2019, Leveraging the bfloat16 Artificial Intelligence Datatype For Higher-Precision
// Computations.
#pragma once

#include <attn/simd/vector/amx_tile.hpp>
#include <attn/simd/vector/vector.hpp>

namespace attn::simd::ATTN_SIMD_LEVEL {

/// Elements from a piece to the next, and of all pieces of a tile.
inline constexpr std::size_t piece_elements = tile_elements, pieces_elements = 3 * tile_elements;

/// Pieces that are not 0 of numbers stored so.
template <class Stored>
inline constexpr int pieces_of = 3;
template <>
inline constexpr int pieces_of<Half> = 2;
template <>
inline constexpr int pieces_of<Bfloat> = 1;

ATTN_INLINE __m512i high_halves_mask() { return _mm512_set1_epi32(static_cast<int>(0xffff0000u)); }
/// The high halves of two vectors side by side.
ATTN_INLINE __m512i pair_high_halves(__m512i first, __m512i second) {
  constexpr int first_or_masked_second = 0xf8;
  return _mm512_ternarylogic_epi32(_mm512_srli_epi32(first, 16), second, high_halves_mask(), first_or_masked_second);
}
ATTN_INLINE V<float> cut_off(__m512i x) { return (V<float>)_mm512_and_si512(x, high_halves_mask()); }

/// The first P pieces of elements i and 16 + i of a step, for one row or one pair of depth of its tiles.
template <int P = 3>
ATTN_INLINE void store_pieces(V<float> first, V<float> second, std::uint16_t* tile) {
  const auto store_pairs = [&](int piece, __m512i pairs) __attribute__((always_inline)) {
    _mm512_store_si512(tile + piece * static_cast<std::ptrdiff_t>(piece_elements), pairs);
  };
  store_pairs(0, pair_high_halves((__m512i)first, (__m512i)second));
  if constexpr (P > 1) {
    const __m512i half_a_unit = _mm512_set1_epi32(0x8000);
    const V<float> first_rest = first - cut_off((__m512i)first), second_rest = second - cut_off((__m512i)second);
    const __m512i first_rounded = _mm512_add_epi32((__m512i)first_rest, half_a_unit);
    const __m512i second_rounded = _mm512_add_epi32((__m512i)second_rest, half_a_unit);
    store_pairs(1, pair_high_halves(first_rounded, second_rounded));
    if constexpr (P > 2)
      store_pairs(2, pair_high_halves((__m512i)(first_rest - cut_off(first_rounded)),
                                      (__m512i)(second_rest - cut_off(second_rounded))));
  }
}

/// C += A B for `steps` steps: R <= 2 tiles of rows, N <= 2 tiles of columns of P pieces; registers as in amx_tile.hpp.
/// a, b: the pieces of a step's tile one after another, steps one after another; a_next, b_next: elements to the second
/// tile of rows, of columns. beside() is done after each product of pieces: vectors have nothing to do meanwhile.
/// `swaps`: A and B are the operands of the transposed product, whose pieces go in their order, for the same bits.
template <int R, int N, int P = 3, bool swaps = false, class Beside>
ATTN_INLINE void multiply_pieces(const std::uint16_t* a, std::ptrdiff_t a_next, const std::uint16_t* b,
                                 std::ptrdiff_t b_next, std::size_t steps, Beside beside) {
  constexpr std::ptrdiff_t row = 64, piece = static_cast<std::ptrdiff_t>(piece_elements);
  const auto load_a = [&](int i) __attribute__((always_inline)) {
    tile_load<4>(a + i * piece, row);
    if constexpr (R == 2) tile_load<5>(a + a_next + i * piece, row);
  };
  const auto load_b = [&](int j) __attribute__((always_inline)) {
    tile_load<6>(b + j * piece, row);
    if constexpr (N == 2) tile_load<7>(b + b_next + j * piece, row);
  };
  const auto add = [&]() __attribute__((always_inline)) {
    tile_multiply_add<0, 4, 6>();
    if constexpr (N == 2) tile_multiply_add<1, 4, 7>();
    if constexpr (R == 2) tile_multiply_add<2, 5, 6>();
    if constexpr (R == 2 && N == 2) tile_multiply_add<3, 5, 7>();
    beside();
  };
  const auto load_first = [&](int i) __attribute__((always_inline)) { swaps ? load_b(i) : load_a(i); };
  const auto load_second = [&](int j) __attribute__((always_inline)) { swaps ? load_a(j) : load_b(j); };
  for (std::size_t s = 0; s < steps; ++s, a += pieces_elements, b += pieces_elements) {
    load_second(0);
    load_first(2), add();
    load_first(1), add();
    if constexpr (P > 1) load_second(1), add();
    load_first(0);
    if constexpr (P > 1) add();
    if constexpr (P > 2) load_second(2), add();
    if constexpr (P > 1) load_second(0);
    add();
  }
}

/// One tile of rows times four of columns, `next` elements apart, for the same bits: sums in tiles 0 to 3, a piece of A
/// in tile 4, of B in tile 5.
template <int P = 3, class Beside>
ATTN_INLINE void multiply_row_of_tiles(const std::uint16_t* a, const std::uint16_t* b, std::ptrdiff_t next,
                                       std::size_t steps, Beside beside) {
  constexpr std::ptrdiff_t row = 64, piece = static_cast<std::ptrdiff_t>(piece_elements);
  const auto add = [&](int i, int j) __attribute__((always_inline)) {
    if (j >= P) return;
    tile_load<4>(a + i * piece, row);
    const std::uint16_t* const right = b + j * piece;
    tile_load<5>(right, row), tile_multiply_add<0, 4, 5>();
    tile_load<5>(right + next, row), tile_multiply_add<1, 4, 5>();
    tile_load<5>(right + 2 * next, row), tile_multiply_add<2, 4, 5>();
    tile_load<5>(right + 3 * next, row), tile_multiply_add<3, 4, 5>();
    beside();
  };
  for (std::size_t s = 0; s < steps; ++s, a += pieces_elements, b += pieces_elements)
    add(2, 0), add(1, 0), add(1, 1), add(0, 1), add(0, 2), add(0, 0);
}

}  // namespace attn::simd::ATTN_SIMD_LEVEL
