#include <attn/layers/feed_forward.hpp>

#include <attn/layers/norm.hpp>

#include <algorithm>

namespace attn {
namespace {

/// a * b, element by element.
TensorView product(const TensorView& a, const TensorView& b, const Execution& execution) {
  Tensor out(a.dtype, a.shape);
  visit_compute_dtype(a.dtype, [&](auto element) {
    using T = decltype(element);
    constexpr std::size_t block = 16384;
    const T *a_data = a.contiguous_data<T>(), *b_data = b.contiguous_data<T>();
    T* out_data = out.data_as<T>();
    const std::size_t count = out.size();
    execution.parallel((count + block - 1) / block, [&](std::size_t task, std::size_t) {
      for (std::size_t i = task * block; i < std::min(count, (task + 1) * block); ++i)
        out_data[i] = a_data[i] * b_data[i];
    });
  });
  return out.view(a.name);
}

}  // namespace

FeedForward::FeedForward(Activation activation, Linear first, Linear second, std::optional<Linear> gate)
    : activation_(activation), first_(std::move(first)), second_(std::move(second)), gate_(std::move(gate)) {
  if (second_.in_features() != first_.out_features())
    throw shape_error(second_.weight().name, second_.weight().shape,
                      "(..., " + std::to_string(first_.out_features()) + ") = the outputs of " + first_.weight().name);
  if (gate_ && gate_->weight().shape != first_.weight().shape)
    throw shape_error(gate_->weight().name, gate_->weight().shape,
                      to_string(first_.weight().shape) + " = the shape of " + first_.weight().name);
}

FeedForward FeedForward::load(const Weights& weights, std::size_t d_model, const FeedForwardParameters& p,
                              DType compute) {
  const bool is_packed = p.gate == p.first;
  Linear first = Linear::load(weights.scoped(p.first), any_extent, d_model, compute, p.layout);
  std::optional<Linear> gate;
  if (is_packed) {
    const std::size_t hidden = first.out_features() / 2;
    gate = first.outputs(0, hidden);
    first = first.outputs(hidden, hidden);
  }
  Linear second = Linear::load(weights.scoped(p.second), any_extent, first.out_features(), compute, p.layout);
  if (!p.gate.empty() && !is_packed)
    gate = Linear::load(weights.scoped(p.gate), first.out_features(), first.in_features(), compute, p.layout);
  return {p.activation, std::move(first), std::move(second), std::move(gate)};
}

WeightLayout stored_layout(const Weights& weights, const FeedForwardParameters& p, std::size_t width) {
  const Weights first = weights.scoped(p.first), second = weights.scoped(p.second);
  return layout_by_shapes(p.layout, [&](WeightLayout layout) {
    if (!fits(first, layout, any_extent, width)) return false;
    return fits(second, layout, any_extent, first.info("weight")->shape[layout == WeightLayout::out_in ? 0 : 1]);
  });
}

FeedForward FeedForward::load(const Weights& weights, Activation activation, DType compute,
                              std::optional<WeightLayout> layout, std::size_t width) {
  struct Names {
    const char *first, *second, *gate;
    WeightLayout layout = WeightLayout::out_in;
  };
  constexpr Names known[] = {
      {"linear1", "linear2", ""},                    // PyTorch
      {"fc1", "fc2", ""},                            // BART
      {"lin1", "lin2", ""},                          // DistilBERT
      {"intermediate.dense", "output.dense", ""},    // BERT, ViT
      {"c_fc", "c_proj", "", WeightLayout::in_out},  // GPT-2
      {"wi_1", "wo", "wi_0"},                        // T5, gated
      {"wi", "wo", ""},                              // T5
      {"layer_1", "layer_2", ""},                    // XLNet
      {"up_proj", "down_proj", "gate_proj"},         // Llama
  };
  for (const Names& names : known)
    if (weights.scoped(names.first).has("weight")) {
      FeedForwardParameters p{activation, names.layout, names.first, names.second, names.gate};
      p.layout = layout.value_or(stored_layout(weights, p, width));
      return load(weights, any_extent, p, compute);
    }
  const std::string weight = ".weight";
  for (const Names& names : known)
    if (weights.scoped(names.first).other_name("weight") != nullptr)
      throw weights.missing(
          {names.first + weight, names.second + weight, (*names.gate == 0 ? names.first : names.gate) + weight});
  const std::string list = listed_near("", weights.names());
  throw Error(ErrorKind::input, weights.subject(), "has no feed-forward network",
              list.empty() ? "nothing has this name" : "it holds " + list);
}

TensorView FeedForward::operator()(const TensorView& x, const Execution& execution,
                                   std::optional<TensorView>* inner) const {
  TensorView hidden;
  if (!gate_ && inner != nullptr) {
    *inner = inner_of(x, execution);
    hidden = hidden_of(**inner, execution);
  } else {
    hidden = first_(x, execution, gate_ ? Activation::none : activation_);
  }
  if (gate_) {
    execution.show("up", hidden);
    const TensorView gate = (*gate_)(x, execution, activation_);
    execution.show("gate", gate);
    hidden = product(gate, hidden, execution);
  }
  execution.show("hidden", hidden);
  const TensorView output = second_(hidden, execution);
  execution.show("output", output);
  return output;
}

TensorView FeedForward::inner_of(const TensorView& x, const Execution& execution) const {
  return first_(x, execution, activation_ == Activation::relu ? activation_ : Activation::none);
}

TensorView FeedForward::hidden_of(const TensorView& inner, const Execution& execution) const {
  return activation_ == Activation::relu ? inner : activated(inner, activation_, execution);
}

FeedForwardGradients FeedForward::vjp(const TensorView& x, const TensorView& dy, const Execution& execution,
                                      const std::optional<TensorView>& known) const {
  if (!gate_) {
    const TensorView z = known ? *known : inner_of(x, execution);
    LinearGradients second = second_.vjp(hidden_of(z, execution), dy, execution);
    LinearGradients first = first_.vjp(x, second.x, execution, activation_, z);
    return {first.x, first, second, std::nullopt};
  }
  const TensorView up = first_(x, execution), gate = (*gate_)(x, execution, activation_);
  const LinearGradients second = second_.vjp(product(gate, up, execution), dy, execution);
  const LinearGradients first = first_.vjp(x, product(second.x, gate, execution), execution);
  const LinearGradients by_gate = gate_->vjp(x, product(second.x, up, execution), execution, activation_);
  return {add_residual(first.x, by_gate.x, execution), first, second, by_gate};
}

}  // namespace attn
