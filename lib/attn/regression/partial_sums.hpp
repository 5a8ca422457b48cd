#pragma once
// Sums over a part of the samples, so that parts can be computed one after another, or on different machines, and
// added.

#include <attn/regression/nadaraya_watson.hpp>

#include <vector>

namespace ATTN_API attn {

/// Over some samples, for each of m queries, with w_i = weights_i K(u(q, x_i)):
///
/// - log_factor (m): g, the logarithm of the largest K with the Gaussian and Laplace, else 0; -inf without samples
/// - weight (m): sum_i w_i exp(-g)
/// - square (m): sum_i w_i^2 exp(-2 g)
/// - values (m, 2C): sum_i w_i y_i exp(-g) for each output, then the same with y_i^2
///
/// so that over all samples, with common factors,
///
///     fit = sum w y / sum w,   s^2 = sum w y^2 / sum w - fit^2,   neff = (sum w)^2 / sum w^2.
///
/// Rows of queries that are not finite are NaN.
struct PartialSums {
  std::vector<double> log_factor, weight, square, values;
};

/// Throws Error as KernelRegression does, and Error(usage) for a smoother that is not of degree 0, with a number as
/// bandwidth or one for each column, without decay.
PartialSums partial_sums(const Samples& samples, const TensorView& queries, const Smoother& smoother,
                         const Execution& execution = {});

}  // namespace attn
