#include <attn/layers/norm.hpp>

#include <attn/core/memory.hpp>
#include <attn/core/module.hpp>
#include <attn/core/reduce.hpp>
#include <attn/layers/inner/reference_module.hpp>
#include <attn/simd/norm.hpp>

#include <algorithm>

namespace attn {
namespace {

struct WideRow;

/// Gain and offset of one row, or null.
struct Gain {
  const double* weight = nullptr;
  const double* bias = nullptr;
};

/// Gain or offset for rows of `compute`: in f64, because norms compute in f64.
TensorView gain_of(const TensorView& values, DType compute) { return cast(cast(values, compute), DType::f64); }

TensorView plus_one(const TensorView& weight) {
  Tensor gain(DType::f64, weight.shape);
  const TensorView from = contiguous(weight);
  const auto* first = from.contiguous_data<double>();
  std::transform(first, first + from.size(), gain.data_as<double>(), [](double w) { return 1 + w; });
  return gain.view(weight.name);
}

constexpr std::size_t row_block = 16, element_block = 16384;

/// Rows of one task: an equal share for each thread, but at most a block, and at least 2048 elements, which are worth
/// waking a thread.
std::size_t rows_of_task(std::size_t rows, std::size_t width, std::size_t threads) {
  constexpr std::size_t least_elements = 2048;
  const std::size_t even = (rows + threads - 1) / threads,
                    least = (least_elements + width - 1) / std::max<std::size_t>(width, 1);
  return std::clamp<std::size_t>(even, std::clamp<std::size_t>(least, 1, row_block), row_block);
}

/// The gradients by x and the gain of rows of n elements; see Norm::vjp().
template <class T>
void rows_backward(const Execution& execution, const NormParameters& parameters, const double* weight, const T* x,
                   const T* dy, std::size_t rows, std::size_t n, T* dx, T* dw, T* db) {
  // Blocks of rows, whose sums are added in order, so that the bits do not depend on the threads.
  constexpr std::size_t block_rows = 256;
  const std::size_t blocks = (rows + block_rows - 1) / block_rows;
  std::vector<double> sums(blocks * 2 * n);
  execution.parallel(blocks, [&](std::size_t block, std::size_t) {
    const std::size_t first = block * block_rows;
    auto* const memory = reinterpret_cast<double*>(simd::scratch<WideRow>(2 * n * sizeof(double)));
    simd::NormGradientRows<T> some;
    some.x = x + first * n;
    some.dy = dy + first * n;
    some.dx = dx + first * n;
    some.dweight = sums.data() + block * 2 * n;
    some.dbias = some.dweight + n;
    some.wide = memory;
    some.normal = memory + n;
    some.weight = weight;
    some.rows = std::min(block_rows, rows - first);
    some.n = n;
    some.epsilon = parameters.epsilon;
    some.is_centred = parameters.kind == NormKind::layer;
    simd::norm_kernels<T>(execution.isa).differentiate(some);
  });
  for (std::size_t at = 2 * n; at < sums.size(); ++at) sums[at % (2 * n)] += sums[at];
  std::transform(sums.begin(), sums.begin() + static_cast<std::ptrdiff_t>(n), dw,
                 [](double d) { return static_cast<T>(d); });
  std::transform(sums.begin() + static_cast<std::ptrdiff_t>(n), sums.begin() + static_cast<std::ptrdiff_t>(2 * n), db,
                 [](double d) { return static_cast<T>(d); });
}

/// Throws Error(data) for unequal shapes.
void expect_residual(const TensorView& x, const TensorView& residual) {
  if (x.shape != residual.shape)
    throw shape_error(residual.name, residual.shape, to_string(x.shape) + " = the shape of " + x.name);
}

}  // namespace

Norm::Norm(const NormParameters& parameters, const TensorView& weight, const std::optional<TensorView>& bias,
           DType compute)
    : parameters_(parameters),
      axes_(weight.rank()),
      weight_(gain_of(weight, compute_dtype(compute))),
      compute_(compute_dtype(compute)) {
  if (axes_ == 0) throw shape_error(weight.name, weight.shape, "at least one axis");
  if (bias && bias->rank() != axes_)
    throw shape_error(bias->name, bias->shape, "as many axes as the weight " + to_string(weight.shape));
  if (parameters_.adds_one) weight_ = plus_one(*weight_);
  if (bias) bias_ = gain_of(*bias, compute_);
}

Norm::Norm(const NormParameters& parameters, std::size_t axes, DType compute)
    : parameters_(parameters), axes_(axes), compute_(compute_dtype(compute)) {}

Norm Norm::load(const Weights& weights, std::size_t width, const NormParameters& parameters, DType compute) {
  const TensorView weight = weights.get("weight", {width}, "width");
  return {parameters, weight, weights.find("bias", weight.shape, "width"), compute};
}

TensorView Norm::operator()(const TensorView& x, const Execution& execution, NormStatistics* statistics) const {
  return apply(x, nullptr, execution, statistics);
}

TensorView Norm::of_sum(const TensorView& x, const TensorView& residual, const Execution& execution) const {
  if (execution.engine == Engine::reference || x.dtype != compute_ || residual.dtype != compute_)
    return apply(add_residual(x, residual, execution), nullptr, execution, nullptr);
  expect_residual(x, residual);
  const TensorView other = contiguous(residual);
  return apply(x, &other, execution, nullptr);
}

/// x as rows of the elements that are normalised together, and gain and offset in the shape of a row.
struct Norm::Rows {
  Shape normalised;
  std::size_t count, width;
  TensorView weight, bias;  ///< in f64

  Gain gain() const {
    Gain gain;
    if (weight.data != nullptr) gain.weight = weight.contiguous_data<double>();
    if (bias.data != nullptr) gain.bias = bias.contiguous_data<double>();
    return gain;
  }
};

Norm::Rows Norm::rows_of(const TensorView& x) const {
  if (x.rank() < axes_)
    throw shape_error(x.name, x.shape, "at least the " + std::to_string(axes_) + " axes that are normalised");
  Rows rows;
  rows.normalised = Shape(x.shape.end() - static_cast<std::ptrdiff_t>(axes_), x.shape.end());
  const auto fitted = [&](const std::optional<TensorView>& gain) {
    if (!gain) return TensorView{};
    if (gain->shape == rows.normalised) return *gain;
    if (axes_ == 1 || gain->shape.back() != rows.normalised.back())
      throw shape_error(x.name, x.shape,
                        "(..., " + std::to_string(gain->shape.back()) + ") = the width of " + gain->name);
    return contiguous(broadcast_to(*gain, rows.normalised));
  };
  rows.weight = fitted(weight_);
  rows.bias = fitted(bias_);
  rows.width = element_count(rows.normalised);
  rows.count = rows.width > 0 ? x.size() / rows.width : 0;
  return rows;
}

/// norm(x), or norm(x + residual) if there is one, in the computing type and contiguous.
TensorView Norm::apply(const TensorView& x, const TensorView* residual, const Execution& execution,
                       NormStatistics* statistics) const {
  const Rows of_x = rows_of(x);
  const std::size_t rows = of_x.count, n = of_x.width;
  Shape reduced = x.shape;
  std::fill(reduced.end() - static_cast<std::ptrdiff_t>(axes_), reduced.end(), std::size_t{1});
  if (execution.only_counts(8 * static_cast<double>(x.size()))) {
    const auto zeros = [&](const Shape& shape) { return Tensor::zeros(compute_, shape).view(x.name); };
    if (statistics != nullptr) *statistics = {zeros(reduced), zeros(reduced)};
    return zeros(x.shape);
  }
  const TensorView input = cast(x, compute_);
  const Gain gain = of_x.gain();
  if (execution.engine == Engine::reference) {
    const TensorView wide = cast(input, DType::f64);
    Tensor y(DType::f64, x.shape), mean(DType::f64, reduced), inverse_deviation(DType::f64, reduced);
    if (rows > 0)
      expect_memory(reference::layer_functions().norm(parameters_, wide.contiguous_data<double>(), gain.weight,
                                                      gain.bias, rows, n, y.data_as<double>(), mean.data_as<double>(),
                                                      inverse_deviation.data_as<double>()));
    if (statistics != nullptr) *statistics = {cast(mean.view(), compute_), cast(inverse_deviation.view(), compute_)};
    return cast(y.view(x.name), compute_);
  }
  Tensor y(compute_, x.shape);
  Tensor mean(compute_, statistics ? reduced : Shape{0}), inverse_deviation(compute_, statistics ? reduced : Shape{0});

  visit_compute_dtype(compute_, [&](auto element) {
    using T = decltype(element);
    const T* in = input.contiguous_data<T>();
    const T* added = residual != nullptr ? residual->contiguous_data<T>() : nullptr;
    T* out = y.data_as<T>();
    const auto normalise = [&, kernel = simd::norm_kernels<T>(execution.isa).normalise](std::size_t row) {
      simd::NormRow<T> of_row;
      of_row.x = in + row * n;
      if (added != nullptr) of_row.residual = added + row * n;
      of_row.wide = reinterpret_cast<double*>(simd::scratch<WideRow>(n * sizeof(double)));
      of_row.y = out + row * n;
      of_row.weight = gain.weight;
      of_row.bias = gain.bias;
      of_row.n = n;
      of_row.epsilon = parameters_.epsilon;
      of_row.is_centred = parameters_.kind == NormKind::layer;
      return kernel(of_row);
    };
    const std::size_t block = rows_of_task(rows, n, execution.threads());
    execution.parallel_with_progress((rows + block - 1) / block, [&](std::size_t task, std::size_t) {
      for (std::size_t row = task * block; row < std::min(rows, (task + 1) * block); ++row) {
        const simd::RowStatistics of_row = normalise(row);
        if (statistics == nullptr) continue;
        mean.data_as<T>()[row] = static_cast<T>(of_row.mean);
        inverse_deviation.data_as<T>()[row] = static_cast<T>(of_row.inverse_deviation);
      }
    });
  });
  if (statistics != nullptr) *statistics = {mean.view(), inverse_deviation.view()};
  return y.view(x.name);
}

NormGradients Norm::vjp(const TensorView& x, const TensorView& dy, const Execution& execution) const {
  const Rows of_x = rows_of(x);
  const std::size_t rows = of_x.count, n = of_x.width;
  if (dy.shape != x.shape) throw shape_error(dy.name, dy.shape, to_string(x.shape) + " = the shape of the result");
  const bool by_formula = execution.engine == Engine::reference;
  const DType type = by_formula ? DType::f64 : compute_;
  Tensor dx = Tensor::zeros(type, x.shape), dw = Tensor::zeros(type, of_x.normalised),
         db = Tensor::zeros(type, of_x.normalised);
  if (!execution.only_counts(16 * static_cast<double>(x.size())) && rows > 0) {
    const TensorView input = cast(cast(x, compute_), type), cotangent = cast(cast(dy, compute_), type);
    const double* const weight = of_x.gain().weight;
    if (by_formula)
      expect_memory(reference::layer_functions().norm_vjp(
          parameters_, input.contiguous_data<double>(), weight, cotangent.contiguous_data<double>(), rows, n,
          dx.data_as<double>(), dw.data_as<double>(), db.data_as<double>()));
    else
      visit_compute_dtype(type, [&](auto element) {
        using T = decltype(element);
        rows_backward(execution, parameters_, weight, input.contiguous_data<T>(), cotangent.contiguous_data<T>(), rows,
                      n, dx.data_as<T>(), dw.data_as<T>(), db.data_as<T>());
      });
  }
  const auto gradient = [&](const std::optional<TensorView>& gain, const Tensor& full) {
    return gain ? std::optional(cast(sum_to(full.view(gain->name), gain->shape), compute_)) : std::nullopt;
  };
  return {cast(dx.view(x.name), compute_), gradient(weight_, dw), gradient(bias_, db)};
}

TensorView add_residual(const TensorView& x, const TensorView& residual, const Execution& execution) {
  expect_residual(x, residual);
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
