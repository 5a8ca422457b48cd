#pragma once
// Samples and queries of a regression in the layout of the engines.
//
// Letters: n samples (keys), m queries, d coordinates, C outputs.

#include <attn/regression/nadaraya_watson.hpp>
#include <attn/regression/samples/kd_tree.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace attn {

/// Columns of doubles, each contiguous: column(j)[i].
class Columns {
 public:
  Columns() = default;
  Columns(std::size_t count, std::size_t rows) : rows_(rows), count_(count), memory_(DType::f64, {count, rows}) {}
  std::size_t rows() const noexcept { return rows_; }
  std::size_t count() const noexcept { return count_; }
  double* column(std::size_t j) noexcept { return static_cast<double*>(memory_.data()) + j * rows_; }
  const double* column(std::size_t j) const noexcept { return const_cast<Columns*>(this)->column(j); }
  std::vector<const double*> pointers() const;

 private:
  std::size_t rows_ = 0, count_ = 0;
  Tensor memory_;
};

/// The name of a tensor in messages.
inline std::string name_or(const TensorView& x, const char* fallback) { return x.name.empty() ? fallback : x.name; }

/// (rows) or (rows, columns) of any dtype and strides as columns of doubles, row i from row order[i] (in the given
/// order if `order` is empty). Throws Error(data) that names the tensor for another rank.
Columns to_columns(const TensorView& x, const std::vector<std::uint32_t>& order = {});

struct SampleCell;

struct KernelRegression::Prepared {
  std::size_t n = 0, d = 0, outputs = 0;  // d: columns of numbers
  bool y_is_vector = true;                // y was (n): results have no axis of outputs
  bool y_is_finite = true;                // otherwise NaN must stay within its windows
  std::vector<std::uint32_t> order;       // the caller's row of each prepared row
  Columns x;                              // sorted (d = 1), or in the order of the tree; then the codes of categories
  std::vector<Category> categories;       // of the columns of x from d on
  std::vector<SampleCell> cells;          // for sums by categories, see cells_of()
  Columns y;                              // each divided by its power of two in y_scale
  Columns weights;                        // one column divided by its largest entry, or none: all 1
  std::vector<double> y_scale;            // 1, unless squares or sums of y would leave the range of doubles
  std::vector<double> periods;            // (d) of columns of numbers, 0: none; empty: no column comes round
  double y_spread = 1;                    // spread of the sizes of y, see spread_of
  std::vector<double> y_low, y_high;      // range of each scaled output without NaN: no weighted mean is outside
  std::unique_ptr<KdTree> tree;           // d >= 2

  /// The numbers of a query in its row: d coordinates, then its categories.
  std::size_t query_length() const noexcept { return d + categories.size(); }
  /// The column of x, as given, of a prepared column; `dummy` of the zeros that stand where x has no numbers.
  std::size_t column(std::size_t j) const noexcept { return j < d ? columns[j] : categories[j - d].column; }
  /// Can sums be found for all queries at once? With too many categories, each query has a window of its own.
  bool has_sums() const noexcept { return periods.empty() && (categories.empty() || !cells.empty()); }
  /// x_j - q_j, the shorter way round.
  double difference(std::size_t j, double x, double q) const noexcept {
    if (periods.empty() || periods[j] == 0) return x - q;
    return (x - q) - periods[j] * std::round((x - q) / periods[j]);
  }
  static constexpr std::size_t dummy = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> columns;  // (d)
  bool has_numbers() const noexcept { return columns.front() != dummy; }

  /// Limits a weighted mean of output c to its range, which rounding may have left.
  double within(std::size_t c, double mean) const noexcept { return std::min(std::max(mean, y_low[c]), y_high[c]); }
  /// Number of samples with a weight above 0.
  std::size_t counted() const noexcept;
  Columns given_weights;   // with robustness: the weights without it, or none
  bool is_robust = false;  // robustness was given
  /// Samples with a weight of 0 here are no neighbours of others; null: all are.
  const double* neighbour_weight() const noexcept {
    return !is_robust ? weight() : given_weights.count() > 0 ? given_weights.column(0) : nullptr;
  }
  /// How many neighbours a sample has, at most.
  std::size_t neighbours_of_others() const noexcept;
  const double* weight() const noexcept { return weights.count() == 0 ? nullptr : weights.column(0); }
};

/// Samples that agree on some columns of categories, prepared on their own; see cells_of().
struct SampleCell {
  std::vector<double> key;          ///< for each column the code that all have; `any`: not that column
  std::vector<std::uint32_t> rows;  ///< prepared rows, in the order of `samples`
  KernelRegression::Prepared samples;
  static constexpr double any = -1;
};

/// Points at which the regression is evaluated: queries (d = 1: sorted, NaN at the ends), or the samples themselves in
/// prepared order.
struct QueryPoints {
  Columns own;                                          // the caller's queries, or
  std::vector<std::uint32_t> order;                     // the caller's row of each; empty: in the given order
  const KernelRegression::Prepared* samples = nullptr;  // the samples
  // Only points [first, last) are needed. Methods that go through all in order find the others too.
  std::size_t first = 0, last = std::numeric_limits<std::size_t>::max();
  std::size_t every = 1;  // and of these only each one of so many
  std::size_t end() const noexcept { return std::min(last, count()); }
  std::size_t count() const noexcept { return samples != nullptr ? samples->n : own.rows(); }
  const Columns& x() const noexcept { return samples != nullptr ? samples->x : own; }
  /// The caller's row for the result of point i.
  std::size_t row(std::size_t i) const noexcept {
    if (samples != nullptr) return samples->order[i];
    return order.empty() ? i : order[i];
  }
};

/// Queries of the samples. Throws Error(data) that names the tensor.
QueryPoints query_points(const TensorView& queries, const KernelRegression::Prepared& samples,
                         const Execution& execution);

/// Puts x (d >= 2) and `order` in the order of a new tree of the samples.
void arrange_in_tree(KernelRegression::Prepared& samples, std::vector<std::uint32_t>& order);

/// A bandwidth as factors for the difference in each coordinate, which give u.
struct Metric {
  std::vector<double> scale;   // (d); for knn 1, multiplied for each query by 1 / (kernel_scale * distance)
  std::size_t neighbours = 0;  // k of knn
  double kernel_scale = 1;
  /// Largest rounding error of a squared scaled distance of 1, from the root, the reciprocal and the sum over columns.
  /// The k-th neighbour is at 1 by definition, and kernels of finite width include 1. 0 in one dimension with a fixed
  /// bandwidth, where a distance is exact and its product with the reciprocal never above 1.
  double slack() const { return neighbours > 0 ? rounding_of_squares(scale.size()) : border_slack(scale.size()); }
  /// The slack of a fixed bandwidth in d coordinates.
  static double border_slack(std::size_t d) { return d > 1 ? rounding_of_squares(d) : 0; }
  static double rounding_of_squares(std::size_t d) {
    return (static_cast<double>(d) + 6) * std::numeric_limits<double>::epsilon();
  }
  /// A squared scaled distance, rounded to 1 within the slack.
  double snapped(double squared) const { return std::abs(squared - 1) <= slack() ? 1 : squared; }
};
/// The same fit by widths that engines divide by: that of infinite widths alone is of the constant kernel, by any
/// method.
Smoother without_infinite_widths(const Smoother& smoother, const KernelRegression::Prepared& samples);
/// For every kind except matrix, which is applied to the points beforehand.
Metric metric_of(const Smoother& smoother, const KernelRegression::Prepared& samples);

/// For messages.
std::string three_digits(double x);

}  // namespace attn
