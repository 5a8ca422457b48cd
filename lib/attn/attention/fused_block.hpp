#pragma once
// One block of query rows of fused attention against blocks of keys: packing, tiles and their order. Private to the
// fused engine.

#include <attn/attention/problem.hpp>
#include <attn/simd/kernels.hpp>
#include <attn/simd/scratch.hpp>

#include <cstdint>
#include <vector>

namespace attn::fused {

constexpr std::size_t key_block = 512;
/// Most rows of a register tile.
constexpr std::size_t group_limit = 6;
constexpr double log2_e = 1.4426950408889634074;

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
  simd::Storage storage;      ///< of keys and values as they lie in memory
  std::size_t width;          ///< of phi(q) and psi(k)
  std::size_t padded_values;  ///< value width, rounded up to vectors
  bool is_plain;              ///< phi is the identity, up to query_factor
  bool transforms_keys;       ///< psi is not the identity
  double query_factor;        ///< queries are multiplied by it
  T score_factor;             ///< and scores by it
  T softcap;                  ///< in units of scores
  std::vector<T> additive_weights;

  std::size_t group() const noexcept { return problem.sizes.heads / problem.sizes.kv_heads; }
  std::size_t head(const RowBlock& block, std::size_t row) const noexcept {
    return block.g * group() + (block.first + row) / problem.sizes.queries;
  }
  std::size_t query(const RowBlock& block, std::size_t row) const noexcept {
    return (block.first + row) % problem.sizes.queries;
  }
};

/// A block of rows with its queries packed, in the calling thread's memory.
template <class T>
class BlockOfRows {
 public:
  BlockOfRows(const Plan<T>& plan, const RowBlock& block);

  /// Space of the thread for a running state of this block.
  RunningState<T> state() const noexcept { return state_; }
  void clear(const RunningState<T>& state) const;

  /// Attends to keys [first, last), which lie in one block of 512, and joins them to `state`.
  void attend(std::size_t first, std::size_t last, const RunningState<T>& state);

  /// Plain scores of the keys [first, last) of one block: out (rows, last - first) with the given stride.
  void scores(std::size_t first, std::size_t last, T* out, std::size_t out_stride);

 private:
  /// Rows that are computed in one register tile.
  struct Group {
    std::size_t first = 0, rows = 0;
  };
  /// A group against one block of keys; keys and panels are counted from the start of the block.
  struct Work {
    Group group;
    std::size_t first = 0, last = 0;  ///< keys that some row attends to
    std::size_t first_panel = 0, last_panel = 0;
    TileKind kind = TileKind::empty;  ///< of these keys, apart from the ranges of the rows
    bool excludes = false;            ///< some row leaves some of these keys out
    T keep[group_limit], add[group_limit];
  };
  /// Groups whose scores are held at once: about 200 KiB.
  static constexpr std::size_t tile_groups = 64 / sizeof(T);

  template <class Visitor>
  void for_groups(Visitor&& visit) const;
  void pack_queries();
  void take_values(std::size_t key, std::size_t count);
  simd::KeyPanel key_panel(std::size_t first, std::size_t last) const;
  void pack_panels(std::size_t key, std::size_t count, std::size_t first_panel, std::size_t last_panel);
  void score_panels(const Group& group, std::size_t first_panel, std::size_t last_panel, T* out, std::size_t stride);
  Work prepare(const Group& group, std::size_t key, std::size_t count) const;
  void weigh(Work& work, std::size_t key, std::size_t count, T* scores, const RunningState<T>& state);
  void pool(const Work& work, std::size_t column, std::size_t columns, const T* weights,
            const RunningState<T>& state) const;
  void attend_tile(Work* begin, Work* end, std::size_t key, std::size_t count, const RunningState<T>& state);
  TileKind classify(const Group& group, KeyRange keys) const;
  void fetch_biases(const Group& group, KeyRange keys);

  const Plan<T>& plan_;
  RowBlock block_;
  T* queries_ = nullptr;  ///< groups of rows, depth first
  T* keys_ = nullptr;     ///< panels of the block of keys at hand
  T* packed_values_ = nullptr;
  T* scores_ = nullptr;   ///< (group, score_stride)
  T* bias_ = nullptr;     ///< (group, key_block)
  T* staging_ = nullptr;  ///< (key_block, width): psi of keys; (group, width): phi of queries
  RunningState<T> state_;
  KeyRange* ranges_ = nullptr;             ///< (rows): keys that masks by position leave
  bool packs_as_needed_;                   ///< few rows: each panel is packed just before it is used
  bool streams_keys_;                      ///< and where the score allows, not even that
  bool packs_values_;                      ///< values cannot be used where they lie
  const unsigned char* values_ = nullptr;  ///< of the block of keys at hand
  std::ptrdiff_t values_stride_ = 0;
};

extern template struct Plan<float>;
extern template struct Plan<double>;
extern template class BlockOfRows<float>;
extern template class BlockOfRows<double>;

}  // namespace attn::fused
