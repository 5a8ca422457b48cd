#include <attn/layers/softmax.hpp>

#include <attn/attention/rules.hpp>
#include <attn/core/execution.hpp>
#include <attn/core/module.hpp>
#include <attn/layers/reference/functions.hpp>

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

Mask mask_of(const TensorView& scores, const Rows& rows, const SoftmaxMasks& masks, const SoftmaxParameters& p) {
  if (!(p.temperature > 0)) throw Error(ErrorKind::usage, "temperature", "must be above 0");
  AttendInputs inputs;
  inputs.mask = masks.mask;
  inputs.valid_lens = masks.valid_lens;
  // Batches, heads and queries are known if the softmax is over the last axis.
  const bool is_last = rows.order.back() + 1 == rows.order.size();
  if (masks.mask && (!is_last || scores.rank() > 4)) {
    const TensorView spread = transposed(broadcast_to(*masks.mask, scores.shape), rows.order);
    inputs.mask = scores.rank() > 4 ? reshaped(spread, {rows.sizes.batch, rows.sizes.keys}) : contiguous(spread);
  }
  AttendParameters parameters;
  parameters.mask_type = p.mask_type;
  parameters.mask_invert = p.mask_invert;
  return make_mask(inputs, parameters, rows.sizes, 0, DType::f64);
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
  const AttentionSizes& sizes = axes.sizes;
  const Normalise normalise_row = execution.engine == Engine::reference ? normalise_by_formula : normalise;
  const std::size_t n = sizes.keys, count = n > 0 ? rows.size() / n : 0;
  visit_compute_dtype(compute, [&](auto element) {
    using T = decltype(element);
    const T* in = rows.contiguous_data<T>();
    T* to = out.data_as<T>();
    constexpr std::size_t steps = 16;  // for each element
    execution.sized_for(steps * rows.size()).parallel_with_progress(count, [&](std::size_t row, std::size_t) {
      std::vector<double> values(n);
      mask.row(row / sizes.queries / sizes.heads, row / sizes.queries % sizes.heads, row % sizes.queries, {0, n},
               values.data());
      for (std::size_t j = 0; j < n; ++j)
        if (!(std::isinf(values[j]) && values[j] < 0))
          values[j] += static_cast<double>(in[row * n + j]) / p.temperature;
      normalise_row(values, p.log);
      for (std::size_t j = 0; j < n; ++j) to[row * n + j] = static_cast<T>(values[j]);
    });
  });
  std::vector<std::size_t> back(axes.order.size());
  for (std::size_t i = 0; i < back.size(); ++i) back[axes.order[i]] = i;
  return contiguous(transposed(out.view(scores.name), back));
}

}  // namespace attn
