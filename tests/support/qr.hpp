#pragma once
// Least squares of the careful twin of regression.

#include <cstddef>
#include <vector>

namespace support {

using LongColumn = std::vector<long double>;

/// A = Q R with its columns in another order, by Householder's reflections in long double: rows by falling size and
/// columns by falling length, which leaves every row its digits however small it is beside others.
/// Source: Cox and Higham 1998, Stability of Householder QR factorization for weighted least squares problems.
class Factorisation {
 public:
  /// Columns of one length, as many as rows or fewer.
  explicit Factorisation(std::vector<LongColumn> columns);

  /// Which column came k-th, and how long it was without those before it.
  std::size_t column(std::size_t k) const { return order_[k]; }
  long double left(std::size_t k) const { return diagonal_[k] < 0 ? -diagonal_[k] : diagonal_[k]; }
  /// Q z; z is taken as 0 where it ends.
  LongColumn times(LongColumn z) const;
  /// A (A^T A)^-1 b = Q R^-T b.
  LongColumn solve(const LongColumn& b) const;

 private:
  void eliminate(std::size_t k);
  void reflect(std::size_t k, LongColumn& z) const;

  std::vector<LongColumn> columns_;  // of column k: R above row k, the k-th reflection's vector from there on
  LongColumn diagonal_;
  std::vector<std::size_t> rows_, order_;
};

}  // namespace support
