#pragma once
// What all blocks of rows of one problem share.

#include <attn/attention/problem.hpp>
#include <attn/core/scratch.hpp>
#include <attn/simd/attention.hpp>
#include <attn/simd/attention_bf16.hpp>
#include <attn/simd/attention_bf16x3.hpp>
#include <attn/simd/elementwise.hpp>

#include <cstdint>
#include <vector>

namespace attn::fused {

constexpr std::size_t key_block = 512;
/// If there are few blocks of Plan::rows_at_once() rows, blocks are halved down to so many rows.
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
  /// shows_scores: scores are shown or compared, not pooled: each is as accurate as its difference, and equal products
  /// give equal scores.
  Plan(const AttentionProblem& problem, Isa isa, bool shows_scores = false);

  const AttentionProblem& problem;
  const simd::AttentionKernels<T>& kernels;
  const simd::MathKernels<T>& math;
  const simd::Bf16AttentionKernels* bf16;      ///< kernels for bf16, if all operands are bf16
  const simd::Bf16x3AttentionKernels* bf16x3;  ///< kernels for f32 in tiles, if they support the score
  simd::Storage storage;                       ///< of keys and values in memory
  std::size_t width;                           ///< of phi(q) and psi(k)
  bool expands_squares;                        ///< see expanded_limit
  std::size_t depth;                           ///< of the multiplied vectors: width, or width + 2 for expanded squares
  std::size_t differing;      ///< start of the coordinates in a packed query from which keys are subtracted
  std::size_t query_stride;   ///< between packed queries, so that they start in different sets of the cache
  std::size_t padded_values;  ///< value width, rounded up to vectors
  bool is_plain;              ///< phi is the identity, up to query_factor
  bool transforms_keys;       ///< psi is not the identity
  double query_factor = 1;    ///< queries are multiplied by it
  T score_factor = 1;         ///< and scores by it
  T softcap;
  /// phi(q) = W q and psi(k) = W k of bilinear and additive scores: W (out, in) in f64, outputs are contiguous in
  /// memory, so that vectors of outputs run over the inputs; no axes: phi or psi is no product.
  TensorView query_matrix, key_matrix;
  /// 1 / h of gaussian scores with several bandwidths, or one beyond what score_factor can hold, is a power of two
  /// times a number in [1, 2). Queries and keys are multiplied by the power, which is exact, and differences by the
  /// number: far from 0, a difference keeps the bits that a product with 1 / h would lose. None: score_factor includes
  /// 1 / h.
  std::vector<double> coordinate_powers;
  std::vector<T> pair_weights;  ///< these numbers, or w of additive scores; else none
  Execution alone;              ///< the instruction set without threads, for calls inside a block of rows

  /// Squared distances as a product, for half the work: -|q - k|^2 / 2 = (q, 1, -|q|^2 / 2) . (k, -|k|^2 / 2, 1).
  /// Cancellation costs at most 5 |k|^2 roundings if |q| < 2 |k|, and otherwise no more than a sum of squares does. So
  /// only keys with |k|^2 up to this limit use it, where the error of a score is at most 40 roundings. Each key decides
  /// alone, so that a score's bits depend only on its query and key.
  double expanded_limit = 0;

  /// Rows of a block, which share each packed block of keys; their queries and pooled values take about 1 MiB.
  std::size_t rows_at_once() const noexcept;

  /// The factors of the coordinates of a pair, (width), or null.
  const T* weights() const noexcept { return pair_weights.empty() ? nullptr : pair_weights.data(); }

  bool needs_scores() const noexcept { return problem.normalize != Normalize::uniform; }
  /// For normalisers other than softmax.
  simd::PlainWeight plain_weight() const noexcept {
    if (!needs_scores()) return simd::PlainWeight::one;
    return problem.score.kind == Score::gaussian ? simd::PlainWeight::exponential : simd::PlainWeight::score;
  }

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
