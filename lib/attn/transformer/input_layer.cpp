#include <attn/transformer/input_layer.hpp>

#include <attn/core/error.hpp>
#include <attn/layers/positional_encoding.hpp>

namespace attn {
namespace {

/// RoBERTa's positions: tokens other than `skip` count on from it, `skip` itself stands at its own number.
TensorView counted_positions(const TensorView& ids, std::int64_t skip) {
  const std::vector<std::int64_t> all = to_integers(ids);
  const std::size_t length = ids.shape[1];
  Tensor positions(DType::i64, ids.shape);
  auto* position = positions.data_as<std::int64_t>();
  std::int64_t counted = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i % length == 0) counted = 0;
    position[i] = all[i] == skip ? skip : skip + ++counted;
  }
  return positions.view("positions");
}

}  // namespace

InputLayer::InputLayer(const InputDescription& description, Embedding table, DType compute)
    : description_(description), compute_(compute), table_(std::move(table)) {}

InputLayer InputLayer::load(const Weights& weights, const InputDescription& d, DType compute) {
  InputLayer layer(d, Embedding(weights.get(d.tensor + ".weight"), compute, d.scale), compute);
  if (d.positions == PositionKind::learned) layer.positions_ = weights.get(d.learned.tensor + ".weight");
  if (d.types) layer.types_ = Embedding(weights.get(d.types->tensor + ".weight"), compute);
  if (d.norm) layer.norm_ = Norm::load(weights.scoped(d.norm->tensor), layer.table_.width(), d.norm->norm, compute);
  return layer;
}

TensorView InputLayer::operator()(const TensorView& ids, const std::optional<TensorView>& type_ids, std::size_t past,
                                  const Execution& execution) const {
  TensorView x = table_(ids, execution);
  execution.show("embedding", x);
  if (types_) {
    const TensorView types = type_ids ? *type_ids : Tensor::zeros(DType::i64, ids.shape).view("token types");
    if (types.shape != ids.shape) throw shape_error(types.name, types.shape, to_string(ids.shape) + " as the ids");
    x = add_residual(x, (*types_)(types, execution), execution);
  } else if (type_ids) {
    throw Error(ErrorKind::data, type_ids->name, "this model has no token types");
  }
  if (description_.positions == PositionKind::sinusoidal) {
    SinusoidalEncoding encoding;
    encoding.offset = static_cast<std::int64_t>(past);
    const Tensor positions = sinusoidal_table(ids.shape[1], table_.width(), encoding, compute_);
    x = add_positions(x, positions.view("positions"), execution);
  } else if (positions_ && description_.positions_skip) {
    x = add_positions(x, *positions_, counted_positions(ids, *description_.positions_skip), execution);
  } else if (positions_) {
    x = add_positions(x, *positions_, execution, past);
  }
  if (norm_) x = (*norm_)(x, execution);
  execution.show("input", x);
  return x;
}

}  // namespace attn
