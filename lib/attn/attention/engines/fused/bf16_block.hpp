#pragma once
// A block of query rows of fused attention on bf16, where the processor multiplies bf16 as it is.

#include <attn/attention/engines/fused/masks.hpp>
#include <attn/core/scratch.hpp>

namespace attn::fused {

/// As BlockOfRows<float>, for problems with a plan.bf16: queries, keys and values are multiplied as they were given,
/// weights are rounded to bf16; sums are f32.
class Bf16BlockOfRows {
 public:
  static constexpr std::size_t keys_at_once = simd::bf16_keys;

  Bf16BlockOfRows(const Plan<float>& plan, const RowBlock& block);
  ~Bf16BlockOfRows() { kernels_.end(); }
  Bf16BlockOfRows(const Bf16BlockOfRows&) = delete;
  Bf16BlockOfRows& operator=(const Bf16BlockOfRows&) = delete;

  /// What the block takes of the thread's memory.
  std::size_t bytes() const noexcept { return bytes_; }

  /// Space of the thread for a running state of this block.
  RunningState<float> state() const noexcept { return state_; }

  /// Nothing: what is read is half as much.
  void fetch_ahead(const RowBlock&) const noexcept {}

  /// Attends to keys [first, last), which lie in one block of keys_at_once, and joins them to `state`.
  void attend(std::size_t first, std::size_t last, const RunningState<float>& state);

 private:
  void pack_queries();
  /// `count` keys or values (b, g) from `key` on, as they lie in memory.
  simd::Bf16Rows rows_of(const TensorView& x, std::size_t key, std::size_t count, std::size_t width) const;
  void attend_group(const RowGroup& group, std::size_t key, std::size_t count, const RunningState<float>& state);

  const Plan<float>& plan_;
  const simd::Bf16AttentionKernels& kernels_;
  RowBlock block_;
  bool streams_;       ///< few rows: keys and values are read where they lie
  std::size_t depth_;  ///< of queries and keys, filled up to whole steps
  RowMasks<float> masks_;
  std::uint16_t* queries_ = nullptr;  ///< (rows, depth_)
  std::uint16_t* keys_ = nullptr;     ///< tiles of the block of keys at hand
  std::uint16_t* values_ = nullptr;
  float* scores_ = nullptr;  ///< of a group
  RunningState<float> state_;
  std::size_t bytes_ = 0;
};

}  // namespace attn::fused
