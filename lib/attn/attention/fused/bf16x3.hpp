#pragma once
// A block of query rows of fused attention on f32, for processors that multiply the bf16 pieces of f32 faster than f32.

#include <attn/attention/fused/features.hpp>
#include <attn/attention/fused/plan.hpp>

namespace attn::fused {

/// As BlockOfRows<float>, for problems with a plan.bf16x3: products are sums over pieces; the weights in between are
/// computed in the same way.
class Bf16x3BlockOfRows {
 public:
  static constexpr std::size_t keys_at_once = simd::bf16x3_keys;

  Bf16x3BlockOfRows(const Plan<float>& plan, const RowBlock& block);
  ~Bf16x3BlockOfRows() { kernels_.end(); }
  Bf16x3BlockOfRows(const Bf16x3BlockOfRows&) = delete;
  Bf16x3BlockOfRows& operator=(const Bf16x3BlockOfRows&) = delete;

  /// The size of the block in the thread's memory.
  std::size_t bytes() const noexcept { return bytes_; }

  /// Memory of the thread for a running state of this block.
  RunningState<float> state() const noexcept { return state_; }

  /// Fetches the memory of the next block of rows while this block attends to keys.
  void fetch_ahead(const RowBlock& next);

  /// Attends to keys [first, last), which lie in one block of keys_at_once, and joins them to `state`. False: none of
  /// the rows attends to any of them.
  bool attend(std::size_t first, std::size_t last, const RunningState<float>& state);

 private:
  /// The stride keeps rows of scores from starting in the same sets of the cache. After each row there is room for a
  /// vector of maxima.
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
    bool is_final = false;             ///< scores include their factor; their maxima are unknown
    bool excludes = false;             ///< some row excludes some of the keys
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

  simd::Bf16x3Values values(std::size_t key, std::size_t first, std::size_t last) const;
  simd::Bf16x3Pool pool_of(const Work& work) const;
  void join(const Work& work, const RunningState<float>& state);
  void pool_carefully(const Work& work, std::size_t r, simd::Bf16x3Pooled pooled);

  const Plan<float>& plan_;
  const simd::Bf16x3AttentionKernels& kernels_;
  RowBlock block_, next_;  ///< and the following one, if known
  bool streams_;           ///< few rows: keys and values are split just before they are used
  std::size_t steps_;      ///< of the depth of queries and keys
  RowMasks<float> masks_;
  Operands<float> operands_;
  float* rows_ = nullptr;  ///< (rows, plan.query_stride): phi of queries, or of one group if it is used only once
  std::uint16_t* queries_ = nullptr;  ///< tiles
  float* query_starts_ = nullptr;     ///< (rows): their term of expanded squares, added to the scores
  float* key_starts_ = nullptr;       ///< (keys_at_once): the term of keys, the start of the sums
  std::uint16_t* keys_ = nullptr;     ///< tiles of the current block of keys; none for few rows
  std::uint16_t* values_ = nullptr;
  std::uint16_t* weights_[2] = {};          ///< tiles of a group
  float* scores_[2] = {};                   ///< (group, score_stride)
  float* sums_ = nullptr;                   ///< (group, plan.padded_values): pooled values of the block of keys
  float* careful_values_ = nullptr;         ///< (step, plan.padded_values): of keys that are not excluded
  std::uint16_t* careful_tiles_ = nullptr;  ///< their tiles
  float* careful_sums_ = nullptr;           ///< (tile, plan.padded_values)
  bool* expands_ = nullptr;                 ///< (keys_at_once): the square of this key's distances may be expanded
  std::size_t* expanded_ = nullptr;         ///< (panels): how many of its keys are
  float* exceptions_ = nullptr;             ///< panels of keys for vectors, if some are not expanded
  float* differences_ = nullptr;            ///< (group, panel): their scores
  RunningState<float> state_;
  FetchAhead ahead_;
  std::size_t bytes_ = 0;
};

}  // namespace attn::fused
