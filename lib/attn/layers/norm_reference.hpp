#pragma once
// The naive twin of the norms.

#include <attn/layers/norm.hpp>

namespace attn {

/// Gain and offset of one row, or null.
template <class T>
struct Gain {
  const T* weight = nullptr;
  const T* bias = nullptr;
};

/// What a row was divided by.
struct RowStatistics {
  double mean = 0, inverse_deviation = 0;
};

/// y = (x - mean) / sqrt(var + eps) * weight + bias over n elements; for RMS norm the mean is taken as 0.
template <class T>
RowStatistics norm_reference(const NormParameters& parameters, const T* x, std::size_t n, const Gain<T>& gain, T* y);

}  // namespace attn
