#include <attn/layers/multi_head_attention.hpp>

#include <limits>

namespace attn {
namespace {

/// x (B, L, d), or (L, d) as a batch of one.
TensorView with_batch(const TensorView& x) {
  if (x.rank() == 3) return x;
  if (x.rank() != 2) throw shape_error(x.name, x.shape, "(B, L, d) or (L, d)");
  TensorView batch = x;
  batch.shape.insert(batch.shape.begin(), 1);
  batch.strides.insert(batch.strides.begin(), static_cast<std::ptrdiff_t>(x.size()));
  return batch;
}

/// x (B, L, H * width) as its heads (B, H, L, width).
TensorView split_heads(const TensorView& x, std::size_t heads) {
  const std::size_t width = x.shape[2] / heads;
  TensorView split = x;
  split.shape = {x.shape[0], heads, x.shape[1], width};
  split.strides = {x.strides[0], static_cast<std::ptrdiff_t>(width) * x.strides[2], x.strides[1], x.strides[2]};
  return split;
}

/// The inverse of split_heads where heads lie side by side in memory, a copy otherwise.
TensorView join_heads(const TensorView& heads) {
  const std::size_t batch = heads.shape[0], count = heads.shape[1], length = heads.shape[2], width = heads.shape[3];
  return reshaped(transposed(heads, {0, 2, 1, 3}), {batch, length, count * width});
}

bool lie_side_by_side(const TensorView& heads) {
  return heads.rank() == 4 && heads.strides[3] == 1 && heads.strides[1] == static_cast<std::ptrdiff_t>(heads.shape[3]);
}

/// A padding mask (B, S) as something to add to the scores: 0, or -inf where a key takes no part.
TensorView padding_as_bias(const TensorView& padding, bool inverted) {
  const TensorView flags = cast(padding, DType::f64);
  Tensor bias(DType::f32, {padding.shape[0], 1, 1, padding.shape[1]});
  const double* flag = flags.contiguous_data<double>();
  for (std::size_t i = 0; i < bias.size(); ++i)
    bias.data_as<float>()[i] = (flag[i] != 0) != inverted ? 0.0f : -std::numeric_limits<float>::infinity();
  return bias.view(padding.name);
}

void expect_heads(const Linear& map, std::size_t heads, const char* what) {
  if (heads == 0 || map.out_features() % heads != 0)
    throw Error(ErrorKind::data, map.weight().name,
                "has " + std::to_string(map.out_features()) + " outputs, which " + std::to_string(heads) + " " + what +
                    " heads do not divide");
}

}  // namespace

MultiHeadAttention::MultiHeadAttention(const MultiHeadParameters& parameters, MultiHeadWeights weights)
    : parameters_(parameters), weights_(std::move(weights)) {
  if (parameters_.heads == 0) throw Error(ErrorKind::usage, "heads", "is 0, expected at least 1");
  if (parameters_.heads % key_value_heads() != 0)
    throw Error(ErrorKind::usage, "heads",
                std::to_string(parameters_.heads) + " is not a multiple of the " + std::to_string(key_value_heads()) +
                    " key-value heads");
  expect_heads(weights_.query, parameters_.heads, "query");
  expect_heads(weights_.key, key_value_heads(), "key");
  expect_heads(weights_.value, key_value_heads(), "value");
  const std::size_t merged = weights_.value.out_features() / key_value_heads() * parameters_.heads;
  if (weights_.output && weights_.output->in_features() != merged)
    throw shape_error(weights_.output->weight().name, weights_.output->weight().shape,
                      "(..., " + std::to_string(merged) + ") = heads by the width of a value head");
}

std::size_t MultiHeadAttention::key_value_heads() const noexcept {
  return parameters_.key_value_heads == 0 ? parameters_.heads : parameters_.key_value_heads;
}

MultiHeadAttention MultiHeadAttention::load(const Weights& weights, const MultiHeadParameters& parameters,
                                            DType compute) {
  std::optional<Linear> output;
  if (weights.has("out_proj.weight"))
    output = Linear::load(weights.scoped("out_proj"), any_extent, any_extent, compute);
  if (weights.has("q_proj.weight")) {
    const auto map = [&](const char* name) {
      return Linear::load(weights.scoped(name), any_extent, any_extent, compute);
    };
    return {parameters, {map("q_proj"), map("k_proj"), map("v_proj"), std::move(output)}};
  }
  if (weights.has("q_proj_weight")) {
    const TensorView query = weights.get("q_proj_weight", {any_extent, any_extent}, "embed_dim by embed_dim");
    const TensorView key = weights.get("k_proj_weight", {any_extent, any_extent}, "embed_dim by kdim");
    const TensorView value = weights.get("v_proj_weight", {any_extent, any_extent}, "embed_dim by vdim");
    const std::size_t width = query.shape[0] + key.shape[0] + value.shape[0];
    const auto bias = weights.find("in_proj_bias", {width}, "the outputs of q, k and v");
    std::int64_t first = 0;
    const auto map = [&](const TensorView& weight) -> Linear {
      const std::int64_t last = first + static_cast<std::int64_t>(weight.shape[0]);
      std::optional<TensorView> part;
      if (bias) part = slice(*bias, {AxisSlab{first, last, 1, false}});
      first = last;
      return {weight, part, compute};
    };
    Linear q = map(query), k = map(key), v = map(value);
    return {parameters, {std::move(q), std::move(k), std::move(v), std::move(output)}};
  }
  const std::string fix = "is this a checkpoint with separate q, k, v? then they are named q_proj_weight ...";
  const TensorInfo* stored = weights.info("in_proj_weight");
  const std::size_t width = stored != nullptr && stored->shape.size() == 2 ? stored->shape[1] : any_extent;
  const TensorView weight = weights.get("in_proj_weight", {width == any_extent ? any_extent : 3 * width, width},
                                        "3 x embed_dim by embed_dim", fix);
  const Linear projection(weight, weights.find("in_proj_bias", {3 * width}, "3 x embed_dim"), compute);
  return {parameters,
          {projection.outputs(0, width), projection.outputs(width, width), projection.outputs(2 * width, width),
           std::move(output)}};
}

TensorView MultiHeadAttention::project_query(const TensorView& x, const Execution& execution) const {
  return split_heads(weights_.query(with_batch(x), execution), parameters_.heads);
}

KeyValue MultiHeadAttention::project_memory(const TensorView& key, const TensorView& value,
                                            const Execution& execution) const {
  return {split_heads(weights_.key(with_batch(key), execution), key_value_heads()),
          split_heads(weights_.value(with_batch(value), execution), key_value_heads())};
}

AttendResult MultiHeadAttention::attend_heads(const TensorView& query, const KeyValue& memory,
                                              const MultiHeadMasks& masks, const AttendRequest& request,
                                              const Execution& execution, std::size_t past) const {
  AttendInputs inputs{query, memory.key, memory.value, masks.mask, masks.valid_lens, {}, {}, {}, {}, {},
                      {},    {},         {},           {}};
  AttendParameters pooling = parameters_.pooling;
  if (!pooling.offset) pooling.offset = static_cast<std::int64_t>(past);
  // Heads that lie side by side go in packed, so that the pooled ones come out side by side too and merge() copies
  // nothing.
  const bool packed = lie_side_by_side(query);
  if (packed) {
    inputs.query = join_heads(query);
    pooling.heads = query.shape[1];
    pooling.kv_heads = memory.key.shape[1];
  }
  if (masks.padding_mask) {
    const Shape wanted{query.shape[0], memory.key.shape[2]};
    if (masks.padding_mask->shape != wanted)
      throw shape_error(masks.padding_mask->name, masks.padding_mask->shape, to_string(wanted) + " = (B, S)");
    inputs.bias = padding_as_bias(*masks.padding_mask, pooling.mask_invert);
  }
  AttendResult result = attend(inputs, pooling, request, execution);
  if (packed) result.output = split_heads(result.output, parameters_.heads);
  return result;
}

TensorView MultiHeadAttention::merge(const TensorView& heads, const Execution& execution) const {
  if (heads.rank() != 4 || heads.shape[1] != parameters_.heads)
    throw shape_error(heads.name, heads.shape, "(B, " + std::to_string(parameters_.heads) + ", L, d_v)");
  const TensorView merged = join_heads(heads);
  return weights_.output ? (*weights_.output)(merged, execution) : merged;
}

MultiHeadResult MultiHeadAttention::finish(const TensorView& query, const TensorView& heads_q, const KeyValue& memory,
                                           const MultiHeadMasks& masks, const AttendRequest& request,
                                           const Execution& execution, std::size_t past) const {
  execution.show("q", heads_q);
  execution.show("k", memory.key);
  execution.show("v", memory.value);
  AttendRequest wanted = request;
  wanted.weights = request.weights || static_cast<bool>(execution.trace);
  const AttendResult pooled = attend_heads(heads_q, memory, masks, wanted, execution, past);
  if (pooled.weights) execution.show("weights", *pooled.weights);
  execution.show("heads", pooled.output);
  TensorView output = merge(pooled.output, execution);
  if (query.rank() == 2) output = element(output, 0);
  execution.show("output", output);
  return {output, request.weights ? pooled.weights : std::nullopt, pooled.empty_rows};
}

MultiHeadResult MultiHeadAttention::operator()(const TensorView& x, const MultiHeadMasks& masks, KeyValueCache* cache,
                                               const AttendRequest& request, const Execution& execution) const {
  const TensorView query = project_query(x, execution);
  KeyValue memory = project_memory(x, x, execution);
  std::size_t past = 0;
  if (cache != nullptr) {
    past = cache->length();
    cache->append(memory);
    memory = cache->view();
  }
  return finish(x, query, memory, masks, request, execution, past);
}

MultiHeadResult MultiHeadAttention::operator()(const TensorView& query, const KeyValue& memory,
                                               const MultiHeadMasks& masks, const AttendRequest& request,
                                               const Execution& execution) const {
  return finish(query, project_query(query, execution), memory, masks, request, execution, 0);
}

}  // namespace attn
