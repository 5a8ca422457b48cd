#include <attn/layers/softmax.hpp>

#include <attn/attention/problem.hpp>
#include <attn/core/execution.hpp>
#include <attn/core/module.hpp>
#include <attn/core/reduce.hpp>
#include <attn/core/shape.hpp>
#include <attn/layers/inner/reference_module.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>
#include <vector>

namespace attn {
namespace {

/// n scores in double, -inf if excluded, to (log-)probabilities.
using Normalise = void (*)(std::vector<double>& row, bool log);

void normalise_by_formula(std::vector<double>& row, bool log) {
  expect_memory(reference::layer_functions().softmax(row.data(), 1, row.size(), log));
}

void normalise(std::vector<double>& row, bool log) {
  double top = -std::numeric_limits<double>::infinity();
  bool has_nan = false;
  for (const double s : row) {
    top = std::max(top, s);
    has_nan = has_nan || std::isnan(s);
  }
  if (has_nan) {
    for (double& s : row) s = std::isinf(s) && s < 0 ? (log ? s : 0.0) : std::numeric_limits<double>::quiet_NaN();
    return;
  }
  if (std::isinf(top) && top < 0) {
    for (double& s : row) s = log ? top : 0.0;
    return;
  }
  double total = 0;
  for (const double s : row) total += std::exp(s - top);
  for (double& s : row) s = log ? s - top - std::log(total) : std::exp(s - top) / total;
}

bool is_excluded(double score) { return std::isinf(score) && score < 0; }

/// n scores in double, -inf if excluded, and the gradient by their (log-)probabilities, which becomes that by them.
using Differentiate = void (*)(const std::vector<double>& scores, std::vector<double>& gradient, bool log);

void differentiate_by_formula(const std::vector<double>& scores, std::vector<double>& gradient, bool log) {
  expect_memory(reference::layer_functions().softmax_vjp(scores.data(), 1, scores.size(), log, gradient.data()));
}

void differentiate(const std::vector<double>& scores, std::vector<double>& gradient, bool log) {
  std::vector<double> p = scores;
  normalise(p, false);
  double sum = 0;
  for (std::size_t j = 0; j < p.size(); ++j)
    if (!is_excluded(scores[j])) sum += log ? gradient[j] : p[j] * gradient[j];
  for (std::size_t j = 0; j < p.size(); ++j)
    gradient[j] = is_excluded(scores[j]) ? 0 : log ? gradient[j] - p[j] * sum : p[j] * (gradient[j] - sum);
}

/// The axis of the softmax becomes the last; the other axes form the rows.
struct Rows {
  std::vector<std::size_t> order;  ///< of the axes
  Shape shape;
  AttentionSizes sizes;  ///< 2 axes are (B, S), 3 are (B, L, S); more than 4 are one axis of rows
};

Rows rows_of(const TensorView& scores, const SoftmaxParameters& p) {
  const auto rank = static_cast<std::int64_t>(scores.rank());
  if (p.axis >= rank || p.axis < -rank)
    throw Error(ErrorKind::usage, "axis",
                std::to_string(p.axis) + " is not an axis of " + scores.name + " " + to_string(scores.shape));
  Rows rows;
  rows.order.resize(scores.rank());
  std::iota(rows.order.begin(), rows.order.end(), std::size_t{0});
  const auto axis = rows.order.begin() + static_cast<std::ptrdiff_t>(p.axis < 0 ? p.axis + rank : p.axis);
  std::rotate(axis, axis + 1, rows.order.end());
  for (const std::size_t from : rows.order) rows.shape.push_back(scores.shape[from]);
  const Shape& n = rows.shape;
  const std::size_t S = n.back();
  rows.sizes.keys = S;
  rows.sizes.queries = 1;
  if (rank == 2) rows.sizes.batch = n[0];
  if (rank == 3) std::tie(rows.sizes.batch, rows.sizes.queries) = std::tie(n[0], n[1]);
  if (rank == 4) std::tie(rows.sizes.batch, rows.sizes.heads, rows.sizes.queries) = std::tie(n[0], n[1], n[2]);
  if (rank > 4) rows.sizes.batch = element_count({n.begin(), n.end() - 1});
  return rows;
}

/// Does a mask broadcast to the scores? Only if the softmax is over the last of at most 4 axes, batches, heads and
/// queries are known.
bool is_spread(const Rows& rows) { return rows.order.back() + 1 != rows.order.size() || rows.order.size() > 4; }

Mask mask_of(const TensorView& scores, const Rows& rows, const SoftmaxMasks& masks, const SoftmaxParameters& p) {
  if (!(p.temperature > 0)) throw Error(ErrorKind::usage, "temperature", "must be above 0");
  AttendInputs inputs;
  inputs.mask = masks.mask;
  inputs.valid_lens = masks.valid_lens;
  if (masks.mask && is_spread(rows)) {
    const TensorView spread = transposed(broadcast_to(*masks.mask, scores.shape), rows.order);
    inputs.mask = scores.rank() > 4 ? reshaped(spread, {rows.sizes.batch, rows.sizes.keys}) : contiguous(spread);
  }
  AttendParameters parameters;
  parameters.mask_type = p.mask_type;
  parameters.mask_invert = p.mask_invert;
  return make_mask(inputs, parameters, rows.sizes, 0, DType::f64);
}

/// Calls body(row, scores) for each row: the scores divided by the temperature and masked, in double, -inf if excluded.
template <class T, class Body>
void for_each_row(const TensorView& rows, const Rows& axes, const Mask& mask, double temperature,
                  const Execution& execution, const Body& body) {
  const AttentionSizes& sizes = axes.sizes;
  const std::size_t n = sizes.keys, count = n > 0 ? rows.size() / n : 0;
  const T* const in = rows.contiguous_data<T>();
  constexpr std::size_t steps = 16;  // for each element
  execution.sized_for(steps * rows.size()).parallel_with_progress(count, [&](std::size_t row, std::size_t) {
    std::vector<double> values(n);
    mask.row(row / sizes.queries / sizes.heads, row / sizes.queries % sizes.heads, row % sizes.queries, {0, n},
             values.data());
    for (std::size_t j = 0; j < n; ++j)
      if (!is_excluded(values[j])) values[j] += static_cast<double>(in[row * n + j]) / temperature;
    body(row, values);
  });
}

/// A tensor in the order of `axes`, with its axes in their own order again.
TensorView in_order(const TensorView& x, const Rows& axes) {
  std::vector<std::size_t> back(axes.order.size());
  for (std::size_t i = 0; i < back.size(); ++i) back[axes.order[i]] = i;
  return contiguous(transposed(x, back));
}

}  // namespace

TensorView masked_softmax(const TensorView& scores, const SoftmaxMasks& masks, const SoftmaxParameters& p,
                          const Execution& execution) {
  const Rows axes = rows_of(scores, p);
  const Mask mask = mask_of(scores, axes, masks, p);
  const DType compute = compute_dtype(scores.dtype);
  if (execution.only_counts(4 * static_cast<double>(scores.size())))
    return Tensor::zeros(compute, scores.shape).view(scores.name);
  const TensorView rows = cast(transposed(scores, axes.order), compute);
  Tensor out(compute, rows.shape);
  const Normalise normalise_row = execution.engine == Engine::reference ? normalise_by_formula : normalise;
  const std::size_t n = axes.sizes.keys;
  visit_compute_dtype(compute, [&](auto element) {
    using T = decltype(element);
    T* const to = out.data_as<T>();
    for_each_row<T>(rows, axes, mask, p.temperature, execution, [&](std::size_t row, std::vector<double>& values) {
      normalise_row(values, p.log);
      for (std::size_t j = 0; j < n; ++j) to[row * n + j] = static_cast<T>(values[j]);
    });
  });
  return in_order(out.view(scores.name), axes);
}

namespace {

/// The gradient by a mask of floats, from that by each score, in the order of `axes`.
TensorView mask_gradient(const TensorView& by_score, const Rows& axes, const Mask& mask, const TensorView& given) {
  if (is_spread(axes)) return sum_to(in_order(by_score, axes), given.shape);
  const TensorView& bias = mask.biases().front();  // (B, H, L, keys) by strides
  const AttentionSizes& n = axes.sizes;
  Slab covered(4);
  covered[3] = {0, static_cast<std::int64_t>(bias.shape[3]), 1, false};
  Shape shape = bias.shape;
  for (std::size_t axis = 0; axis < 4; ++axis)
    if (bias.strides[axis] == 0) shape[axis] = 1;
  return reshaped(sum_to(contiguous(slice(reshaped(by_score, {n.batch, n.heads, n.queries, n.keys}), covered)), shape),
                  given.shape);
}

}  // namespace

SoftmaxGradients masked_softmax_vjp(const TensorView& scores, const SoftmaxMasks& masks, const SoftmaxParameters& p,
                                    const TensorView& dy, const Execution& execution) {
  const Rows axes = rows_of(scores, p);
  const Mask mask = mask_of(scores, axes, masks, p);
  if (dy.shape != scores.shape)
    throw shape_error(dy.name, dy.shape, to_string(scores.shape) + " = the shape of the result");
  const DType compute = compute_dtype(scores.dtype);
  const bool is_additive = !mask.biases().empty();
  Tensor by_score = Tensor::zeros(compute, axes.shape),
         by_mask = Tensor::zeros(compute, is_additive ? axes.shape : Shape{0});
  if (!execution.only_counts(8 * static_cast<double>(scores.size()))) {
    const TensorView rows = cast(transposed(scores, axes.order), compute),
                     given = cast(transposed(dy, axes.order), compute);
    const Differentiate differentiate_row =
        execution.engine == Engine::reference ? differentiate_by_formula : differentiate;
    const std::size_t n = axes.sizes.keys;
    visit_compute_dtype(compute, [&](auto element) {
      using T = decltype(element);
      for_each_row<T>(rows, axes, mask, p.temperature, execution, [&](std::size_t row, std::vector<double>& values) {
        const T* const from = given.contiguous_data<T>() + row * n;
        std::vector<double> gradient(from, from + n);
        differentiate_row(values, gradient, p.log);
        for (std::size_t j = 0; j < n; ++j) {
          if (is_additive) by_mask.data_as<T>()[row * n + j] = static_cast<T>(gradient[j]);
          by_score.data_as<T>()[row * n + j] = static_cast<T>(gradient[j] / p.temperature);
        }
      });
    });
  }
  SoftmaxGradients d{in_order(by_score.view(scores.name), axes), std::nullopt};
  if (is_additive) d.mask = mask_gradient(by_mask.view(masks.mask->name), axes, mask, *masks.mask);
  return d;
}

}  // namespace attn
