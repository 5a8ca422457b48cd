#pragma once
// Attention pooling: every score, mask and normaliser behind one function.

#include <attn/attention/parameters.hpp>
#include <attn/core/execution.hpp>

namespace ATTN_API attn {

/// Attention(q, D) = sum_i alpha(q, k_i) v_i over D = {(k_i, v_i)}.
///
/// Order of operations: score, scale, softcap, bias and mask, normalise, pool. Computes in the widest of the inputs'
/// types and returns the query's. Throws Error(data) naming the tensor whose shape does not fit, and Error(usage) for
/// parameters that exclude each other. Source: Vaswani et al. 2017, section 3.2.1; Nadaraya 1964; Watson 1964.
AttendResult attend(const AttendInputs& inputs, const AttendParameters& parameters, const AttendRequest& request = {},
                    const Execution& execution = {});

}  // namespace attn
