#pragma once
// Sorted queries beside sorted keys.

#include <attn/regression/sums/sums.hpp>

#include <vector>

namespace attn {

/// Which queries are finite, and where each stands among the keys.
class LineQueries {
 public:
  /// Fills the rows of queries that are not finite with NaN.
  LineQueries(const SumsProblem& problem, SumsOutput out);

  std::size_t first() const noexcept { return first_; }  ///< of the finite queries,
  std::size_t last() const noexcept { return last_; }    ///< and one past the last

  /// Keys [0, left_end) lie at or left of the query, keys from right_begin on right of it; a query that is a sample
  /// belongs to the left, or to neither when it is left out.
  std::size_t left_end(std::size_t point) const noexcept {
    return border_.empty() ? point + (problem_.leave_one_out ? 0 : 1) : border_[point];
  }
  std::size_t right_begin(std::size_t point) const noexcept { return border_.empty() ? point + 1 : border_[point]; }

  /// The first query that has `key` on its left or is it: queries before it need no key from there on from the left.
  std::size_t up_to(std::size_t key) const noexcept;

 private:
  const SumsProblem& problem_;
  std::size_t first_ = 0, last_;
  std::vector<std::uint32_t> border_;  // of each query: the first key right of it; empty at the samples
};

}  // namespace attn
