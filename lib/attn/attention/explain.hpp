#pragma once
// The computation of one query: every step from the scores to the pooled value, with its numbers.

#include <attn/attention/parameters.hpp>

#include <string>

namespace ATTN_API attn {

/// Lines of text: the formula with its parameters; for each key its score, the score after softcap and masks, its
/// exponential, weight and contribution; the sums and the result.
///
/// index  of the query along each of its leading axes: {i}, {h, i}, {b, h, i}
/// Computed in double. Throws Error(usage) for an index out of range, and the errors of attend().
std::string explain(const AttendInputs& inputs, const AttendParameters& parameters,
                    const std::vector<std::size_t>& index);

}  // namespace attn
