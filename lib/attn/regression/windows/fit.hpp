#pragma once
// The fit of one query's window.

#include <attn/regression/samples/samples.hpp>
#include <attn/regression/windows/local_polynomial.hpp>
#include <attn/regression/windows/weight_rows.hpp>

#include <vector>

namespace attn {

/// Squared leave-one-out residuals e_i^2 of each output, and 1 if there is one (0: no window, or y is NaN), in prepared
/// order: columns 0 .. C-1 and C .. 2C-1. None: no standard errors requested.
using Residuals = Columns;

struct WindowFit {
  bool empty = false;
  std::size_t degree = 0;     ///< degree that was fitted
  double effective_size = 0;  ///< 1 / sum l_i^2 of the smoothing weights l; (sum w)^2 / sum w^2 at degree 0
  double self_weight = 0;     ///< l of the query's own prepared row
  std::vector<double> fit;    ///< (C)
  std::vector<double> slope;  ///< (C, d), if requested
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
