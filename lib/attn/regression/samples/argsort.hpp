#pragma once
// Sorting numbers with their indices (argsort), in linear time.

#include <attn/core/execution.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace attn {

/// Sorts values[0, n) in place, ascending (-0 before +0; NaN at the ends, by sign), and returns the original index of
/// each; equal values keep their order. Buckets between quantiles of a sample, then a radix sort on the bits that
/// differ within each bucket. n < 2^32.
std::vector<std::uint32_t> sort_with_order(double* values, std::size_t n, const Execution& execution = {});

}  // namespace attn
