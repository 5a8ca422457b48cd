#include <attn/transformer/stack/head.hpp>

#include <attn/core/constants.hpp>
#include <attn/core/error.hpp>
#include <attn/core/shape.hpp>
#include <attn/transformer/decoding/next_token.hpp>
#include <attn/transformer/predictions.hpp>
#include <attn/transformer/text_vectors.hpp>

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

using Tokens = std::vector<std::int64_t>;

/// The last token of row b that is real, by its id where the model has a padding token.
std::size_t last_real(const SpecialTokens& tokens, const TokenBatch& source, std::size_t b) {
  const Tokens ids = to_integers(element(source.ids, b));
  const Tokens mask = source.padding_mask ? to_integers(element(*source.padding_mask, b)) : Tokens(ids.size(), 1);
  for (std::size_t i = ids.size(); i-- > 0;)
    if (tokens.padding ? ids[i] != *tokens.padding : mask[i] != 0) return i;
  return ids.empty() ? 0 : ids.size() - 1;
}

/// The token of each row that the head reads, where it reads one.
std::vector<std::size_t> token_of_head(const Model& model, const TensorView& states, const TokenBatch& source) {
  const HeadDescription& head = *model.description().head;
  std::vector<std::size_t> at(states.shape[0], 0);
  if (head.over == HeadDescription::Over::last_token)
    for (std::size_t b = 0; b < at.size(); ++b) at[b] = last_real(model.description().tokens, source, b);
  if (head.over == HeadDescription::Over::last_end_token)
    for (std::size_t b = 0; b < at.size(); ++b) {
      const Tokens ids = to_integers(element(source.ids, b));
      const auto& end = model.description().tokens.end;
      const auto last = std::find_first_of(ids.rbegin(), ids.rend(), end.begin(), end.end());
      if (last == ids.rend())
        throw Error(ErrorKind::data, source.ids.name,
                    "row " + std::to_string(b) + " has no end token to read the class from");
      at[b] = static_cast<std::size_t>(ids.rend() - last) - 1;
    }
  if (head.over == HeadDescription::Over::first_end_token || head.over == HeadDescription::Over::largest_token)
    for (std::size_t b = 0; b < at.size(); ++b) {
      const Tokens ids = to_integers(element(source.ids, b));
      const auto& end = model.description().tokens.end;
      const auto found = head.over == HeadDescription::Over::largest_token
                             ? std::max_element(ids.begin(), ids.end())
                             : std::find_first_of(ids.begin(), ids.end(), end.begin(), end.end());
      if (found == ids.end())
        throw Error(ErrorKind::data, source.ids.name,
                    "row " + std::to_string(b) + " has no end token to read the vector from");
      at[b] = static_cast<std::size_t>(found - ids.begin());
    }
  return at;
}

/// The gradient by states (B, L, width) for dy, that by the mean of the tokens that the mask leaves: a share for each.
TensorView mean_vjp(const TensorView& states, const std::optional<TensorView>& padding_mask, const TensorView& dy) {
  const std::size_t batch = states.shape[0], length = states.shape[1], width = states.shape[2];
  Tensor d = Tensor::zeros(dy.dtype, states.shape);
  for (std::size_t b = 0; b < batch; ++b) {
    const Tokens mask = padding_mask ? to_integers(element(*padding_mask, b)) : Tokens(length, 1);
    const auto tokens = static_cast<double>(length - static_cast<std::size_t>(std::count(mask.begin(), mask.end(), 0)));
    visit_compute_dtype(dy.dtype, [&](auto of_type) {
      using T = decltype(of_type);
      const T* const from = dy.contiguous_data<T>() + b * width;
      for (std::size_t i = 0; i < length; ++i)
        for (std::size_t j = 0; j < width && mask[i] != 0; ++j)
          d.data_as<T>()[(b * length + i) * width + j] = static_cast<T>(from[j] / tokens);
    });
  }
  return d.view(states.name);
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

Head::Head(const Weights& weights, const HeadDescription& d, std::size_t width, DType compute) : description_(d) {
  const std::size_t dense = d.dense_outputs == 0 ? width : d.dense_outputs;
  if (!d.dense.empty()) dense_ = Linear::load(weights.scoped(d.dense), dense, width, compute);
  if (!d.norm.empty()) norm_ = Norm::load(weights.scoped(d.norm), dense, d.norm_parameters, compute);
  if (d.projection.empty()) return;
  std::optional<TensorView> bias;
  if (!d.projection_bias.empty()) bias = reshaped(weights.get(d.projection_bias), {d.outputs});
  projection_.emplace(weights.get(d.projection), bias, compute);
  if (d.search) search_.emplace(weights, *d.search, width, compute);
}

TensorView Head::operator()(const TensorView& x, const Execution& execution, const TokenBatch& batch) const {
  TensorView y = dense_ ? (*dense_)(x, execution, description_.activation) : x;
  if (!dense_ && description_.activation != Activation::none)
    y = mapped(y, [&](auto e) { return static_cast<decltype(e)>(activate(description_.activation, e)); });
  const bool ends_here = !projection_ && !norm_;  // then this is the result, which has a name of its own
  if (dense_ && !ends_here) execution.show("head/dense", y);
  if (norm_) y = (*norm_)(y, execution);
  if (norm_) execution.show("head/norm", y);
  if (description_.scale != 1) y = scaled(y, description_.scale);
  if (projection_) y = (*projection_)(y, execution);
  return search_ ? (*search_)(y, x, batch, execution) : y;
}

TensorView Head::vjp(const TensorView& x, const TensorView& dy, ParameterGradients& parameters,
                     const Execution& execution) const {
  if (search_ || (!dense_ && description_.activation != Activation::none))
    throw Error(ErrorKind::usage, "gradients", "of this head are not computed");
  const auto at_scale = [&](const TensorView& z) {
    return description_.scale == 1 ? z : scaled(z, description_.scale);
  };
  const TensorView dense = dense_ ? (*dense_)(x, execution, description_.activation) : x;
  TensorView d = dy;
  if (projection_) {
    const LinearGradients of_map = projection_->vjp(at_scale(norm_ ? (*norm_)(dense, execution) : dense), d, execution);
    parameters.add(*projection_, of_map);
    d = of_map.x;
  }
  d = at_scale(d);
  if (norm_) {
    const NormGradients of_norm = norm_->vjp(dense, d, execution);
    parameters.add(*norm_, of_norm);
    d = of_norm.x;
  }
  if (!dense_) return d;
  const LinearGradients of_dense = dense_->vjp(x, d, execution, description_.activation);
  parameters.add(*dense_, of_dense);
  return of_dense.x;
}

TensorView seen_by_head(const Model& model, const TensorView& states, const TokenBatch& source) {
  const HeadDescription& head = *model.description().head;
  if (head.over == HeadDescription::Over::every_token) return states;
  if (head.over == HeadDescription::Over::mean) return pool(states, source.padding_mask, Pooling::mean);
  const std::vector<std::size_t> at = token_of_head(model, states, source);
  Tensor seen(states.dtype, {states.shape[0], states.shape[2]});
  auto* to = static_cast<char*>(seen.data());
  for (std::size_t b = 0; b < at.size(); ++b) {
    const TensorView vector = contiguous(element(element(states, b), at[b]));
    to = std::copy_n(static_cast<const char*>(vector.data), vector.bytes(), to);
  }
  return seen.view(states.name);
}

TensorView seen_by_head_vjp(const Model& model, const TensorView& states, const TokenBatch& source,
                            const TensorView& dy) {
  const HeadDescription& head = *model.description().head;
  if (head.over == HeadDescription::Over::every_token) return dy;
  if (head.over == HeadDescription::Over::mean) return mean_vjp(states, source.padding_mask, dy);
  const std::vector<std::size_t> at = token_of_head(model, states, source);
  Tensor d = Tensor::zeros(dy.dtype, states.shape);
  const std::size_t bytes = states.shape[2] * element_size(dy.dtype);
  const TensorView rows = contiguous(dy);
  for (std::size_t b = 0; b < at.size(); ++b)
    std::copy_n(static_cast<const char*>(rows.data) + b * bytes, bytes,
                static_cast<char*>(d.data()) + (b * states.shape[1] + at[b]) * bytes);
  return d.view(states.name);
}

}  // namespace attn
