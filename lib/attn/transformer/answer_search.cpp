#include <attn/transformer/answer_search.hpp>

#include <attn/core/error.hpp>
#include <attn/transformer/findings.hpp>
#include <attn/transformer/next_token.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn {
namespace {

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

/// softmax(logits) where the mask is not 0, 0 elsewhere.
std::vector<double> probabilities(std::vector<double> logits, const std::int64_t* mask) {
  for (std::size_t i = 0; i < logits.size(); ++i)
    if (mask != nullptr && mask[i] == 0) logits[i] = minus_infinity;
  log_softmax(logits);
  for (double& x : logits) x = std::exp(x);
  return logits;
}

/// Each row of x (L, width) with the same vector behind it: (L, 2 width).
TensorView paired(const TensorView& x, const TensorView& vector) {
  const std::size_t length = x.shape[0], bytes = x.shape[1] * element_size(x.dtype);
  const TensorView rows = contiguous(x), second = contiguous(vector);
  Tensor pairs(x.dtype, {length, 2 * x.shape[1]});
  auto* to = static_cast<char*>(pairs.data());
  for (std::size_t i = 0; i < length; ++i) {
    to = std::copy_n(static_cast<const char*>(rows.data) + i * bytes, bytes, to);
    to = std::copy_n(static_cast<const char*>(second.data), bytes, to);
  }
  return pairs.view(x.name);
}

/// sum_i weight_i x_i, in f64, of the type of x (L, width): (1, width).
TensorView mean_of(const TensorView& x, const std::vector<double>& weights) {
  const TensorView wide = cast(x, DType::f64);
  const auto row = wide.as<double, 2>();
  Tensor mean = Tensor::zeros(DType::f64, {1, x.shape[1]});
  for (std::size_t i = 0; i < weights.size(); ++i)
    for (std::size_t c = 0; c < x.shape[1]; ++c) mean.data_as<double>()[c] += weights[i] * row(i, c);
  return cast(mean.view(x.name), x.dtype);
}

}  // namespace

AnswerSearch::AnswerSearch(const Weights& weights, const AnswerSearchDescription& d, std::size_t width, DType compute)
    : description_(d),
      end_dense_(Linear::load(weights.scoped(d.end + ".dense_0"), width, 2 * width, compute)),
      end_(Linear::load(weights.scoped(d.end + ".dense_1"), 1, width, compute)),
      answerable_dense_(Linear::load(weights.scoped(d.answerable + ".dense_0"), width, 2 * width, compute)),
      answerable_(Linear::load(weights.scoped(d.answerable + ".dense_1"), 1, width, compute)),
      end_norm_(Norm::load(weights.scoped(d.end + ".LayerNorm"), width, d.norm, compute)) {}

TensorView AnswerSearch::operator()(const TensorView& starts, const TensorView& x,
                                    const std::optional<TensorView>& mask, const Execution& execution) const {
  const std::size_t batch = x.shape[0], length = x.shape[1];
  if (mask && mask->shape != Shape{batch, length})
    throw shape_error(mask->name, mask->shape, to_string(Shape{batch, length}) + " = (batch, length)");
  const std::vector<std::int64_t> possible = mask ? to_integers(*mask) : std::vector<std::int64_t>();
  const std::size_t best = std::min(description_.starts, length), ends = std::min(description_.ends, length);
  Tensor found(x.dtype, {batch, best * ends, 4}), answerable(x.dtype, {batch});
  for (std::size_t b = 0; b < batch; ++b) {
    const std::int64_t* row_mask = mask ? possible.data() + b * length : nullptr;
    const TensorView states = element(x, b);
    const std::vector<double> p_start = probabilities(to_doubles(element(starts, b)), row_mask);
    const std::vector<std::size_t> start = largest(p_start, best);
    for (std::size_t s = 0; s < best; ++s) {
      const TensorView pairs = paired(states, element(states, start[s]));
      const TensorView logits = end_(end_norm_(end_dense_(pairs, execution, Activation::tanh), execution), execution);
      const std::vector<double> p_end = probabilities(to_doubles(logits), row_mask);
      const std::vector<std::size_t> end = largest(p_end, ends);
      for (std::size_t e = 0; e < ends; ++e)
        visit_compute_dtype(x.dtype, [&](auto element) {
          using T = decltype(element);
          const double columns[] = {static_cast<double>(start[s]), static_cast<double>(end[e]), p_start[start[s]],
                                    p_end[end[e]]};
          std::transform(std::begin(columns), std::end(columns), found.data_as<T>() + ((b * ends + e) * best + s) * 4,
                         [](double c) { return static_cast<T>(c); });
        });
    }
    const TensorView last = element(states, length - 1);
    const TensorView logit =
        answerable_(answerable_dense_(paired(mean_of(states, p_start), last), execution, Activation::tanh), execution);
    std::copy_n(static_cast<const char*>(logit.data), element_size(x.dtype),
                static_cast<char*>(answerable.data()) + b * element_size(x.dtype));
  }
  execution.show("cls_logits", answerable.view("cls_logits"));
  return found.view(x.name);
}

}  // namespace attn
