#include "mha/all_gradients.hpp"

#include <algorithm>
#include <cstring>

namespace mha {
namespace {

using attn::TensorView;

/// a above b; with `by_columns` beside it.
TensorView joined(const TensorView& a, const TensorView& b, bool by_columns) {
  const auto turned = [&](const TensorView& x) {
    return attn::contiguous(by_columns ? attn::transposed(x, {1, 0}) : x);
  };
  const TensorView first = turned(a), second = turned(b);
  attn::Shape shape = first.shape;
  shape[0] += second.shape[0];
  attn::Tensor out(a.dtype, shape);
  std::memcpy(out.data(), first.data, first.bytes());
  std::memcpy(static_cast<char*>(out.data()) + first.bytes(), second.data, second.bytes());
  return turned(out.view(a.name));
}

}  // namespace

void AllGradients::add(const std::string& name, const TensorView& value) {
  if (cli::Gradient* known = find(name))
    known->value = attn::add_residual(known->value, value);
  else
    all.push_back({name, value});
}

void AllGradients::add(const attn::Linear& map, const attn::LinearGradients& d) {
  join(cli::by_parameter(map.weight(), "weight", d.weight), map.layout() == attn::WeightLayout::in_out);
  if (d.bias) join(cli::by_parameter(*map.bias(), "bias", *d.bias), false);
}

void AllGradients::add(const std::optional<attn::Norm>& norm, const std::optional<attn::NormGradients>& d) {
  if (!norm || !d) return;
  if (d->weight) all.push_back(cli::by_parameter(*norm->weight(), "weight", *d->weight));
  if (d->bias) all.push_back(cli::by_parameter(*norm->bias(), "bias", *d->bias));
}

cli::Gradient* AllGradients::find(const std::string& name) {
  const auto known = std::find_if(all.begin(), all.end(), [&](const auto& gradient) { return gradient.name == name; });
  return known == all.end() ? nullptr : &*known;
}

void AllGradients::join(const cli::Gradient& part, bool by_columns) {
  if (cli::Gradient* known = find(part.name))
    known->value = joined(known->value, part.value, by_columns);
  else
    all.push_back(part);
}

}  // namespace mha
