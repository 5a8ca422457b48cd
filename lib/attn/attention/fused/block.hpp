#pragma once
// One block of query rows of fused attention against blocks of keys: packing, tiles and their order.

#include <attn/attention/fused/features.hpp>
#include <attn/attention/fused/plan.hpp>

namespace attn::fused {

/// Most rows of a register tile.
constexpr std::size_t group_limit = 6;

/// A block of rows with its queries packed, in the calling thread's memory.
template <class T>
class BlockOfRows {
 public:
  static constexpr std::size_t keys_at_once = key_block;

  BlockOfRows(const Plan<T>& plan, const RowBlock& block);

  /// The size of the block in the thread's memory: at most 6 MiB for heads of up to 8192 numbers.
  std::size_t bytes() const noexcept { return bytes_; }

  /// Memory of the thread for a running state of this block.
  RunningState<T> state() const noexcept { return state_; }

  /// Fetches the memory of the next block of rows while this block attends to keys.
  void fetch_ahead(const RowBlock& next);

  /// Attends to keys [first, last), which lie in one block of 512, and joins them to `state`. False: none of
  /// the rows attends to any of them.
  bool attend(std::size_t first, std::size_t last, const RunningState<T>& state);

  /// Plain scores of the keys [first, last) of one block: out (rows, last - first) with the given stride.
  void scores(std::size_t first, std::size_t last, T* out, std::size_t out_stride);

 private:
  /// A register tile of rows against one block of keys; keys and panels are counted from the start of the block.
  struct Work {
    RowGroup group;
    KeySpan keys;
    std::size_t first_panel = 0, last_panel = 0;
    bool excludes = false;    ///< some row excludes some of these keys
    bool has_maxima = false;  ///< maxima of the lanes follow its scores
    T keep[group_limit], add[group_limit];
  };
  /// Groups that use a panel of keys one after another: few, so that their scores stay in the cache until they are
  /// weights.
  static constexpr std::size_t tile_groups = 4;

  /// The stride keeps rows of scores from starting in the same sets of the cache. After each row there is room for a
  /// vector of maxima.
  static constexpr std::size_t score_stride = key_block + 16;

  /// Rows of one register tile, from `first` on; none: all are done.
  RowGroup group_from(std::size_t first) const noexcept {
    const std::size_t left = block_.rows() - first;
    return {first, left >= 6 ? 6 : left >= 4 ? 4 : left >= 2 ? 2 : left};
  }

  Work prepare(const RowGroup& group, std::size_t key, std::size_t count) const;
  void attend_tile(Work* begin, Work* end, std::size_t key, std::size_t count, const RunningState<T>& state);

  void pack_panels(std::size_t key, std::size_t count, std::size_t first_panel, std::size_t last_panel);
  /// Returns true if `maxima` is set: see simd::ScoreGroup.
  bool score_panel(const RowGroup& group, std::size_t panel, std::size_t count, T* out, std::size_t stride, T* maxima);
  /// Squared distances become the kernel of them, if the score is one.
  void smooth(std::size_t rows, T* squares, std::size_t columns) const;

  void weigh(Work& work, std::size_t key, std::size_t count, T* scores, const RunningState<T>& state);

  void use_values(std::size_t key);
  T* packed_columns(std::size_t column) const noexcept;
  void pack_values(std::size_t count, std::size_t column, std::size_t columns);
  void pool(const Work& work, std::size_t column, std::size_t columns, const T* weights,
            const RunningState<T>& state) const;

  const Plan<T>& plan_;
  RowBlock block_;
  RowMasks<T> masks_;
  Operands<T> operands_;
  T* queries_ = nullptr;             ///< (rows, width)
  T* keys_ = nullptr;                ///< panels of the current block of keys
  T* packed_values_ = nullptr;       ///< panels of columns of values, each (key_block, value_columns_)
  T* scores_ = nullptr;              ///< (group, score_stride)
  bool* expands_ = nullptr;          ///< (key_block): the square of this key's distances may be expanded
  std::size_t* expanded_ = nullptr;  ///< (panels): how many of its keys are
  T* differences_ = nullptr;         ///< (groups of a tile, panel): scores of the others
  RunningState<T> state_;
  FetchAhead ahead_;
  bool has_few_rows_;                      ///< no more than a group
  bool packs_as_needed_;                   ///< few rows or wide keys: each panel is packed just before it is used
  bool streams_keys_;                      ///< few rows, if the score allows: keys are not packed
  bool packs_values_;                      ///< values cannot be used in place, or only slowly
  bool packs_columns_as_needed_;           ///< wide values: each panel of columns is packed just before it is used
  std::size_t value_columns_;              ///< columns of values that are pooled together
  const unsigned char* values_ = nullptr;  ///< of the current block of keys
  std::size_t bytes_ = 0;
};

extern template class BlockOfRows<float>;
extern template class BlockOfRows<double>;

}  // namespace attn::fused
