#pragma once
// The batches of two streams, one beside the other.

#include <attn/core/stream.hpp>

#include <cstddef>
#include <string>

namespace tdiff {

/// Goes through two sources in step and counts their batches. A literal, which has no source, serves every batch.
class Batches {
 public:
  /// Of sources at their first batch, which may be the same one; null for a literal.
  Batches(attn::Source* a, attn::Source* b) : a_(a), b_(b) {}

  /// Moves both on to their next batch; false when one has none. What the other still has is counted then.
  bool next();
  bool equal() const noexcept { return count_a_ == count_b_; }

  /// "a.h5 and b.h5: numbers of batches 2 and 3 differ".
  std::string to_text() const;
  std::string to_json() const;

 private:
  attn::Source *a_, *b_;
  std::size_t count_a_ = 1, count_b_ = 1;
};

}  // namespace tdiff
