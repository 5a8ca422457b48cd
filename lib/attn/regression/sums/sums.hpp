#pragma once
// Sums of weights over keys, for many queries at once: the basis of regressions whose windows need no row of weights,
// computed by fast exact algorithms, of which the cheapest is chosen.

#include <attn/regression/samples/samples.hpp>
#include <attn/regression/windows/extended.hpp>
#include <attn/regression/windows/weight_rows.hpp>

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace attn {

/// For each query: sum_i w_i and, for each column v of values, sum_i w_i v_i, with w_i = weight_i K(|scale (q - x_i)|).
/// At degree p > 0, in one dimension, also the moments that a polynomial of that degree needs:
///
///     sum_i w_i z_i^r, r = 0 .. 2p,  and, for the fitted columns,  sum_i w_i z_i^r v_i, r = 0 .. p
///
/// with z_i = scale (x_i - origin).
struct SumsProblem {
  const KernelRegression::Prepared& samples;
  const QueryPoints& points;
  Kernel kernel = Kernel::gaussian;
  std::vector<double> scale;          ///< (d)
  const double* weight = nullptr;     ///< (n) or null: all 1
  std::vector<const double*> values;  ///< columns (n), in prepared order, finite
  bool leave_one_out = false;         ///< points are the samples, each from the others
  double tolerance = 0;               ///< for methods that drop far pairs
  std::size_t degree = 0;             ///< p
  std::size_t fitted = 0;             ///< with p > 0: how many of the first columns of values have moments
  bool causal = false;                ///< with p > 0: only keys with x <= q
  bool squared = false;               ///< with moments: K^2 instead of K, for compact kernels
  /// Above 0, in one dimension: the width of each query is kernel_scale / scale times the distance to its neighbour of
  /// this number. Moments alone, at degree 0 too.
  std::size_t neighbours = 0;
  double kernel_scale = 1;
  CategoryWeights categories = {};  ///< factors of the weights

  std::size_t columns() const noexcept { return 1 + values.size(); }
  /// The highest moment of a column. Column 0 is the weights.
  std::size_t order(std::size_t column) const noexcept {
    return column == 0 ? 2 * degree : column <= fitted ? degree : 0;
  }
  /// Where the moments of a column begin in those of a query, which are `length()` numbers.
  std::size_t offset(std::size_t column) const noexcept {
    std::size_t at = 0;
    for (std::size_t c = 0; c < column; ++c) at += order(c) + 1;
    return at;
  }
  std::size_t length() const noexcept { return offset(columns()); }
  WeightRows::Parameters row_parameters() const;
  std::size_t self(std::size_t point) const noexcept { return leave_one_out ? point : KdTree::no_self; }
};

/// The sums of a smoother of degree 0 with a fixed bandwidth: values are the columns of y.
SumsProblem sums_problem(const KernelRegression::Prepared& samples, const QueryPoints& points, const Smoother& smoother,
                         bool leave_one_out);

/// The problem with K^2 and squared sample weights instead of K and the weights and without values, for sum w^2; the
/// squared weights go to `weights`. False at degree 0 for a kernel whose square is not one of the kernels.
bool square(SumsProblem& problem, std::vector<double>& weights);

/// The spread of the sizes of summands: the largest |w v| over the smallest typical size in any part of the samples,
/// without zeros; at least 1. A fit among small summands keeps this factor less precision relative to the largest.
/// Column 0 is the weights.
double spread_of(const SumsProblem& problem, std::size_t column);
/// Largest harmless spread: errors of rounding stay far below 1e-12.
constexpr double harmless_spread = 100;

/// The moments of one window, for degrees above 0.
struct WindowMoments {
  double origin = 0;
  double scale = 1;                 ///< of z = scale (x - origin); 0: all keys are at the query
  const Extended* sums = nullptr;   ///< (length)
  const Extended* sizes = nullptr;  ///< (columns) of each column v: upper bounds of sum_i weight_i v_i over the window
  double extent = 1;                ///< no sample that counts has a larger |z|
  double rounding = 0;              ///< the error of a sum is at most this share of its size extent^r
  double log_factor = 0;            ///< logarithm of a factor that was taken out of the weights
  /// In how many places the keys with a weight are, if the method counts them.
  std::size_t places = std::numeric_limits<std::size_t>::max();
};
/// Takes the moments of one query; called for different points concurrently, and not for empty windows.
using MomentsTaker = std::function<void(std::size_t point, const WindowMoments& moments)>;

/// Output of sums: rows in the order of the points. Rows of queries that are not finite are NaN; a first column of 0
/// means that no key is in reach. With kernels that are never zero, the largest weight may be factored out of a row.
struct SumsOutput {
  double* totals = nullptr;               ///< (m, 1 + values)
  double* log_factor = nullptr;           ///< (m), initially 0: logarithm of the factor; or null
  const MomentsTaker* moments = nullptr;  ///< at degrees above 0, instead of both

  void set_log_factor(std::size_t point, double value) const noexcept {
    if (log_factor != nullptr) log_factor[point] = value;
  }
};

/// All give the same bits for any number of threads: the problem alone determines the tasks.
using SumsFunction = void(const SumsProblem& problem, const Execution& execution, SumsOutput out);

/// Any kernel and dimension: every pair, or with `tree` and `cells` every pair in reach.
SumsFunction direct_sums, tree_sums;
/// d = 1, compact kernels: O(n + m) after sorting. Any degree, as the next two.
SumsFunction window_sums;
/// d = 1: gaussian as a sum of exponentials, laplace as itself; O(n + m) after sorting.
SumsFunction gaussian_series_sums, laplace_series_sums;
/// d = 1, widths by neighbours: O((n + m) log n), any kernel with a width. Moments alone.
SumsFunction neighbour_sums;

/// Samples with categories: by any of the methods over each of their cells.
void category_sums(Method method, const SumsProblem& problem, const Execution& execution, SumsOutput out);

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

// Choosing the algorithm for the sums, by a measured model of costs.

struct MethodChoice {
  Method method = Method::direct;
  std::string reason;
};

/// The cheapest exact method for the sums, by the number of samples and queries, the kernel, and the share of samples
/// in reach of some of the queries; or `wanted`, if that is possible. The choice never depends on time, threads or
/// load. Throws Error(usage) if the wanted method does not support the kernel or the dimension.
MethodChoice choose_method(const SumsProblem& problem, Method wanted);

/// The same for moments in one dimension: none where rows of weights are as fast.
std::optional<MethodChoice> choose_moments_method(const SumsProblem& problem, Method wanted);

/// The same for windows that are evaluated row by row: does searching only within reach pay?
MethodChoice choose_row_method(const KernelRegression::Prepared& samples, const Smoother& smoother);

/// Runs the method; samples with categories must have cells.
void run_method(Method method, const SumsProblem& problem, const Execution& execution, SumsOutput out);

}  // namespace attn
