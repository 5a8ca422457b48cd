#pragma once
// What all blocks of rows of one problem share, the keys that masks leave for them, and the memory that the next block
// needs.

#include <attn/attention/problem.hpp>
#include <attn/core/memory.hpp>
#include <attn/simd/attention.hpp>
#include <attn/simd/attention_bf16.hpp>
#include <attn/simd/attention_bf16x3.hpp>
#include <attn/simd/elementwise.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
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

/// Rows of a block that are computed together, counted from its start.
struct RowGroup {
  std::size_t first = 0, rows = 0;
};

/// Keys that some row of a group attends to, counted from the start of the block of keys.
struct KeySpan {
  std::size_t first = 0, last = 0;
  TileKind kind = TileKind::empty;  ///< apart from the ranges of the rows
};

/// Memory for the results of RowMasks::limit().
template <class T, std::size_t most>
struct RowLimits {
  std::size_t first[most], last[most];
  const T* bias[most];
};

/// The keys of a block that masks and biases leave for the rows that are computed together.
template <class T>
class RowMasks {
 public:
  RowMasks() = default;
  /// ranges (rows), bias (rows of the largest group, key_block): memory that lives as long.
  RowMasks(const Plan<T>& plan, const RowBlock& block, KeyRange* ranges, T* bias);

  /// The range of these keys from the first to the last that any row attends to; last <= first if there is none.
  KeyRange keys(KeyRange among) const;

  /// `count` keys from `key` on.
  KeySpan span(const RowGroup& group, std::size_t key, std::size_t count) const;

  /// Sets rows, first, last and bias of `weights`, whose columns begin at key + origin. Returns true if some row
  /// excludes some key of the span.
  template <std::size_t most>
  bool limit(const RowGroup& group, const KeySpan& span, std::size_t key, std::size_t count, std::size_t origin,
             RowLimits<T, most>& limits, simd::WeightRows<T>& weights) const {
    weights.rows = group.rows;
    weights.first = limits.first;
    weights.last = limits.last;
    bool excludes = span.kind != TileKind::full;
    for (std::size_t r = 0; r < group.rows; ++r) {
      const KeyRange keys = clamped(ranges_[group.first + r], {key + origin, key + count});
      limits.first[r] = keys.first - key - origin;
      limits.last[r] = keys.last - key - origin;
      excludes |= keys.first > key + span.first || keys.last < key + span.last;
    }
    if (span.kind != TileKind::partial) return excludes;
    fetch_biases(group, {key + origin, key + std::min(origin + weights.columns, count)});
    for (std::size_t r = 0; r < group.rows; ++r) limits.bias[r] = bias_ + r * key_block;
    weights.bias = limits.bias;
    return excludes;
  }

 private:
  /// The part of `among` within `range`; first == last if it is empty.
  static KeyRange clamped(const KeyRange& range, const KeyRange& among) {
    const std::size_t last = std::clamp(range.last, among.first, among.last);
    return {std::min(std::clamp(range.first, among.first, among.last), last), last};
  }
  TileKind classify(const RowGroup& group, KeyRange keys) const;
  void fetch_biases(const RowGroup& group, KeyRange keys) const;

  const Plan<T>* plan_ = nullptr;
  RowBlock block_;
  KeyRange* ranges_ = nullptr;
  KeyRange used_{std::numeric_limits<std::size_t>::max(), 0};  ///< by any row
  T* bias_ = nullptr;
};

extern template class RowMasks<float>;
extern template class RowMasks<double>;

/// For short sequences, waiting for memory takes longer than computing. So the memory of the next block of rows is
/// fetched into the caches while the current block is computed, a few lines at a time.
class FetchAhead {
 public:
  FetchAhead() = default;
  /// Fetches the queries of `next`, and the keys and values that `current` does not use, in about so many steps.
  template <class T>
  FetchAhead(const Plan<T>& plan, const RowBlock& current, const RowBlock& next, std::size_t steps);

  /// The next part to fetch, of about so many remaining parts, for kernels that fetch it themselves.
  simd::LinesAhead part(std::size_t left) noexcept;

  /// Fetches the next few lines.
  void step() noexcept {
    for (std::size_t left = lines_of_step_; left > 0 && at_ < count_; --left) fetch_line();
  }

 private:
  /// Rows of so many bytes.
  struct Region {
    const unsigned char* row = nullptr;
    std::ptrdiff_t stride = 0;
    std::size_t rows = 0, bytes = 0;
  };
  void add(const TensorView& x, std::size_t b, std::size_t h, std::size_t first, std::size_t rows);
  void fetch_line() noexcept {
    Region& region = regions_[at_];
    __builtin_prefetch(region.row + byte_, 0, 2);
    byte_ += line;
    if (byte_ < region.bytes) return;
    byte_ = 0;
    region.row += region.stride;
    if (--region.rows == 0) ++at_;
  }

  static constexpr std::size_t line = 64;

  std::array<Region, 8> regions_;
  std::size_t count_ = 0, at_ = 0, byte_ = 0, lines_of_step_ = 0;
};

}  // namespace attn::fused
