#include <attn/layers/masked_softmax.hpp>

#include <attn/attention/problem.hpp>
#include <attn/core/execution.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace attn {
namespace {

/// n scores in double, -inf where nothing takes part, to (log-)probabilities.
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

}  // namespace

void expect_softmax(const TensorView& scores, const std::optional<TensorView>& mask, const SoftmaxParameters& p) {
  const auto rank = static_cast<std::int64_t>(scores.rank());
  if (p.axis >= rank || p.axis < -rank)
    throw Error(ErrorKind::usage, "axis",
                std::to_string(p.axis) + " is not an axis of " + scores.name + " " + to_string(scores.shape));
  if (!(p.temperature > 0)) throw Error(ErrorKind::usage, "temperature", "must be above 0");
  if (!mask) return;
  is_boolean_mask(*mask, p.mask_type, p.mask_invert);
  broadcast_to(*mask, scores.shape);
}

TensorView masked_softmax(const TensorView& scores, const std::optional<TensorView>& mask, const SoftmaxParameters& p,
                          const Execution& execution) {
  expect_softmax(scores, mask, p);
  const auto rank = static_cast<std::int64_t>(scores.rank());
  const bool additive = mask && !is_boolean_mask(*mask, p.mask_type, p.mask_invert);

  // The axis goes last; rows are what is left.
  std::vector<std::size_t> order(scores.rank());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto axis = static_cast<std::size_t>(p.axis < 0 ? p.axis + rank : p.axis);
  order.erase(order.begin() + static_cast<std::ptrdiff_t>(axis));
  order.push_back(axis);
  const DType compute = compute_dtype(scores.dtype);
  const TensorView rows = cast(transposed(scores, order), compute);
  TensorView masks;
  if (mask) masks = cast(transposed(broadcast_to(*mask, scores.shape), order), additive ? DType::f64 : DType::boolean);

  Tensor out(compute, rows.shape);
  const std::size_t n = rows.shape.back(), count = n > 0 ? rows.size() / n : 0;
  visit_compute_dtype(compute, [&](auto element) {
    using T = decltype(element);
    const T* in = rows.contiguous_data<T>();
    T* to = out.data_as<T>();
    constexpr std::size_t steps = 16;  // an element takes
    execution.sized_for(steps * rows.size()).parallel_with_progress(count, [&](std::size_t row, std::size_t) {
      std::vector<double> values(n);
      for (std::size_t j = 0; j < n; ++j) {
        const std::size_t i = row * n + j;
        const bool excluded = mask && !additive && (masks.contiguous_data<Boolean>()[i].value != 0) == p.mask_invert;
        const double added = additive ? masks.contiguous_data<double>()[i] : 0.0;
        const bool away = excluded || (std::isinf(added) && added < 0);
        values[j] =
            away ? -std::numeric_limits<double>::infinity() : static_cast<double>(in[i]) / p.temperature + added;
      }
      normalise(values, p.log);
      for (std::size_t j = 0; j < n; ++j) to[row * n + j] = static_cast<T>(values[j]);
    });
  });
  std::vector<std::size_t> back(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) back[order[i]] = i;
  return contiguous(transposed(out.view(scores.name), back));
}

}  // namespace attn
