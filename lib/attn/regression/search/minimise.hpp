#pragma once
// Minimising functions without derivatives.

#include <functional>
#include <vector>

namespace attn {

/// A point in [low, high] with the smallest value among all evaluated points within `tolerance` of it.
/// Source: Brent 1973, chapter 5.
double minimise_on_line(const std::function<double(double)>& f, double low, double high, double tolerance);

/// Moves a simplex from `start`, where f is `value`, with the given sides, until all corners are within `tolerance` of
/// the best. The caller keeps the smallest value of f.
/// Source: Nelder and Mead 1965, with the usual coefficients.
void minimise_by_simplex(const std::function<double(const std::vector<double>&)>& f, const std::vector<double>& start,
                         double value, const std::vector<double>& sides, double tolerance);

}  // namespace attn
