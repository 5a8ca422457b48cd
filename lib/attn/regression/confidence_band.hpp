#pragma once
// The band around a fit.

#include <attn/core/tensor.hpp>

namespace ATTN_API attn {

/// fit -+ z se, z the two-sided quantile of the normal distribution at the level: (m, 2), or (m, 2 C): lower, upper.
/// is_probability: limits the band to [0, 1].
/// throws Error(usage) unless 0 < level < 1
TensorView confidence_band(const TensorView& fit, const TensorView& standard_error, double level,
                           bool is_probability = false);

}  // namespace attn
