#pragma once
// A block of query rows of fused attention on bf16, for processors that multiply bf16.

#include <attn/attention/fused/plan.hpp>
#include <attn/core/memory.hpp>

namespace attn::fused {

/// As BlockOfRows<float>, for problems with a plan.bf16: queries, keys and values are multiplied as given, weights are
/// rounded to bf16, and sums are f32.
class Bf16BlockOfRows {
 public:
  static constexpr std::size_t keys_at_once = simd::bf16_keys;

  Bf16BlockOfRows(const Plan<float>& plan, const RowBlock& block);
  ~Bf16BlockOfRows() { kernels_.end(); }
  Bf16BlockOfRows(const Bf16BlockOfRows&) = delete;
  Bf16BlockOfRows& operator=(const Bf16BlockOfRows&) = delete;

  /// The size of the block in the thread's memory.
  std::size_t bytes() const noexcept { return bytes_; }

  /// Memory of the thread for a running state of this block.
  RunningState<float> state() const noexcept { return state_; }

  /// Does nothing: bf16 halves the memory to read.
  void fetch_ahead(const RowBlock&) const noexcept {}

  /// Attends to keys [first, last), which lie in one block of keys_at_once, and joins them to `state`. False: none of
  /// the rows attends to any of them.
  bool attend(std::size_t first, std::size_t last, const RunningState<float>& state);

 private:
  void pack_queries();
  /// `count` keys or values (b, g) from `key` on, in place.
  simd::Bf16Rows rows_of(const TensorView& x, std::size_t key, std::size_t count, std::size_t width) const;
  void attend_group(const RowGroup& group, std::size_t key, std::size_t count, const RunningState<float>& state);

  const Plan<float>& plan_;
  const simd::Bf16AttentionKernels& kernels_;
  RowBlock block_;
  bool streams_;       ///< few rows: keys and values are read in place
  std::size_t depth_;  ///< of queries and keys, padded to whole steps
  RowMasks<float> masks_;
  std::uint16_t* queries_ = nullptr;  ///< (rows, depth_)
  std::uint16_t* keys_ = nullptr;     ///< tiles of the current block of keys
  std::uint16_t* values_ = nullptr;
  float* scores_ = nullptr;  ///< of a group
  RunningState<float> state_;
  std::size_t bytes_ = 0;
};

}  // namespace attn::fused
