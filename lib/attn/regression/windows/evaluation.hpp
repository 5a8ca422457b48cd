#pragma once
// Evaluating a regression: from windows or sums of weights to the parts of the result.

#include <attn/core/leaf_tree.hpp>
#include <attn/regression/samples/samples.hpp>
#include <attn/regression/sums/sums.hpp>
#include <attn/regression/windows/local_polynomial.hpp>

#include <atomic>
#include <functional>

namespace attn {

/// KernelRegression::evaluate for both kinds of points.
RegressionResult evaluate_points(const KernelRegression::Prepared& samples, const QueryPoints& points,
                                 const Smoother& smoother, const RegressionRequest& request,
                                 const Execution& execution);

/// Finds what the window of one query yields.
using FitWindow = std::function<void(const double* q, const WindowRequest& request, WindowFit& out)>;

/// Every query by its own window; `make_fit` is called for each worker. choice: how the windows are found, for the
/// result.
RegressionResult evaluate_windows(const KernelRegression::Prepared& samples, const QueryPoints& points,
                                  const Smoother& smoother, const RegressionRequest& request,
                                  const std::function<FitWindow()>& make_fit, const MethodChoice& choice,
                                  const Execution& execution);

/// For a bandwidth matrix H = L L^T: x becomes L^-1 x and the bandwidth 1, with rows in the caller's order. Throws
/// Error(usage) for a causal smoother.
struct Whitened {
  KernelRegression regression;
  std::optional<TensorView> queries;  ///< none: the samples
  Smoother smoother;
  std::vector<double> lower;  ///< L (d, d)
};
Whitened whiten(const KernelRegression::Prepared& samples, const QueryPoints& points, const Smoother& smoother,
                const Execution& execution);
RegressionResult evaluate_with_matrix(const KernelRegression::Prepared& samples, const QueryPoints& points,
                                      const Smoother& smoother, const RegressionRequest& request,
                                      const Execution& execution);

/// Throws Error(usage) for a bandwidth that does not fit the samples.
void check_bandwidth(const KernelRegression::Prepared& samples, const Smoother& smoother, bool leave_one_out);

/// Leave-one-out fits of all samples in prepared order, (n, C), in the units of
/// samples.y (y / y_scale), NaN for an empty window. Rows outside the leaves, and all but each `every`-th, are
/// undefined. block: as in RegressionRequest.
Tensor leave_one_out_fits(const KernelRegression::Prepared& samples, const Smoother& smoother,
                          const Execution& execution, const LeafRange& leaves = all_leaves, std::size_t every = 1,
                          std::size_t block = 1);

/// Squared leave-one-out residuals of the smoother; `neighbours` is limited to the number of other samples.
Residuals find_residuals(const KernelRegression::Prepared& samples, const Smoother& smoother,
                         const Execution& execution);

/// Collects the parts of a result, with rows in the caller's order. Different points may be stored concurrently.
class ResultParts {
 public:
  ResultParts(const KernelRegression::Prepared& samples, const QueryPoints& points, const Smoother& smoother,
              const RegressionRequest& request);
  /// Is the point's row requested? Only such points are stored.
  bool needs(std::size_t point) const noexcept {
    const std::size_t row = points_.row(point);
    return request_.first <= row && row < request_.last && point % points_.every == 0;
  }
  void store(std::size_t point, const WindowFit& window);
  /// Stores NaN, for a query that is not finite.
  void store_nan(std::size_t point);
  /// Is only the fit of degree 0 requested? It is sums / sum of weights, not empty.
  bool wants_only_fit() const noexcept;
  void store_quotient(std::size_t point, const double* sums, double weight) noexcept;
  RegressionResult finish(Method method, std::string reason);
  /// The result of a dry run.
  RegressionResult zeros();

 private:
  void fill(std::size_t row, double value);

  const KernelRegression::Prepared& samples_;
  const QueryPoints& points_;
  const Smoother& smoother_;
  const RegressionRequest& request_;
  std::size_t outputs_, d_;
  Tensor fit_, slope_, error_, slope_error_, size_, degree_, self_;
  // First elements; null for parts that are not requested.
  double *fit_at_ = nullptr, *slope_at_ = nullptr, *error_at_ = nullptr, *slope_error_at_ = nullptr,
         *size_at_ = nullptr, *self_at_ = nullptr;
  std::int64_t* degree_at_ = nullptr;
  std::atomic<std::size_t> not_finite_{0}, empty_{0}, lowered_{0};
};

}  // namespace attn
