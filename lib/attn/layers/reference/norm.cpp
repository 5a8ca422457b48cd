#include <attn/layers/reference/norm.hpp>

#include <cmath>

// The formula, in its written order, in a type that can represent the square of any double. This file must not be
// optimised.

namespace attn {

template <class T>
RowStatistics norm_reference(const NormParameters& parameters, const T* x, std::size_t n, const Gain& gain, T* y) {
  const auto count = static_cast<long double>(n);
  long double mean = 0;
  if (parameters.kind == NormKind::layer) {
    for (std::size_t i = 0; i < n; ++i) mean += static_cast<long double>(x[i]);
    mean /= count;
  }
  long double variance = 0;
  for (std::size_t i = 0; i < n; ++i)
    variance += (static_cast<long double>(x[i]) - mean) * (static_cast<long double>(x[i]) - mean);
  variance /= count;
  const long double inverse_deviation = 1 / std::sqrt(variance + parameters.epsilon);
  for (std::size_t i = 0; i < n; ++i) {
    long double value = (static_cast<long double>(x[i]) - mean) * inverse_deviation;
    if (gain.weight != nullptr) value *= static_cast<long double>(gain.weight[i]);
    if (gain.bias != nullptr) value += static_cast<long double>(gain.bias[i]);
    y[i] = static_cast<T>(value);
  }
  return {static_cast<double>(mean), static_cast<double>(inverse_deviation)};
}

template RowStatistics norm_reference<float>(const NormParameters&, const float*, std::size_t, const Gain&, float*);
template RowStatistics norm_reference<double>(const NormParameters&, const double*, std::size_t, const Gain&, double*);

}  // namespace attn
