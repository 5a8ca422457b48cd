#pragma once
// The range of bandwidths of a search.

#include <attn/regression/samples/samples.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace attn {

/// Widths are unit_j 2^step with a step in [lowest, highest]. The last octave goes to 64 times as wide, then infinity.
struct SearchRange {
  std::vector<double> unit;  ///< (d); none if x has categories alone
  double lowest = 0, highest = 0;

  double last_finite() const noexcept { return highest - 1.0 / 64; }
  double width(std::size_t j, double step) const noexcept {
    const double last = std::max(0.0, step - (highest - 1));
    return step > last_finite() ? std::numeric_limits<double>::infinity() : unit[j] * std::exp2(step - last) / (1 - last);
  }
};

/// From widths so small that samples hardly influence each other to widths beyond their extent, and infinity. The lower
/// end depends on where most of the weight is: one far sample changes only the upper end.
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
