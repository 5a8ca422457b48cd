#include <attn/transformer/model.hpp>

#include <attn/core/error.hpp>
#include <attn/transformer/checkpoint.hpp>
#include <attn/transformer/stack/pass.hpp>

#include <algorithm>

namespace attn {
namespace {

/// f(x), element by element.
template <class Function>
TensorView mapped(const TensorView& x, Function f) {
  const TensorView from = contiguous(x);
  Tensor out(from.dtype, from.shape);
  visit_compute_dtype(from.dtype, [&](auto element) {
    using T = decltype(element);
    const T* first = from.contiguous_data<T>();
    std::transform(first, first + from.size(), out.data_as<T>(), f);
  });
  return out.view(x.name);
}

}  // namespace

std::optional<Memory> rows_of(const std::optional<Memory>& memory, const std::vector<std::size_t>& rows) {
  if (!memory) return std::nullopt;
  Memory chosen{rows_of(memory->states, rows), std::nullopt};
  if (memory->padding_mask) chosen.padding_mask = rows_of(*memory->padding_mask, rows);
  return chosen;
}

std::optional<Memory> memory_for(const TensorView& decoded, const std::optional<Memory>& memory) {
  if (!memory || memory->states.shape.at(0) == decoded.shape.at(0)) return memory;
  const std::size_t texts = memory->states.shape[0], rows = decoded.shape[0];
  if (texts == 0 || rows % texts != 0)
    throw shape_error(decoded.name, decoded.shape,
                      "a multiple of the " + std::to_string(texts) + " rows of the encoder's output");
  std::vector<std::size_t> text_of(rows);
  for (std::size_t i = 0; i < rows; ++i) text_of[i] = i / (rows / texts);
  return rows_of(memory, text_of);
}

Head::Head(const Weights& weights, const HeadDescription& d, std::size_t width, DType compute) : description_(d) {
  if (!d.dense.empty())
    dense_ = Linear::load(weights.scoped(d.dense), d.dense_outputs == 0 ? width : d.dense_outputs, width, compute);
  if (!d.norm.empty()) norm_ = Norm::load(weights.scoped(d.norm), width, d.norm_parameters, compute);
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
  if (description_.scale != 1) y = mapped(y, [&](auto e) { return e * static_cast<decltype(e)>(description_.scale); });
  if (projection_) y = (*projection_)(y, execution);
  return search_ ? (*search_)(y, x, batch, execution) : y;
}

Model::Model(const ModelDescription& description, Source& source, DType compute)
    : description_(description), compute_(compute_dtype(compute)) {
  const Weights weights = checked_weights(description_, source);
  const auto input = [&](const InputDescription& d) {
    return make_input(weights, d, description_.width, description_.tokens.padding, compute_);
  };
  if (description_.source) source_ = input(*description_.source);
  if (description_.encoder) encoder_ = Stack::load(weights, *description_.encoder, compute);
  if (description_.target) target_ = input(*description_.target);
  if (description_.decoder) decoder_ = Stack::load(weights, *description_.decoder, compute);
  if (description_.head) head_.emplace(weights, *description_.head, description_.width, compute);
}

TensorView Model::encode(const TokenBatch& source, const Execution& execution, bool attention_weights) const {
  StackRun run = StackRun::encoder(*this, execution);
  run.want_attention_weights(attention_weights);
  return run(source);
}

TensorView Model::logits(const TensorView& hidden, const Execution& execution, const TokenBatch& batch) const {
  TensorView y = (*head_)(hidden, execution, batch);
  execution.show(description_.head->result, y);
  return y;
}

}  // namespace attn
