#pragma once
// Sweeps over sorted keys and sorted queries, cut into pieces that threads take. Internal to lib/attn/regression.

#include <attn/regression/sums.hpp>

#include <functional>

namespace attn {

/// A sum over the keys on one side of each query. A piece of the queries needs the keys of its own stretch and those
/// within reach before and after it; there are as many pieces as keep that overlap below a quarter of the work.
class Sweep {
 public:
  struct Piece {
    std::size_t begin, end;           ///< queries
    std::size_t first_key, last_key;  ///< keys within reach of any of them
  };

  /// reach: the u beyond which keys do not count.
  Sweep(const SumsProblem& problem, double reach);

  /// Calls piece(p) for each on the threads; queries that are not finite get NaN.
  void run(const Execution& execution, SumsOutput out, const std::function<void(const Piece&)>& piece) const;

  /// Keys [0, left_end) lie at or left of the query, keys from right_begin on right of it; a query that is a sample
  /// belongs to the left, or to neither when it is left out.
  std::size_t left_end(std::size_t point) const noexcept {
    return problem_.points.samples != nullptr ? point + (problem_.leave_one_out ? 0 : 1) : border_[point];
  }
  std::size_t right_begin(std::size_t point) const noexcept {
    return problem_.points.samples != nullptr ? point + 1 : border_[point];
  }

 private:
  const SumsProblem& problem_;
  const double *x_, *q_;
  std::size_t n_, first_, last_;       // keys; finite queries
  double distance_;                    // the reach in x
  std::vector<std::uint32_t> border_;  // of each query: the first key right of it
};

}  // namespace attn
