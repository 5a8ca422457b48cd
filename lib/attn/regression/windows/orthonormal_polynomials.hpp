#pragma once
// Least squares for windows in which the normal equations would lose all digits.

#include <attn/regression/windows/weight_rows.hpp>

#include <vector>

namespace attn {

/// Polynomials P_t of degree up to 1 or 2 that are orthonormal under the weights of a row:
///
///     sum_r w_r P_s(x_r) P_t(x_r) = 1 for s = t, else 0;      fit(q) = sum_r w_r (sum_t P_t(x_r) P_t(q)) y_r
///
/// by Gram and Schmidt, each twice, in long double: three samples determine a parabola at any weights. A term depends
/// on the earlier ones if what is left of it, at the keys that count, is no more than rounding of the coordinates.
class OrthonormalPolynomials {
 public:
  /// Keys with less than this share of the largest weight do not support a term.
  static constexpr double least_share = 1e-24;

  explicit OrthonormalPolynomials(const KernelRegression::Prepared& samples) : samples_(samples) {}

  /// False if a term depends on earlier ones.
  bool find(const double* q, const WeightRow& row, std::size_t degree);
  /// fit = sum_r smoothing[r] y[key[r]]; its derivative by q_j = sum_r slopes[r] y[key[r]].
  void smoothing(const WeightRow& row, std::vector<double>& out) const;
  void slopes(const WeightRow& row, std::size_t j, std::vector<double>& out) const;

 private:
  using Term = std::vector<long double>;  // at the keys, at q, and its derivatives by each q_j at q
  void weigh(const WeightRow& row, std::size_t at, std::vector<double>& out) const;
  bool add(const WeightRow& row, Term term, long double noise);
  bool counts(const WeightRow& row, std::size_t r) const { return row.weight[r] >= least_weight_; }

  const KernelRegression::Prepared& samples_;
  double least_weight_ = 0;
  std::vector<Term> terms_;
};

}  // namespace attn
