#include <attn/layers/norm.hpp>

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

constexpr std::size_t row_block = 16, element_block = 16384;

template <class T>
struct Gain {
  const T* weight = nullptr;
  const T* bias = nullptr;
};

/// One row of n elements, sums in double.
template <class T>
void normalise(const NormParameters& p, const T* x, std::size_t n, Gain<T> gain, T* y, double& mean,
               double& inverse_deviation) {
  mean = 0;
  if (p.kind == NormKind::layer) {
    for (std::size_t i = 0; i < n; ++i) mean += static_cast<double>(x[i]);
    mean /= static_cast<double>(n);
  }
  double variance = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double d = static_cast<double>(x[i]) - mean;
    variance += d * d;
  }
  variance /= static_cast<double>(n);
  inverse_deviation = 1 / std::sqrt(variance + p.epsilon);
  for (std::size_t i = 0; i < n; ++i) {
    double value = (static_cast<double>(x[i]) - mean) * inverse_deviation;
    if (gain.weight != nullptr) value *= static_cast<double>(gain.weight[i]);
    if (gain.bias != nullptr) value += static_cast<double>(gain.bias[i]);
    y[i] = static_cast<T>(value);
  }
}

}  // namespace

Norm::Norm(const NormParameters& parameters, const TensorView& weight, const std::optional<TensorView>& bias,
           DType compute)
    : parameters_(parameters), axes_(weight.rank()), weight_(cast(weight, compute)), compute_(compute) {
  if (axes_ == 0) throw shape_error(weight.name, weight.shape, "at least one axis");
  if (bias && bias->rank() != axes_)
    throw shape_error(bias->name, bias->shape, "as many axes as the weight " + to_string(weight.shape));
  if (bias) bias_ = cast(*bias, compute);
}

Norm::Norm(const NormParameters& parameters, std::size_t axes, DType compute)
    : parameters_(parameters), axes_(axes), compute_(compute) {}

Norm Norm::load(const Weights& weights, std::size_t width, const NormParameters& parameters, DType compute) {
  const TensorView weight = weights.get("weight", {width}, "width");
  return {parameters, weight, weights.find("bias", weight.shape, "width"), compute};
}

TensorView Norm::operator()(const TensorView& x, const Execution& execution, NormStatistics* statistics) const {
  if (x.rank() < axes_)
    throw shape_error(x.name, x.shape, "at least the " + std::to_string(axes_) + " axes that are normalised");
  const Shape normalised(x.shape.end() - static_cast<std::ptrdiff_t>(axes_), x.shape.end());
  const auto fitted = [&](const std::optional<TensorView>& gain) {
    if (!gain) return TensorView{};
    if (gain->shape == normalised) return *gain;
    if (axes_ == 1 || gain->shape.back() != normalised.back())
      throw shape_error(x.name, x.shape,
                        "(..., " + std::to_string(gain->shape.back()) + ") = the width of " + gain->name);
    return contiguous(broadcast_to(*gain, normalised));
  };
  const TensorView weight = fitted(weight_), bias = fitted(bias_);
  const TensorView input = cast(x, compute_);
  Tensor y(compute_, x.shape);
  Shape reduced = x.shape;
  std::fill(reduced.end() - static_cast<std::ptrdiff_t>(axes_), reduced.end(), std::size_t{1});
  Tensor mean(compute_, statistics ? reduced : Shape{0}), inverse_deviation(compute_, statistics ? reduced : Shape{0});

  visit_compute_dtype(compute_, [&](auto element) {
    using T = decltype(element);
    const std::size_t n = element_count(normalised), rows = n > 0 ? x.size() / n : 0;
    Gain<T> gain;
    if (weight_) gain.weight = weight.contiguous_data<T>();
    if (bias_) gain.bias = bias.contiguous_data<T>();
    const T* in = input.contiguous_data<T>();
    T* out = y.data_as<T>();
    execution.parallel((rows + row_block - 1) / row_block, [&](std::size_t task, std::size_t) {
      for (std::size_t row = task * row_block; row < std::min(rows, (task + 1) * row_block); ++row) {
        double row_mean = 0, row_inverse = 0;
        normalise(parameters_, in + row * n, n, gain, out + row * n, row_mean, row_inverse);
        if (statistics == nullptr) continue;
        mean.data_as<T>()[row] = static_cast<T>(row_mean);
        inverse_deviation.data_as<T>()[row] = static_cast<T>(row_inverse);
      }
    });
  });
  if (statistics != nullptr) *statistics = {mean.view(), inverse_deviation.view()};
  return y.view(x.name);
}

TensorView add_residual(const TensorView& x, const TensorView& residual, const Execution& execution) {
  if (x.shape != residual.shape)
    throw shape_error(residual.name, residual.shape, to_string(x.shape) + " = the shape of " + x.name);
  const DType compute = wider(compute_dtype(x.dtype), compute_dtype(residual.dtype));
  const TensorView a = cast(x, compute), b = cast(residual, compute);
  Tensor sum(compute, x.shape);
  visit_compute_dtype(compute, [&](auto element) {
    using T = decltype(element);
    const T *a_data = a.contiguous_data<T>(), *b_data = b.contiguous_data<T>();
    T* out = sum.data_as<T>();
    const std::size_t count = sum.size();
    execution.parallel((count + element_block - 1) / element_block, [&](std::size_t task, std::size_t) {
      for (std::size_t i = task * element_block; i < std::min(count, (task + 1) * element_block); ++i)
        out[i] = a_data[i] + b_data[i];
    });
  });
  return sum.view(x.name);
}

}  // namespace attn
