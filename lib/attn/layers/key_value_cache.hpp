#pragma once
// Keys and values of the past, so that each new token costs one row.

#include <attn/core/tensor.hpp>

namespace ATTN_API attn {

/// Projected keys (B, H_kv, S, d) and values (B, H_kv, S, d_v), split into heads.
struct KeyValue {
  TensorView key, value;
};

/// Keys and values that grow by appending. Written rows stay in place until the capacity is used up; then the capacity
/// doubles.
class KeyValueCache {
 public:
  /// The first append allocates memory for at least `capacity` positions.
  explicit KeyValueCache(std::size_t capacity = 64) : capacity_(capacity) {}

  std::size_t length() const noexcept { return length_; }
  std::size_t capacity() const noexcept { return capacity_; }

  /// Appends the heads (B, H_kv, L, d). Throws Error(data) if B, H_kv or a width changes.
  void append(const KeyValue& heads);

  /// All keys and values, (B, H_kv, length, d); valid until the next append.
  KeyValue view() const;

  /// Forgets the positions from `length` on.
  void truncate(std::size_t length);

  /// Sequence b continues from the former sequence sources[b], for beams that are dropped and split. A sequence with
  /// sources[b] == b stays in place; the others are copied. If there is room for all, a sequence from which others
  /// continue must stay in place, unless its index is beyond the new number of sequences; otherwise throws
  /// Error(defect).
  void reorder(const std::vector<std::size_t>& sources);

 private:
  std::size_t capacity_, length_ = 0, batch_ = 0;
  Tensor key_, value_;  ///< (B or more, H_kv, capacity, width)
};

}  // namespace attn
