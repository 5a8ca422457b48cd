#pragma once
// The range of bandwidths of a search.

#include <attn/regression/samples/samples.hpp>

#include <vector>

namespace attn {

/// Widths are unit_j 2^step with a step in [lowest, highest].
struct SearchRange {
  std::vector<double> unit;  ///< (d); none if x has categories alone
  double lowest = 0, highest = 0;
  double farthest = 0;  ///< for several widths: the width at which a column has no influence
};

/// From widths so small that samples hardly influence each other to widths beyond their extent. Both depend on where
/// most of the weight is: one far sample changes only the upper end.
///
///     d = 1   from a quarter of the spacing that a quarter of the neighbours have at most; unit: that spacing
///     d > 1   from 1/64 of what n samples on an even grid over the middle half of a coordinate would be apart; unit:
///             the extent of that half
///     Laplace from a quarter of either
///
/// isotropic: one unit for all coordinates. Throws Error(data) for a constant coordinate or fewer than 3 samples.
/// Samples without weight are ignored.
SearchRange search_range(const KernelRegression::Prepared& samples, const Smoother& smoother, bool isotropic);

}  // namespace attn
