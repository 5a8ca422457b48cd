#pragma once
// Where a Gaussian sum of exponentials keeps its digits.

#include <attn/regression/sums/sums.hpp>

#include <vector>

namespace attn {

/// As a sum of exponentials (simd/gaussian_series.hpp), sum_i v_i exp(-u_i^2 / 2) is off by at most about
///
///     2e-13 sum_i |v_i| exp(-3 u_i)  +  1e-18 sum_{u_i < 25} |v_i|
///
/// the rounding of terms that decay as exp(-3 u), and the error of the series. exp(-3 u) is below exp(-u^2 / 2) up to
/// u = 6 and below 2e-8 beyond. Where
///
///     sum_i |v_i| exp(-3 u_i)  >=  1e-5 sum_{u_i < 25} |v_i|
///
/// the error is therefore below 1e-12 sum_i |v_i| exp(-u_i^2 / 2). This finds lower bounds of the left side and upper
/// bounds of the right one for all queries of a block at once, and for single queries where that is not enough.
///
/// Columns of values of a harmless spread (see spread_of) are not looked at: no value drowns there, and the error stays
/// below 1e-17 of the largest.
class SeriesTrust {
 public:
  static constexpr std::size_t block_keys = 16;
  SeriesTrust(const SumsProblem& problem, const Execution& execution);
  /// Whether the sums at q keep their digits. Block: the first whose last key is not left of q, or the last one.
  bool holds(double q, std::size_t self, std::size_t block) const;

 private:
  struct Column {
    const double* values = nullptr;  // null: of the weights
    // Of each block: lower bounds of what the keys before it weigh at the last of them, and those after it at their
    // first; an upper bound of sum |v_i| within reach of any query of the block.
    std::vector<double> left, right, reach;
  };
  std::size_t first_key(std::size_t block) const { return std::min(n_, block * block_keys); }
  double start(std::size_t block) const { return x_[first_key(block)]; }
  double end(std::size_t block) const { return x_[first_key(block + 1) - 1]; }
  double magnitude(const Column& column, std::size_t i) const;
  double faded(double distance) const;
  std::vector<double> bound(Column& column, const Execution& execution) const;
  void bound_reach(Column& column, const std::vector<double>& mass) const;
  bool holds(const Column& column, double q, std::size_t self, std::size_t block) const;

  const SumsProblem& problem_;
  const double* x_;
  std::size_t n_, blocks_;
  double scale_;
  std::vector<Column> columns_;
  std::vector<bool> whole_;  // blocks that need no look at single queries
};

}  // namespace attn
