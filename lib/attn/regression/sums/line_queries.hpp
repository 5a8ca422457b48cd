#pragma once
// Sorted queries among sorted keys.

#include <attn/regression/sums/sums.hpp>

#include <vector>

namespace attn {

/// The finite queries and their positions among the keys.
class LineQueries {
 public:
  /// Fills the rows of queries that are not finite with NaN.
  LineQueries(const SumsProblem& problem, SumsOutput out);

  std::size_t first() const noexcept { return first_; }  ///< of the finite queries,
  std::size_t last() const noexcept { return last_; }    ///< and one past the last

  /// Keys [0, left_end) are at or left of the query, keys from right_begin on are right of it. A query that is a sample
  /// belongs to the left, or with leave-one-out to neither.
  std::size_t left_end(std::size_t point) const noexcept {
    return border_.empty() ? point + (problem_.leave_one_out ? 0 : 1) : border_[point];
  }
  std::size_t right_begin(std::size_t point) const noexcept { return border_.empty() ? point + 1 : border_[point]; }

  /// The first query at or right of `key`: for earlier queries, no key from `key` on is on the left.
  std::size_t up_to(std::size_t key) const noexcept;

 private:
  const SumsProblem& problem_;
  std::size_t first_ = 0, last_;
  std::vector<std::uint32_t> border_;  // first key right of each query; empty at the samples
};

}  // namespace attn
