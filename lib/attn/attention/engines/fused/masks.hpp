#pragma once
// The keys of a block that masks and biases leave for the rows that are computed together.

#include <attn/attention/engines/fused/plan.hpp>

#include <algorithm>
#include <limits>

namespace attn::fused {

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

}  // namespace attn::fused
