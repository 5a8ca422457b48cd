#pragma once
// The batches of two streams, in step.

#include <attn/core/source_sink.hpp>

#include <cstddef>
#include <string>

namespace tdiff {

/// Steps through two sources and counts their batches. A literal, which has no source, serves every batch.
class Batches {
 public:
  /// The sources, at their first batch, may be the same one; null for a literal.
  Batches(attn::Source* a, attn::Source* b) : a_(a), b_(b) {}

  /// Moves both to their next batch; false if one has none, and then counts the rest of the other.
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
