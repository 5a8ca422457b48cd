#pragma once
// Keys and values of the past: what lets each new token cost one row.

#include <attn/core/tensor.hpp>

namespace ATTN_API attn {

/// Projected keys (B, H_kv, S, d) and values (B, H_kv, S, d_v), split into heads.
struct KeyValue {
  TensorView key, value;
};

/// Keys and values that grow by appending. Rows once written stay where they are until the capacity is used up; then
/// the capacity doubles.
class KeyValueCache {
 public:
  /// Memory is taken with the first append, for at least `capacity` positions.
  explicit KeyValueCache(std::size_t capacity = 64) : capacity_(capacity) {}

  std::size_t length() const noexcept { return length_; }
  std::size_t capacity() const noexcept { return capacity_; }

  /// Puts the heads (B, H_kv, L, d) behind what is there. Throws Error(data) when B, H_kv or a width changes.
  void append(const KeyValue& heads);

  /// All of it, (B, H_kv, length, d); valid until the next append.
  KeyValue view() const;

  /// Forgets the positions from `length` on.
  void truncate(std::size_t length);

  /// Sequence b goes on from what was sequence sources[b]: beams that are dropped and split. Only those are copied that
  /// do not stay in their place, sources[b] == b. Where there is room for all, one that others go on from must stay,
  /// unless it stood behind the last one that is left; Error(defect) otherwise.
  void reorder(const std::vector<std::size_t>& sources);

 private:
  std::size_t capacity_, length_ = 0, batch_ = 0;
  Tensor key_, value_;  ///< (B or more, H_kv, capacity, width)
};

}  // namespace attn
