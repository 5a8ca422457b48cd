#pragma once
// Minima of functions whose slopes nobody knows.

#include <functional>
#include <vector>

namespace attn {

/// A place in [low, high] that is least among all within `tolerance` of it that were looked at.
/// Source: Brent 1973, chapter 5.
double minimise_on_line(const std::function<double(double)>& f, double low, double high, double tolerance);

/// Walks a simplex that starts at `start`, where f is `value`, with the given sides, until all corners are within
/// `tolerance` of the best. The caller keeps the least value that f returned.
/// Source: Nelder and Mead 1965, with the usual coefficients.
void minimise_by_simplex(const std::function<double(const std::vector<double>&)>& f, const std::vector<double>& start,
                         double value, const std::vector<double>& sides, double tolerance);

}  // namespace attn
