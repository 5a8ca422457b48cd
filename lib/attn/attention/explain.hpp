#pragma once
// One query worked out on paper: every step from the scores to the pooled value, with its numbers.

#include <attn/attention/attend.hpp>

#include <string>

namespace ATTN_API attn {

/// Lines of text: the formula with its parameters, then each key with its score, what the softcap and the masks make of
/// it, its exponential, weight and contribution, then the sums and the result.
///
/// index  of the query along its leading axes, as many as it has: {i}, {h, i}, {b, h, i}
/// Computed by the formula itself, in double, as the reference engine does. Throws Error(usage) for an index that is
/// out of range, and what attend() throws.
std::string explain(const AttendInputs& inputs, const AttendParameters& parameters,
                    const std::vector<std::size_t>& index);

}  // namespace attn
