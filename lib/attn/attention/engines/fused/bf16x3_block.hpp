#pragma once
// A block of query rows of fused attention on f32, where the processor multiplies the pieces of f32 faster than f32.

#include <attn/attention/engines/fused/features.hpp>
#include <attn/attention/engines/fused/masks.hpp>
#include <attn/attention/engines/fused/prefetch.hpp>

namespace attn::fused {

/// As BlockOfRows<float>, for problems with a plan.bf16x3: products are those of pieces, the weights between them the
/// same.
class Bf16x3BlockOfRows {
 public:
  static constexpr std::size_t keys_at_once = simd::bf16x3_keys;

  Bf16x3BlockOfRows(const Plan<float>& plan, const RowBlock& block);
  ~Bf16x3BlockOfRows() { kernels_.end(); }
  Bf16x3BlockOfRows(const Bf16x3BlockOfRows&) = delete;
  Bf16x3BlockOfRows& operator=(const Bf16x3BlockOfRows&) = delete;

  /// What the block takes of the thread's memory.
  std::size_t bytes() const noexcept { return bytes_; }

  /// Space of the thread for a running state of this block.
  RunningState<float> state() const noexcept { return state_; }

  /// While keys are attended to, what the next block of rows reads is fetched.
  void fetch_ahead(const RowBlock& next);

  /// Attends to keys [first, last), which lie in one block of keys_at_once, and joins them to `state`.
  void attend(std::size_t first, std::size_t last, const RunningState<float>& state);

 private:
  /// Rows of scores do not start in the same sets of the cache. Behind them there is room for a vector of maxima.
  static constexpr std::size_t score_stride = keys_at_once + 16;

  /// Elements from a tile of weights or values to the next rows or columns.
  static constexpr std::ptrdiff_t tiles_next = keys_at_once / simd::bf16x3_step * simd::bf16x3_tile;

  /// A group of rows against whole panels of keys; keys are counted from the start of their block.
  struct Work {
    RowGroup group;
    RowLimits<float, simd::bf16x3_group_rows> limits;
    KeySpan span;
    std::size_t key = 0, count = 0;    ///< the block of keys
    std::size_t first = 0, last = 0;   ///< of it
    float* scores = nullptr;           ///< (group, score_stride)
    std::uint16_t* weights = nullptr;  ///< their tiles
    bool is_final = false;             ///< its scores have their factor, and maxima of them are not known
    bool excludes = false;             ///< some row leaves some of the keys out
    float keep[simd::bf16x3_group_rows], add[simd::bf16x3_group_rows];
  };

  void split_queries();
  void attend_streamed(std::size_t key, std::size_t count, const RunningState<float>& state);
  void attend_groups(std::size_t key, std::size_t count, const RunningState<float>& state);
  void prepare(Work& work, const RowGroup& group, std::size_t key, std::size_t count) const;

  float factor() const noexcept;
  simd::KeyPanel take_panel(const Work& work, std::size_t panel);
  simd::Bf16x3Scores scores_of(const Work& work, std::size_t first, std::size_t last) const;
  void score_streamed(const Work& work);
  bool is_last(std::size_t key, std::size_t count) const noexcept;
  void score_exceptions(Work& work);
  simd::Bf16x3Weights weights_of(Work& work, const RunningState<float>& state);

  // bf16x3_pool.cpp
  simd::Bf16x3Values values(std::size_t key, std::size_t first, std::size_t last) const;
  simd::Bf16x3Pool pool_of(const Work& work) const;
  void join(const Work& work, const RunningState<float>& state);
  void pool_carefully(const Work& work, std::size_t r, simd::Bf16x3Pooled pooled);

  const Plan<float>& plan_;
  const simd::Bf16x3AttentionKernels& kernels_;
  RowBlock block_, next_;  ///< and the one whose turn it is after it, if known
  bool streams_;           ///< few rows: keys and values are split just before they are used
  std::size_t steps_;      ///< of the depth of queries and keys
  RowMasks<float> masks_;
  Operands<float> operands_;
  float* rows_ = nullptr;  ///< (rows, plan.query_stride): phi of queries; of a group, where nobody asks again
  std::uint16_t* queries_ = nullptr;  ///< tiles
  float* query_starts_ = nullptr;     ///< (rows): their part of expanded squares, which is added to scores
  float* key_starts_ = nullptr;       ///< (keys_at_once): that of keys, which sums start from
  std::uint16_t* keys_ = nullptr;     ///< tiles of the block of keys at hand; none where rows are few
  std::uint16_t* values_ = nullptr;
  std::uint16_t* weights_[2] = {};          ///< tiles of a group
  float* scores_[2] = {};                   ///< (group, score_stride)
  float* sums_ = nullptr;                   ///< (group, plan.padded_values): pooled values of the block of keys
  float* careful_values_ = nullptr;         ///< (step, plan.padded_values): of keys that take part
  std::uint16_t* careful_tiles_ = nullptr;  ///< their tiles
  float* careful_sums_ = nullptr;           ///< (tile, plan.padded_values)
  bool* expands_ = nullptr;                 ///< (keys_at_once): the square of this key's distances may be expanded
  std::size_t* expanded_ = nullptr;         ///< (panels): how many of its keys are
  float* exceptions_ = nullptr;             ///< panels of keys as vectors take them, where some are not
  float* differences_ = nullptr;            ///< (group, panel): their scores
  RunningState<float> state_;
  FetchAhead ahead_;
  std::size_t bytes_ = 0;
};

}  // namespace attn::fused
