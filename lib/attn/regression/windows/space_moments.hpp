#pragma once
// Local lines in 2 to 4 dimensions from the moments of their windows, with a compact kernel.

#include <attn/regression/windows/fit.hpp>
#include <attn/simd/kernel_sums.hpp>

namespace attn {

/// Fits windows from sums over the keys in reach, of w, w u_j, w u_j u_k, w y and w y u_j with u = scale (x - q). With
/// the mean m of u and its covariance C (both weighted) and g = C^-1 m,
///
///     fit = T_0 / S_0 - g . t,   slope_j = (C^-1 t)_j scale_j,   t_j = T_j - m_j T_0
///
/// A window that may have lost more than 1e-10 of sum_i |l_i y_i|, or whose samples may not determine a plane, is
/// fitted from its row of weights. One object for each thread.
class SpaceMoments {
 public:
  SpaceMoments(const KernelRegression::Prepared& samples, const WeightRows& rows, const Smoother& smoother, Isa isa);

  /// Are these the fits of the request, which also wants neither standard errors nor effective sizes?
  static bool serves(const KernelRegression::Prepared& samples, const Smoother& smoother,
                     const RegressionRequest& request);

  void fit(const double* q, const WindowRequest& request, WindowFit& out);

 private:
  bool find(const double* q, const WindowRequest& request, WindowFit& out);
  bool invert(std::size_t d);

  const KernelRegression::Prepared& samples_;
  const WeightRows& rows_;
  const simd::SmoothingKernels& kernels_;
  Kernel kernel_;
  std::vector<double> scale_;
  std::vector<const double*> x_, y_;
  simd::SmoothingKeys keys_;
  WindowFitter fitter_;
  WeightRows::Scratch scratch_;
  std::vector<std::uint32_t> runs_;
  std::vector<double> sums_;
  double inverse_[4][4] = {};  // of C
};

}  // namespace attn
