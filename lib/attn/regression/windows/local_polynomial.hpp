#pragma once
// The weighted least squares of one window.

#include <attn/regression/windows/orthonormal_polynomials.hpp>
#include <attn/regression/windows/weight_rows.hpp>

#include <vector>

namespace attn {

/// Fits polynomials of degree 0, 1 or 2 to rows of weights; one object for each thread.
///
///     minimise sum_i w_i (y_i - p(x_i - q))^2,   p(t) = b_0 + b_1 . t + t^T B_2 t
///
/// The basis is centred at the row's weighted mean and scaled by its weighted spread, so that offsets and scales cost
/// no digits. The Cholesky factor L of its Gram matrix makes it orthonormal, P = L^-1 basis, up to rounding times the
/// condition number. The Gram matrix G of P measures this error, and (2 - G) is its inverse up to the square of the
/// error:
///
///     smoothing weights  l_r = w_r P(x_r) . (2 - G) P(q)
///
/// so that the error of the fit is a few roundings of sum_r |l_r y_r|, for any condition. If a pivot is below 1e-5 of
/// its diagonal, orthonormal polynomials are used instead; if those fail too, or there are fewer distinct keys than
/// terms, the next lower degree is fitted.
/// Sources: Fan and Gijbels 1996, section 3.1; Yamamoto, Nakatsukasa, Yanagisawa and Fukaya 2015 (CholeskyQR2).
class LocalPolynomial {
 public:
  LocalPolynomial(const KernelRegression::Prepared& samples, std::size_t degree);

  /// The smoothing weights of the row: fit = sum_r smoothing()[r] y[key[r]]. Returns the degree that was fitted. Rows
  /// must not be empty.
  std::size_t solve(const double* q, const WeightRow& row);

  const std::vector<double>& smoothing() const noexcept { return smoothing_; }
  /// Derivative of the fit by q_j: sum_r slopes(j)[r] y[key[r]]; after solve(). Degree 0 differentiates the weights
  /// (row.slope must be filled); degrees 1 and 2 give the polynomial's linear coefficient.
  void slopes(const double* q, const WeightRow& row, std::size_t j, std::vector<double>& out);

 private:
  bool has_distinct(const WeightRow& row, std::size_t count) const;
  bool try_degree(const double* q, const WeightRow& row, std::size_t degree);
  void standardise(const WeightRow& row);
  void basis(const double* point, std::size_t degree, double* out) const;
  void basis_derivative(const double* point, std::size_t degree, std::size_t j, double* out) const;
  std::vector<double> gram(const WeightRow& row) const;
  void weigh_basis(const WeightRow& row, std::vector<double>& target, std::vector<double>& out) const;

  const KernelRegression::Prepared& samples_;
  std::size_t degree_, fitted_ = 0, terms_ = 0;
  bool by_normal_equations_ = true;
  double least_weight_ = 0;  // smallest weight of keys that count
  OrthonormalPolynomials orthonormal_;
  // The weighted mean is origin + offset: near the keys, x - origin loses no digits.
  std::vector<double> origin_, offset_, unit_, target_, point_;
  std::vector<double> lower_, gram_, at_keys_;  // L and G (p, p), P at the keys (count, p)
  std::vector<double> smoothing_;
};

}  // namespace attn
