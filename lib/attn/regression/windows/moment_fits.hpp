#pragma once
// Local polynomials in one dimension from the moments of their windows, for all queries at once.

#include <attn/regression/sums/sums.hpp>
#include <attn/regression/windows/local_polynomial.hpp>
#include <attn/simd/kernel_sums.hpp>

#include <optional>

namespace attn {

/// The method for the moments; none if the smoother has to be evaluated from rows of weights, or is of degree 0 with a
/// fixed width. slopes: they are requested.
std::optional<MethodChoice> choose_moments(const KernelRegression::Prepared& samples, const QueryPoints& points,
                                           const Smoother& smoother, bool slopes = false);

/// Fits, slopes, standard errors, effective sizes and own weights from moments. A window whose moments may have lost
/// more than 1e-10 (1e-12 at degree 0) of sum_i |l_i y_i|, or do not determine a polynomial of the degree, is fitted
/// from its row of weights.
RegressionResult evaluate_moments(const MethodChoice& choice, const KernelRegression::Prepared& samples,
                                  const QueryPoints& points, const Smoother& smoother, const RegressionRequest& request,
                                  const Residuals& residuals, const Execution& execution);

// Local polynomials in 2 to 4 dimensions from the moments of their windows.

/// Fits windows of degree 1 or 2 from sums over the keys in reach, of w phi_j, w phi_j phi_k, w y and w y phi_j with
/// z = stretch (x - q) and phi = (z_j), at degree 2 also z_j z_k. With the mean m of phi and its covariance C (both
/// weighted) and g = C^-1 m,
///
///     fit = T_0 / S_0 - g . t,   slope_j = (C^-1 t)_j stretch_j,   t_j = T_j - m_j T_0
///
/// and the smoothing weights are l_i = w_i (1 / S_0 + g . m - g . phi_i). A window that may have lost more than 1e-10
/// of sum_i |l_i y_i|, or whose samples may not determine a polynomial, is fitted from its row of weights. One object
/// for each thread.
class SpaceMoments {
 public:
  SpaceMoments(const KernelRegression::Prepared& samples, const WeightRows& rows, const Smoother& smoother,
               const Residuals& residuals, Isa isa);

  /// Are these the fits of the smoother?
  static bool serves(const KernelRegression::Prepared& samples, const Smoother& smoother);

  void fit(const double* q, const WindowRequest& request, WindowFit& out);

 private:
  bool find(const double* q, const WindowRequest& request, WindowFit& out);
  bool find_runs(const double* q, const WindowRequest& request, double log_share);
  bool add_up(const double* q, const WindowRequest& request);
  bool invert();
  double find_squares(const double* q, double change);
  void add_errors(const double* q, double squares, const std::vector<double>& slope_squares, WindowFit& out);

  const KernelRegression::Prepared& samples_;
  const WeightRows& rows_;
  const Residuals& residuals_;
  const simd::SmoothingKernels& kernels_;
  Kernel kernel_;
  std::size_t degree_;
  std::vector<double> scale_, stretch_;  // at the query, of distances and of z
  std::vector<double> factors_;          // of the keys in reach, by weight and categories
  std::vector<double> unit_;             // of z along columns of infinite width
  bool has_ends_ = false;                // no key that counts has a |z| above 1
  std::vector<const double*> x_, y_, residual_columns_;
  simd::SmoothingKeys keys_;
  WindowFitter fitter_;
  WeightRows::Scratch scratch_;
  static constexpr std::size_t most_terms = 14;
  static constexpr double smallest_mass = 1e-20;  // of exponential kernels
  std::size_t terms_;                             // of phi
  std::size_t first_[most_terms];                 // where phi_j is among the monomials up to order 2p,
  std::size_t product_[most_terms][most_terms];   // phi_j phi_k is there,
  std::size_t value_[most_terms];                 // and phi_j is among those up to order p
  std::size_t of_weights_, length_;               // monomials up to order 2p, and with those up to p
  std::vector<std::uint32_t> runs_;
  std::vector<double> sums_, coefficients_, residual_sums_;
  double inverse_[most_terms][most_terms] = {};  // of C
};

}  // namespace attn
