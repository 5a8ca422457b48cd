#include <attn/transformer/stack/answer_search.hpp>

#include <attn/core/constants.hpp>
#include <attn/core/error.hpp>
#include <attn/core/shape.hpp>
#include <attn/transformer/decoding/probability.hpp>
#include <attn/transformer/findings.hpp>

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

/// softmax(logits) where an answer may be, 0 elsewhere.
std::vector<double> probabilities(const TensorView& logits, const std::vector<bool>& possible) {
  std::vector<double> p = to_doubles(logits);
  for (std::size_t i = 0; i < p.size(); ++i)
    if (!possible[i]) p[i] = -infinity;
  softmax(p);
  return p;
}

/// tanh(x_i + y) for each row of x (L, width).
TensorView tanh_of_sums(const TensorView& x, const TensorView& y) {
  Tensor sums(x.dtype, x.shape);
  visit_compute_dtype(x.dtype, [&](auto element) {
    using T = decltype(element);
    const auto rows = x.as<T, 2>();
    const auto vector = y.as<T, 1>();
    T* to = sums.data_as<T>();
    for (std::size_t i = 0; i < x.shape[0]; ++i)
      for (std::size_t c = 0; c < x.shape[1]; ++c) *to++ = std::tanh(rows(i, c) + vector(c));
  });
  return sums.view(x.name);
}

/// a and b (1, width), joined.
TensorView joined(const TensorView& a, const TensorView& b) {
  Tensor both(a.dtype, {1, a.size() + b.size()});
  auto* to = static_cast<char*>(both.data());
  for (const TensorView& part : {contiguous(a), contiguous(b)})
    to = std::copy_n(static_cast<const char*>(part.data), part.bytes(), to);
  return both.view(a.name);
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

/// The part of a row of weights (out, 2 width) that belongs to the first or the second of two vectors.
TensorView half(const TensorView& weight, bool second) {
  const auto width = static_cast<std::int64_t>(weight.shape[1] / 2), first = second ? width : 0;
  return contiguous(slice(weight, {AxisSlab{}, AxisSlab{first, first + width, 1, false}}));
}

/// Row b of a mask (B, L), all true if there is none.
std::vector<bool> row_of(const std::optional<TensorView>& mask, std::size_t b, std::size_t length) {
  if (!mask) return std::vector<bool>(length, true);
  const std::vector<std::int64_t> flags = to_integers(element(*mask, b));
  return {flags.begin(), flags.end()};
}

void expect_shape(const std::optional<TensorView>& mask, std::size_t batch, std::size_t length) {
  if (mask && mask->shape != Shape{batch, length})
    throw shape_error(mask->name, mask->shape, to_string(Shape{batch, length}) + " = (batch, length)");
}

}  // namespace

AnswerSearch::AnswerSearch(const Weights& weights, const AnswerSearchDescription& d, std::size_t width, DType compute)
    : description_(d),
      end_token_(half(weights.get(d.end + ".dense_0.weight"), false), weights.get(d.end + ".dense_0.bias"), compute),
      end_start_(half(weights.get(d.end + ".dense_0.weight"), true), std::nullopt, compute),
      end_(Linear::load(weights.scoped(d.end + ".dense_1"), 1, width, compute)),
      answerable_dense_(Linear::load(weights.scoped(d.answerable + ".dense_0"), width, 2 * width, compute)),
      answerable_(Linear::load(weights.scoped(d.answerable + ".dense_1"), 1, width, compute)),
      end_norm_(Norm::load(weights.scoped(d.end + ".LayerNorm"), width, d.norm, compute)) {}

TensorView AnswerSearch::operator()(const TensorView& starts, const TensorView& x, const TokenBatch& read,
                                    const Execution& execution) const {
  const std::size_t batch = x.shape[0], length = x.shape[1];
  const std::optional<TensorView> padding = read.target_mapping ? std::nullopt : read.padding_mask;  // targets are real
  expect_shape(read.answer_mask, batch, length);
  expect_shape(padding, batch, length);
  const std::size_t best = std::min(description_.starts, length), ends = std::min(description_.ends, length);
  const TensorView of_tokens = end_token_(x, execution);
  Tensor found(x.dtype, {batch, best * ends, 4}), answerable(x.dtype, {batch});
  for (std::size_t b = 0; b < batch; ++b) {
    const std::vector<bool> real = row_of(padding, b, length);
    std::vector<bool> possible = row_of(read.answer_mask, b, length);
    for (std::size_t i = 0; i < length; ++i) possible[i] = possible[i] && real[i];
    const TensorView states = element(x, b);
    const std::vector<double> p_start = probabilities(element(starts, b), possible);
    const std::vector<std::size_t> start = largest(p_start, best);
    const TensorView of_starts = end_start_(rows_of(states, start), execution);
    for (std::size_t s = 0; s < best; ++s) {
      const TensorView hidden = tanh_of_sums(element(of_tokens, b), element(of_starts, s));
      const std::vector<double> p_end = probabilities(end_(end_norm_(hidden, execution), execution), possible);
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
    std::size_t last = length - 1;
    while (last > 0 && !real[last]) --last;
    const TensorView pair = joined(mean_of(states, p_start), element(states, last));
    const TensorView logit = answerable_(answerable_dense_(pair, execution, Activation::tanh), execution);
    std::copy_n(static_cast<const char*>(logit.data), element_size(x.dtype),
                static_cast<char*>(answerable.data()) + b * element_size(x.dtype));
  }
  execution.show("cls_logits", answerable.view("cls_logits"));
  return found.view(x.name);
}

}  // namespace attn
