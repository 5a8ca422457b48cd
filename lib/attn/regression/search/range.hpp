#pragma once
// Which bandwidths a search looks at.

#include <attn/regression/samples/samples.hpp>

#include <vector>

namespace attn {

/// Widths are unit_j 2^step with a step in [lowest, highest].
struct SearchRange {
  std::vector<double> unit;  ///< (d)
  double lowest = 0, highest = 0;
  double farthest = 0;  ///< of several widths: where one is so wide that its column might as well not be there
};

/// From widths so small that samples see next to nothing of each other to widths beyond their extent. Both come from
/// where most of the weight of the samples lies: one sample far away changes the upper end alone.
///
///     d = 1   from a quarter of the spacing that a quarter of the neighbours have at most; unit: that spacing
///     d > 1   from 1/64 of what n samples on an even grid over the middle half of a coordinate would be apart; unit:
///             the extent of that half
///     Laplace from a quarter of either
///
/// isotropic: one unit for all coordinates. Throws Error(data) for a constant coordinate or fewer than 3 samples.
/// Samples without weight take no part.
SearchRange search_range(const KernelRegression::Prepared& samples, const Smoother& smoother, bool isotropic);

}  // namespace attn
