#pragma once
// The queries at which a Gaussian as a sum of exponentials keeps its digits.

#include <attn/regression/sums/sums.hpp>

#include <vector>

namespace attn {

/// As a sum of exponentials (simd/gaussian_series.hpp), sum_i v_i exp(-u_i^2 / 2) has an error of at most about
///
///     2e-13 sum_i |v_i| exp(-3 u_i)  +  1e-18 sum_{u_i < 25} |v_i|
///
/// from the rounding of terms that decay as exp(-3 u), and from the error of the series. exp(-3 u) is below exp(-u^2 /
/// 2) up to u = 6 and below 2e-8 beyond. Where
///
///     sum_i |v_i| exp(-3 u_i)  >=  1e-5 sum_{u_i < 25} |v_i|
///
/// the error is therefore below 1e-12 sum_i |v_i| exp(-u_i^2 / 2). This finds lower bounds of the left side and upper
/// bounds of the right one for all queries of a block at once, and for single queries where that is not enough.
///
/// Columns of values with a harmless spread (see spread_of) are skipped: the error stays below 1e-17 of the largest
/// value.
class SeriesTrust {
 public:
  static constexpr std::size_t block_keys = 16;
  SeriesTrust(const SumsProblem& problem, const Execution& execution);
  /// Do the sums at q keep their digits? Block: the first whose last key is not left of q, or the last one.
  bool holds(double q, std::size_t self, std::size_t block) const;

 private:
  struct Column {
    const double* values = nullptr;  // null: the weights
    // For each block: lower bounds of the weight of the keys before it at the last of them, and of the keys after it at
    // their first; an upper bound of sum |v_i| in reach of any query of the block.
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
  std::vector<bool> whole_;  // blocks that hold for all their queries
};

}  // namespace attn
