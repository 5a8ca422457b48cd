#pragma once
// What all blocks of rows of one problem share. Private to the fused engine.

#include <attn/attention/problem.hpp>
#include <attn/simd/kernels.hpp>

#include <cstdint>
#include <vector>

namespace attn::fused {

constexpr std::size_t key_block = 512;

/// Query rows that share a key-value head: row r of (b, g) is query r % L of head g * group + r / L.
struct RowBlock {
  std::size_t b = 0, g = 0;
  std::size_t first = 0, last = 0;
  std::size_t rows() const noexcept { return last - first; }
};

/// The running state of a block of rows: scores in units of ln 2.
template <class T>
struct RunningState {
  T* maximum = nullptr;  ///< (rows)
  T* total = nullptr;    ///< (rows)
  T* out = nullptr;      ///< (rows, padded value width)
};

/// What all blocks of rows of one problem share.
template <class T>
struct Plan {
  Plan(const AttentionProblem& problem, Isa isa, double unit);

  const AttentionProblem& problem;
  const simd::AttentionKernels<T>& kernels;
  const simd::Bf16AttentionKernels* bf16;  ///< what multiplies bf16 as it is, where all there is to multiply is bf16
  simd::Storage storage;                   ///< of keys and values as they lie in memory
  std::size_t width;                       ///< of phi(q) and psi(k)
  std::size_t query_stride;                ///< from packed query to query: they do not begin in the same sets of the cache
  std::size_t padded_values;               ///< value width, rounded up to vectors
  bool is_plain;                           ///< phi is the identity, up to query_factor
  bool transforms_keys;                    ///< psi is not the identity
  double query_factor;                     ///< queries are multiplied by it
  T score_factor;                          ///< and scores by it
  T softcap;                               ///< in units of scores
  std::vector<T> additive_weights;

  /// Rows of a block: what is held of their queries and pooled values stays near 1 MiB.
  std::size_t rows_at_once() const noexcept;

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
