#pragma once
// Local polynomials in one dimension from the moments of their windows, for all queries at once.

#include <attn/regression/sums/method.hpp>
#include <attn/regression/windows/fit.hpp>

#include <optional>

namespace attn {

/// The method for the moments; none if the smoother has to be evaluated from rows of weights, or is of degree 0.
std::optional<MethodChoice> choose_moments(const KernelRegression::Prepared& samples, const QueryPoints& points,
                                           const Smoother& smoother);

/// Fits, slopes, standard errors, effective sizes and own weights from moments. A window whose moments may have lost
/// more than `lost_digits` of sum_i |l_i y_i|, or do not determine a polynomial of the degree, is fitted from its row
/// of weights.
RegressionResult evaluate_moments(const MethodChoice& choice, const KernelRegression::Prepared& samples,
                                  const QueryPoints& points, const Smoother& smoother, const RegressionRequest& request,
                                  const Residuals& residuals, const Execution& execution);

}  // namespace attn
