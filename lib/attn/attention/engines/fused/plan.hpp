#pragma once
// What all blocks of rows of one problem share.

#include <attn/attention/problem.hpp>
#include <attn/core/scratch.hpp>
#include <attn/simd/attention.hpp>
#include <attn/simd/attention_bf16.hpp>
#include <attn/simd/attention_bf16x3.hpp>

#include <cstdint>
#include <vector>

namespace attn::fused {

constexpr std::size_t key_block = 512;
/// Blocks of Plan::rows_at_once() rows are halved down to so many where they would be few.
constexpr std::size_t fewer_rows = 480;

/// To a multiple.
inline std::size_t round_up(std::size_t n, std::size_t multiple) { return (n + multiple - 1) / multiple * multiple; }

/// Query rows that share a key-value head: row r of (b, g) is query r % L of head g * group + r / L.
struct RowBlock {
  std::size_t b = 0, g = 0;
  std::size_t first = 0, last = 0;
  std::size_t rows() const noexcept { return last - first; }
};

/// The running state of a block of rows.
template <class T>
struct RunningState {
  T* maximum = nullptr;  ///< (rows)
  T* total = nullptr;    ///< (rows)
  T* out = nullptr;      ///< (rows, padded value width)
};

/// Memory for one of so many rows.
template <class T>
RunningState<T> take_state(simd::Carver& memory, std::size_t rows, std::size_t padded_values) {
  return {memory.take<T>(rows), memory.take<T>(rows), memory.take<T>(rows * padded_values)};
}

/// What all blocks of rows of one problem share.
template <class T>
struct Plan {
  /// shows_scores: scores are seen or compared rather than pooled with: each is as near as its difference, and those of
  /// equal products are equal.
  Plan(const AttentionProblem& problem, Isa isa, bool shows_scores = false);

  const AttentionProblem& problem;
  const simd::AttentionKernels<T>& kernels;
  const simd::Bf16AttentionKernels* bf16;  ///< what multiplies bf16 as it is, where all there is to multiply is bf16
  const simd::Bf16x3AttentionKernels* bf16x3;  ///< what multiplies f32 in tiles, where this score is for them
  simd::Storage storage;                       ///< of keys and values as they lie in memory
  std::size_t width;                           ///< of phi(q) and psi(k)
  bool expands_squares;                        ///< see expanded_limit
  std::size_t depth;                           ///< of what vectors multiply: two more where squares are expanded
  std::size_t differing;      ///< where in a packed query the coordinates begin that keys are subtracted from
  std::size_t query_stride;   ///< from packed query to query: they do not begin in the same sets of the cache
  std::size_t padded_values;  ///< value width, rounded up to vectors
  bool is_plain;              ///< phi is the identity, up to query_factor
  bool transforms_keys;       ///< psi is not the identity
  double query_factor = 1;    ///< queries are multiplied by it
  T score_factor = 1;         ///< and scores by it
  T softcap;
  /// phi(q) = W q and psi(k) = W k of bilinear and additive scores: W (out, in) in f64, outputs side by side in memory,
  /// so that vectors of them go down the inputs; no axes: phi or psi is no product.
  TensorView query_matrix, key_matrix;
  /// 1 / h of gaussian scores with several bandwidths, or one beyond what score_factor can hold, is a power of two
  /// times a number in [1, 2). Queries and keys are multiplied by the power, which is exact, and differences by the
  /// number: far from 0 a difference has the bits that 1 / h as a whole would cost. None: score_factor has it.
  std::vector<double> coordinate_powers;
  std::vector<T> pair_weights;  ///< these numbers, or w of additive scores; else none
  Execution alone;              ///< the instruction set, without threads: what a block of rows calls others with

  /// Squared distances as a product, for half the work: -|q - k|^2 / 2 = (q, 1, -|q|^2 / 2) . (k, -|k|^2 / 2, 1).
  /// It loses what the squares have in common: with |q| < 2 |k| at most 5 |k|^2 roundings, and beyond that no more than
  /// a sum of squares does. So it is for keys with |k|^2 up to this limit, which is where the score is off by 40
  /// roundings at most; each key alone decides, so that a score's bits depend on nothing but its query and key.
  double expanded_limit = 0;

  /// Rows of a block, which share each packed block of keys; what is held of their queries and pooled values stays near
  /// 1 MiB.
  std::size_t rows_at_once() const noexcept;

  /// What coordinates of a pair are multiplied by, (width), or null.
  const T* weights() const noexcept { return pair_weights.empty() ? nullptr : pair_weights.data(); }

  std::size_t group() const noexcept { return problem.sizes.heads / problem.sizes.kv_heads; }
  std::size_t head(const RowBlock& block, std::size_t row) const noexcept {
    return block.g * group() + (block.first + row) / problem.sizes.queries;
  }
  std::size_t query(const RowBlock& block, std::size_t row) const noexcept {
    return (block.first + row) % problem.sizes.queries;
  }
};

extern template struct Plan<float>;
extern template struct Plan<double>;

/// First element of x(b, h, i, :).
const unsigned char* row_of(const TensorView& x, std::size_t b, std::size_t h, std::size_t i);

}  // namespace attn::fused
