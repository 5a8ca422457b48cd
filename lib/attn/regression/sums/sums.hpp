#pragma once
// Sums of weights over keys, for many queries at once: what regressions of degree 0 consist of, and what the fast exact
// algorithms compute.

#include <attn/regression/samples/samples.hpp>
#include <attn/regression/windows/weight_rows.hpp>

#include <vector>

namespace attn {

/// For each query: sum_i w_i and, for each column v of values, sum_i w_i v_i, with w_i = weight_i K(|scale (q - x_i)|).
struct SumsProblem {
  const KernelRegression::Prepared& samples;
  const QueryPoints& points;
  Kernel kernel = Kernel::gaussian;
  std::vector<double> scale;          ///< (d)
  const double* weight = nullptr;     ///< (n) or null: all one
  std::vector<const double*> values;  ///< columns (n), in prepared order, finite
  bool leave_one_out = false;         ///< points are the samples, each without itself
  double tolerance = 0;               ///< of methods that drop far pairs

  std::size_t columns() const noexcept { return 1 + values.size(); }
  WeightRows::Parameters row_parameters() const;
  std::size_t self(std::size_t point) const noexcept { return leave_one_out ? point : KdTree::no_self; }
};

/// How far the sizes of what is summed lie apart: the largest |w v| over the least of what is usual in any part of the
/// samples, zeros left out; at least 1. Errors that are small beside the largest drown a fit among the others times
/// less. Column 0 is that of the weights.
double spread_of(const SumsProblem& problem, std::size_t column);
/// Up to here spreads are harmless: errors of a rounding stay far below 1e-12.
constexpr double harmless_spread = 100;

/// Where sums go: rows in the order of the points. Rows of queries that are not finite are NaN; a first column of 0
/// means that no key is in reach. Where the kernel is never zero, a row may have had its largest weight taken out.
struct SumsOutput {
  double* totals = nullptr;      ///< (m, 1 + values)
  double* log_factor = nullptr;  ///< (m), filled with 0 beforehand: the logarithm of what was taken out; or null

  void set_log_factor(std::size_t point, double value) const noexcept {
    if (log_factor != nullptr) log_factor[point] = value;
  }
};

/// All are the same bits for any number of threads: they are cut by the problem alone.
using SumsFunction = void(const SumsProblem& problem, const Execution& execution, SumsOutput out);

/// Any kernel and dimension: every pair, or with `tree` and `cells` every pair within reach.
SumsFunction direct_sums, tree_sums, cell_sums;
/// d = 1, compact kernels: O(n + m) after sorting.
SumsFunction window_sums;
/// d = 1: gaussian as a sum of exponentials, laplace as itself; O(n + m) after sorting.
SumsFunction gaussian_series_sums, laplace_series_sums;

/// One query by its row of weights, with the largest one taken out: what the fast algorithms fall back to where their
/// error bound does not hold. One object for each thread.
class ExactSums {
 public:
  explicit ExactSums(const SumsProblem& problem);
  /// q (d), sums (1 + values); returns the logarithm of the factor taken out.
  double find(const double* q, std::size_t self, double* sums);

 private:
  const SumsProblem& problem_;
  WeightRows rows_;
  WeightRow row_;
  WeightRows::Scratch scratch_;
};

}  // namespace attn
