#pragma once
// The fit of one query's window: weighted least squares, by orthonormal polynomials where the normal equations would
// lose all digits.

#include <attn/regression/samples/samples.hpp>
#include <attn/regression/windows/extended.hpp>
#include <attn/regression/windows/weight_rows.hpp>

#include <vector>

namespace attn {

/// Polynomials P_t of degree up to 1 or 2, in one column up to 4, that are orthonormal under the weights of a row:
///
///     sum_r w_r P_s(x_r) P_t(x_r) = 1 for s = t, else 0;      fit(q) = sum_r w_r (sum_t P_t(x_r) P_t(q)) y_r
///
/// by Gram and Schmidt, each twice, in numbers with more digits than double (extended.hpp): three samples determine a
/// parabola at any weights. A term depends on the earlier ones if what is left of it, at the keys that count, is no
/// more than rounding of the coordinates.
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
  using Term = std::vector<Extended>;  // at the keys, at q, and its derivatives by each q_j at q
  void weigh(const WeightRow& row, std::size_t at, std::vector<double>& out) const;
  bool add(const WeightRow& row, Term term, Extended noise);
  bool counts(const WeightRow& row, std::size_t r) const { return row.weight[r] >= least_weight_; }

  const KernelRegression::Prepared& samples_;
  double least_weight_ = 0;
  std::vector<Term> terms_;
};

/// Fits polynomials of degree 0, 1 or 2, in one column also 3 or 4, to rows of weights; one object for each thread.
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

// The fit of one query's window.

/// Squared leave-one-out residuals e_i^2 of each output, and 1 if there is one (0: no window, or y is NaN), in prepared
/// order: columns 0 .. C-1 and C .. 2C-1. None: no standard errors requested.
using Residuals = Columns;

struct WindowFit {
  bool empty = false;
  std::size_t degree = 0;           ///< degree that was fitted
  double effective_size = 0;        ///< 1 / sum l_i^2 of the smoothing weights l; (sum w)^2 / sum w^2 at degree 0
  double self_weight = 0;           ///< l of the query's own prepared row
  std::vector<double> fit;          ///< (C)
  std::vector<double> slope;        ///< (C, d), if requested
  std::vector<double> slope_error;  ///< (C, d), if requested: as error, with the weights l' of the slope
  std::vector<double>
      error;  ///< (C) sqrt(sigma^2 sum l_i^2), sigma^2 = sum w_i e_i^2 / sum w_i; if residuals are given
};

/// The smallest weight with which a missing y gives NaN in a fit, the same for all methods: a rounding of the total
/// weight, or for polynomials the smallest weight that supports a term.
inline double missing_counts(std::size_t degree, double total, double heaviest) {
  return degree == 0 ? 0x1p-53 * total : OrthonormalPolynomials::least_share * heaviest;
}

struct WindowRequest {
  bool slope = false;
  bool slope_error = false;
  bool squares = false;                    ///< the effective size and errors
  std::size_t self = WeightRows::no_self;  ///< the query is this prepared row
  bool leave_out_self = false;
};

/// Windows from rows of weights; one object for each thread.
class WindowFitter {
 public:
  WindowFitter(const KernelRegression::Prepared& samples, const WeightRows& rows, const Smoother& smoother,
               const Residuals& residuals);
  void fit(const double* q, const WindowRequest& request, WindowFit& out);

 private:
  double sum_of_values(const std::vector<double>& l, std::size_t c) const;

  const KernelRegression::Prepared& samples_;
  const WeightRows& rows_;
  const Smoother& smoother_;
  const Residuals& residuals_;
  LocalPolynomial polynomial_;
  WeightRow row_;
  WeightRows::Scratch scratch_;
  std::vector<double> slopes_;
  double counts_ = 0;  // missing y count from this weight on
};

}  // namespace attn
