#pragma once
// Sums of weights over keys, for many queries at once: the basis of regressions of degree 0, computed by fast exact
// algorithms.

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
  const double* weight = nullptr;     ///< (n) or null: all 1
  std::vector<const double*> values;  ///< columns (n), in prepared order, finite
  bool leave_one_out = false;         ///< points are the samples, each from the others
  double tolerance = 0;               ///< for methods that drop far pairs

  std::size_t columns() const noexcept { return 1 + values.size(); }
  WeightRows::Parameters row_parameters() const;
  std::size_t self(std::size_t point) const noexcept { return leave_one_out ? point : KdTree::no_self; }
};

/// The spread of the sizes of summands: the largest |w v| over the smallest typical size in any part of the samples,
/// without zeros; at least 1. A fit among small summands keeps this factor less precision relative to the largest.
/// Column 0 is the weights.
double spread_of(const SumsProblem& problem, std::size_t column);
/// Largest harmless spread: errors of rounding stay far below 1e-12.
constexpr double harmless_spread = 100;

/// Output of sums: rows in the order of the points. Rows of queries that are not finite are NaN; a first column of 0
/// means that no key is in reach. With kernels that are never zero, the largest weight may be factored out of a row.
struct SumsOutput {
  double* totals = nullptr;      ///< (m, 1 + values)
  double* log_factor = nullptr;  ///< (m), initially 0: logarithm of the factor; or null

  void set_log_factor(std::size_t point, double value) const noexcept {
    if (log_factor != nullptr) log_factor[point] = value;
  }
};

/// All give the same bits for any number of threads: the problem alone determines the tasks.
using SumsFunction = void(const SumsProblem& problem, const Execution& execution, SumsOutput out);

/// Any kernel and dimension: every pair, or with `tree` and `cells` every pair in reach.
SumsFunction direct_sums, tree_sums, cell_sums;
/// d = 1, compact kernels: O(n + m) after sorting.
SumsFunction window_sums;
/// d = 1: gaussian as a sum of exponentials, laplace as itself; O(n + m) after sorting.
SumsFunction gaussian_series_sums, laplace_series_sums;

/// The sums at one query from its row of weights, with the largest factored out: the fallback of the fast algorithms
/// where their error bound does not hold. One object for each thread.
class ExactSums {
 public:
  explicit ExactSums(const SumsProblem& problem);
  /// q (d), sums (1 + values); returns the logarithm of the factor.
  double find(const double* q, std::size_t self, double* sums);

 private:
  const SumsProblem& problem_;
  WeightRows rows_;
  WeightRow row_;
  WeightRows::Scratch scratch_;
};

}  // namespace attn
