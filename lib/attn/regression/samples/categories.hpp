#pragma once
// Columns of categories: the factors of weights, and the samples that agree on them.

#include <attn/regression/samples/samples.hpp>

#include <vector>

namespace attn {

/// The factors of weights for each column of categories, relative to that of equal ones. Without categories, 1.
class CategoryWeights {
 public:
  CategoryWeights() = default;
  CategoryWeights(const KernelRegression::Prepared& samples, const Smoother& smoother);

  std::size_t count() const noexcept { return columns_.size(); }
  /// The factor of column f for the codes a and b.
  double at(std::size_t f, double a, double b) const noexcept {
    const Column& column = columns_[f];
    if (column.table.empty()) return a == b ? 1 : column.different;
    return column.table[static_cast<std::size_t>(a) * column.levels + static_cast<std::size_t>(b)];
  }
  /// Are the factors of column f only two, for equal and for other categories?
  bool is_unordered(std::size_t f) const noexcept { return columns_[f].table.empty(); }
  /// The factor of column f for other categories, if it is unordered.
  double different(std::size_t f) const noexcept { return columns_[f].different; }
  /// Replaces each factor by its square.
  void square();

 private:
  struct Column {
    double different = 1;
    std::size_t levels = 0;
    std::vector<double> table;  // (levels, levels), if ordered
  };
  std::vector<Column> columns_;
};

/// Parts of the samples from whose sums those with any categories follow. The factor of an unordered column is
/// different + (1 - different) [equal], so that a product over u columns is a sum over the 2^u choices of columns that
/// must agree:
///
///     sum_i w_i = sum over choices S of  prod_{not in S} different prod_{in S} (1 - different)  sum_{i agrees on S}
///     w_i
///
/// There is a cell for each choice and all codes of the chosen columns and of the ordered ones that occur; every term
/// is positive. None without categories, and none if sums over cells would take longer than sums over pairs.
std::vector<SampleCell> cells_of(const KernelRegression::Prepared& samples);
/// How many cells count at a query, at most; 1 without categories.
std::size_t cells_of_query(const KernelRegression::Prepared& samples);

/// Throws Error(usage) unless the bandwidth has a width for each column of numbers and a lambda for each of categories.
void check_widths_and_lambdas(const KernelRegression::Prepared& samples, const Smoother& smoother);

}  // namespace attn
