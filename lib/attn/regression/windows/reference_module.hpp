#pragma once
// What the module libattn-reference.so computes of regressions: the fit at one query.

#include <attn/regression/windows/local_polynomial.hpp>

namespace attn {
namespace reference {

/// All arrays in f64 without gaps.
struct Samples {
  std::size_t n = 0, d = 0, C = 0;
  const double *x = nullptr, *y = nullptr;  ///< (d, n), (C, n)
  const double* weights = nullptr;          ///< (n), or null: all 1
  const double* neighbours = nullptr;       ///< (n): those above 0 are neighbours of a query; null: all
  const double* residuals = nullptr;        ///< (2 C, n), as attn::Residuals, or null
};

struct Smoothing {
  Kernel kernel = Kernel::gaussian;
  const double* scale = nullptr;  ///< (d): 1 / h; of knn before it is divided by the distance to the neighbour
  std::size_t neighbours = 0;     ///< of knn: k
  double kernel_scale = 1;        ///< of knn: the half-width of the kernel, in distances
  double slack = 0;               ///< what rounding can make of a squared distance of 1: kernels are closed
  std::size_t degree = 0;
  bool causal = false, takes_nearest = false;
  double decay = 0;
};

struct Query {
  const double* q = nullptr;   ///< (d)
  const bool* part = nullptr;  ///< (n): who is asked at all
  std::size_t self = 0;        ///< the query is this sample; n: none
  bool slope = false;
};

struct Fit {
  bool empty = false, found = false;
  std::size_t degree = 0;
  double effective_size = 0, self_weight = 0;
  double *fit = nullptr, *slope = nullptr, *error = nullptr;  ///< (C), (C, d), (C)
};

/// What the module exports as attn_reference_regression. false: out of memory.
struct RegressionFunctions {
  bool (*fit)(const Samples&, const Smoothing&, const Query&, Fit&) noexcept;
};

}  // namespace reference

/// By the formulas, for every bandwidth but a matrix.
class ReferenceFitter {
 public:
  ReferenceFitter(const KernelRegression::Prepared& samples, const Smoother& smoother, const Residuals& residuals);
  void fit(const double* q, const WindowRequest& request, WindowFit& out) const;

 private:
  const KernelRegression::Prepared& samples_;
  const Smoother& smoother_;
  const Residuals& residuals_;
  Metric metric_;
  CategoryWeights categories_;
  const reference::RegressionFunctions& functions_;
};

}  // namespace attn
