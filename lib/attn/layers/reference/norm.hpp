#pragma once
// The naive twin of the norms.

#include <attn/layers/norm.hpp>
#include <attn/simd/norm.hpp>

namespace attn {

/// Gain and offset of one row, or null.
struct Gain {
  const double* weight = nullptr;
  const double* bias = nullptr;
};

using simd::RowStatistics;

/// y = (x - mean) / sqrt(var + eps) * weight + bias over n elements; for RMS norm the mean is taken as 0.
template <class T>
RowStatistics norm_reference(const NormParameters& parameters, const T* x, std::size_t n, const Gain& gain, T* y);

}  // namespace attn
