#pragma once
// Local fits by other losses than squares: quantiles and the likelihood of shares.

#include <attn/regression/windows/local_polynomial.hpp>

#include <vector>

namespace attn {

/// Fits the polynomial b of the smoother's degree to the row of weights of a query, in z = x - q:
///
///     quantile T     minimises sum_i w_i rho(y_i - b(z_i)),   rho(r) = r (T - [r < 0])
///     binomial       maximises sum_i w_i (y_i theta_i - log(1 + exp(theta_i))),   theta_i = b(z_i)
///
/// and returns b(0), or 1 / (1 + exp(-b(0))). A quantile of degree 0 is the least y_i whose samples up to it have the
/// share T of the weight. Its polynomials pass through as many samples as they have coefficients: such sets are
/// exchanged, one sample at a time, until no edge goes down. The likelihood is climbed by Newton steps, halved where
/// they overshoot; where all y are alike, 0 or 1, the limit is returned. The standard error of a share is
/// p (1 - p) se(theta), se(theta)^2 = (X'WVX)^-1 X'W^2VX (X'WVX)^-1 with V = p (1 - p).
///
/// One object for each thread. Sources: Koenker and Bassett 1978, "Regression quantiles"; Loader 1999, "Local
/// regression and likelihood", chapter 4.
class LossFitter {
 public:
  LossFitter(const KernelRegression::Prepared& samples, const WeightRows& rows, const Smoother& smoother);
  void fit(const double* q, const WindowRequest& request, WindowFit& out);

 private:
  void make_basis(const double* q, std::size_t degree);
  double quantile_of(const double* y);
  double quantile_polynomial(const double* y);
  bool first_set(std::vector<std::size_t>& set) const;
  double share_of(const double* y, double& error);
  const double* terms(std::size_t r) const { return basis_.data() + r * terms_; }

  const KernelRegression::Prepared& samples_;
  const WeightRows& rows_;
  const Smoother& smoother_;
  LocalPolynomial polynomial_;
  WeightRow row_;
  WeightRows::Scratch scratch_;
  std::size_t terms_ = 1;
  std::vector<double> basis_;  // (count, terms)
};

}  // namespace attn
