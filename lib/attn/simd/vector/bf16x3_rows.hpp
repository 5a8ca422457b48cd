// The sums of bf16x3.hpp for one or two rows of A, bit for bit, in vectors: tiles would be filled for sixteen.
// Included only by sources for amxbf16.
//
// The pieces are multiplied in f32, six multiply-adds for each vector of B, which is split in registers: a matrix that
// comes from memory comes as fast as memory gives it.
#pragma once

#include <attn/simd/vector/bf16x3.hpp>

namespace attn::simd::ATTN_SIMD_LEVEL {

/// Which piece of A goes with which of B, in order.
struct PiecePair {
  int a, b;
};
inline constexpr int piece_pair_count = 6;
inline constexpr PiecePair piece_pairs[piece_pair_count] = {{2, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 2}, {0, 0}};

/// The pieces of a step of a row as numbers.
struct StepOfRow {
  float pieces[3][tile_depth];
};

/// The pieces of a vector as numbers.
template <int P>
ATTN_INLINE void split_vector(V<float> x, V<float> (&pieces)[3]) {
  pieces[0] = cut_off((__m512i)x);
  if constexpr (P == 2) pieces[1] = x - pieces[0];
  if constexpr (P == 3) {
    const V<float> rest = x - pieces[0];
    pieces[1] = cut_off(_mm512_add_epi32((__m512i)rest, _mm512_set1_epi32(0x8000)));
    pieces[2] = rest - pieces[1];
  }
}

/// Step `step` of a row of so many elements, zeros behind them.
ATTN_INLINE void split_step_of_row(const float* x, std::ptrdiff_t left, StepOfRow& step) {
#pragma GCC unroll 2
  for (std::ptrdiff_t half = 0; half < 32; half += 16) {
    V<float> pieces[3];
    split_vector<3>(left - half >= 16 ? load(x + half)
                    : left > half     ? load_n<float>(x + half, left - half)
                                      : V<float>{},
                    pieces);
    for (int i = 0; i < 3; ++i) store<float>(step.pieces[i] + half, pieces[i]);
  }
}

/// Chains of a half of a step, R rows: column(p), p < 16, is a vector of B of P pieces.
template <int R, int P, class Column>
ATTN_INLINE void chain_half(const StepOfRow* const (&rows)[R], int half, Column column,
                            V<float> (&chains)[R][piece_pair_count]) {
#pragma GCC unroll 2
  for (int r = 0; r < R; ++r)
#pragma GCC unroll 6
    for (int i = 0; i < piece_pair_count; ++i) chains[r][i] = V<float>{};
#pragma GCC unroll 2
  for (int p = 0; p < 16; ++p) {
    V<float> pieces[3];
    split_vector<P>(column(p), pieces);
#pragma GCC unroll 2
    for (int r = 0; r < R; ++r)
#pragma GCC unroll 6
      for (int i = 0; i < piece_pair_count; ++i)
        if (piece_pairs[i].b < P)
          add_broadcast(chains[r][i], rows[r]->pieces[piece_pairs[i].a][half * 16 + p], pieces[piece_pairs[i].b]);
  }
}

/// sums[r] += what the chains of both halves of a step give.
template <int R, int P>
ATTN_INLINE void join_halves(const V<float> (&first)[R][piece_pair_count],
                             const V<float> (&second)[R][piece_pair_count], V<float> (&sums)[R]) {
#pragma GCC unroll 2
  for (int r = 0; r < R; ++r)
#pragma GCC unroll 6
    for (int i = 0; i < piece_pair_count; ++i)
      if (piece_pairs[i].b < P) sums[r] = sums[r] + (first[r][i] + second[r][i]);
}

/// sums[r] += the row's step times columns: column(k), k < 32 in order.
template <int R, int P, class Column>
ATTN_INLINE void add_step(const StepOfRow* const (&rows)[R], Column column, V<float> (&sums)[R]) {
  V<float> first[R][piece_pair_count], second[R][piece_pair_count];
  chain_half<R, P>(
      rows, 0, [&](int p) __attribute__((always_inline)) { return column(p); }, first);
  chain_half<R, P>(
      rows, 1, [&](int p) __attribute__((always_inline)) { return column(16 + p); }, second);
  join_halves<R, P>(first, second, sums);
}

}  // namespace attn::simd::ATTN_SIMD_LEVEL
