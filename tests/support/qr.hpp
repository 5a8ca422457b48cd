#pragma once
// Least squares of the careful twin of regression.

#include <cstddef>
#include <vector>

namespace support {

using LongColumn = std::vector<long double>;

/// A = Q R with column pivoting, by Householder reflections in long double. Sorting rows by size and columns by length
/// keeps the digits of every row, however small it is.
/// Source: Cox and Higham 1998, Stability of Householder QR factorization for weighted least squares problems.
class Factorisation {
 public:
  /// Columns of equal length, at most as many as rows.
  explicit Factorisation(std::vector<LongColumn> columns);

  /// The k-th column, and its length without the components of those before it.
  std::size_t column(std::size_t k) const { return order_[k]; }
  long double left(std::size_t k) const { return diagonal_[k] < 0 ? -diagonal_[k] : diagonal_[k]; }
  /// Q z; z is padded with 0.
  LongColumn times(LongColumn z) const;
  /// A (A^T A)^-1 b = Q R^-T b.
  LongColumn solve(const LongColumn& b) const;

 private:
  void eliminate(std::size_t k);
  void reflect(std::size_t k, LongColumn& z) const;

  std::vector<LongColumn> columns_;  // column k: R above row k, the vector of reflection k from there on
  LongColumn diagonal_;
  std::vector<std::size_t> rows_, order_;
};

}  // namespace support
