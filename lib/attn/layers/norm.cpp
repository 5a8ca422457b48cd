#include <attn/layers/norm.hpp>

#include <attn/layers/norm_reference.hpp>

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

constexpr std::size_t row_block = 16, element_block = 16384;

// Sums run in eight lanes that are added in a fixed order: the compiler makes vectors of them on every processor, and
// the bits are the same on all.
constexpr std::size_t lanes = 8;

template <class Term>
double lane_sum(std::size_t n, Term term) {
  double sum[lanes] = {};
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane) sum[lane] += term(i + lane);
  for (std::size_t lane = 0; i < n; ++i, ++lane) sum[lane] += term(i);
  return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
}

/// norm_reference() with sums in lanes.
template <class T>
RowStatistics normalise(const NormParameters& p, const T* x, std::size_t n, const Gain<T>& gain, T* y) {
  const auto count = static_cast<double>(n);
  const double mean =
      p.kind == NormKind::layer ? lane_sum(n, [x](std::size_t i) { return static_cast<double>(x[i]); }) / count : 0;
  const double variance = lane_sum(n,
                                   [x, mean](std::size_t i) {
                                     const double d = static_cast<double>(x[i]) - mean;
                                     return d * d;
                                   }) /
                          count;
  const double inverse = 1 / std::sqrt(variance + p.epsilon);
  const auto centred = [x, mean, inverse](std::size_t i) { return (static_cast<double>(x[i]) - mean) * inverse; };
  const T *weight = gain.weight, *bias = gain.bias;
  if (weight != nullptr && bias != nullptr)
    for (std::size_t i = 0; i < n; ++i)
      y[i] = static_cast<T>(centred(i) * static_cast<double>(weight[i]) + static_cast<double>(bias[i]));
  else if (weight != nullptr)
    for (std::size_t i = 0; i < n; ++i) y[i] = static_cast<T>(centred(i) * static_cast<double>(weight[i]));
  else
    for (std::size_t i = 0; i < n; ++i)
      y[i] = static_cast<T>(bias != nullptr ? centred(i) + static_cast<double>(bias[i]) : centred(i));
  return {mean, inverse};
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
        const RowStatistics of_row = execution.engine == Engine::reference
                                         ? norm_reference(parameters_, in + row * n, n, gain, out + row * n)
                                         : normalise(parameters_, in + row * n, n, gain, out + row * n);
        if (statistics == nullptr) continue;
        mean.data_as<T>()[row] = static_cast<T>(of_row.mean);
        inverse_deviation.data_as<T>()[row] = static_cast<T>(of_row.inverse_deviation);
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
