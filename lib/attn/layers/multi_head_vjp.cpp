#include <attn/layers/multi_head_attention.hpp>

#include <attn/core/reduce.hpp>
#include <attn/core/shape.hpp>
#include <attn/layers/multi_head_inputs.hpp>

namespace attn {
namespace {

/// Keys [first, last) of x (B, H_kv, S, d).
TensorView keys_between(const TensorView& x, std::size_t first, std::size_t last) {
  return slice(x, {{}, {}, {static_cast<std::int64_t>(first), static_cast<std::int64_t>(last)}});
}

/// The gradient by a row (H_kv, d) that is key `at` of all batches.
TensorView by_row(const TensorView& dkey, std::size_t at) {
  const TensorView row = contiguous(keys_between(dkey, at, at + 1));
  const Shape& n = row.shape;
  return reshaped(sum_to(reshaped(row, {n[0], n[1], n[3]}), {1, n[1], n[3]}), {n[1], n[3]});
}

}  // namespace

ProjectionGradients MultiHeadAttention::project_vjp(const TensorView& query, const TensorView& key,
                                                    const TensorView& value, const TensorView& dquery,
                                                    const KeyValue& dmemory, const Execution& execution,
                                                    const Positions& at) const {
  const ProjectionMaps& maps = projection();
  ProjectionGradients out;
  // Back through rotation and norm, to the heads that the map makes.
  const auto turned_back = [&](const Linear& map, const TensorView& x, const std::optional<Norm>& norm,
                               const TensorView& dheads, std::optional<NormGradients>& of_norm) {
    const std::optional<RotaryTable> table = rotation(dheads, at);
    const TensorView d = table ? rotate_vjp(dheads, *table, parameters_.rotary->interleaved, execution) : dheads;
    if (!norm) return d;
    const TensorView heads = split_heads(map(with_batch(x), execution), d.shape[1]);
    of_norm = norm->vjp(contiguous(heads), contiguous(d), execution);
    return of_norm->x;
  };
  const auto by_map = [&](const Linear& map, const TensorView& x, const TensorView& dheads) {
    LinearGradients d = map.vjp(with_batch(x), join_heads(dheads), execution);
    d.x = reshaped(d.x, x.shape);
    return d;
  };
  out.query = by_map(maps.query, query, turned_back(maps.query, query, weights_.query_norm, dquery, out.query_norm));
  out.key = by_map(maps.key, key, turned_back(maps.key, key, weights_.key_norm, dmemory.key, out.key_norm));
  out.value = by_map(maps.value, value, dmemory.value);
  return out;
}

HeadGradients MultiHeadAttention::attend_heads_vjp(const TensorView& query, const KeyValue& memory,
                                                   const MultiHeadMasks& masks, const AttendCotangents& dy,
                                                   const Execution& execution, std::size_t past,
                                                   const std::optional<AttendForward>& forward) const {
  const std::size_t appended = appended_keys();
  if (weights_.relative || weights_.distances)
    throw Error(ErrorKind::usage, "vjp", "has no gradient by relative positions that depend on the queries");
  const bool are_boolean = parameters_.pooling.mask_type == MaskType::boolean;
  const auto is_float = [&](const std::optional<TensorView>& x) { return x && is_floating(x->dtype) && !are_boolean; };
  if (appended > 0 && (masks.bias || is_float(masks.mask) || is_float(masks.padding_mask) || dy.weights))
    throw Error(ErrorKind::usage, "vjp",
                "has no gradient by weights, biases and masks of floats beside bias_k or zero attention");
  const auto [inputs, pooling] = pooling_of(query, memory, masks, execution, past);
  AttendGradients d = attend_vjp(inputs, pooling, dy, execution, forward);
  HeadGradients out;
  out.query = d.inputs.query;
  const std::size_t keys = inputs.key.shape[2];
  out.memory = {keys_between(d.inputs.key, appended, keys), keys_between(d.inputs.value, appended, keys)};
  if (weights_.key_bias) {
    out.key_bias = by_row(d.inputs.key, 0);
    out.value_bias = by_row(d.inputs.value, 0);
  }
  out.mask = d.inputs.mask;
  out.padding_mask = d.inputs.padding;
  if (masks.bias) out.bias = reshaped(*d.inputs.bias, masks.bias->shape);
  out.sinks = d.inputs.sinks;
  out.bandwidth = d.bandwidth;
  out.score = {d.inputs.bilinear, d.inputs.query_weight, d.inputs.key_weight, d.inputs.score_weight};
  return out;
}

MergeGradients MultiHeadAttention::merge_vjp(const TensorView& heads, const TensorView& dy,
                                             const Execution& execution) const {
  if (!weights_.output)
    return {split_heads(with_batch(cast(dy, compute_dtype(dy.dtype))), parameters_.heads), std::nullopt};
  LinearGradients d = weights_.output->vjp(join_heads(heads), dy, execution);
  const TensorView dheads = split_heads(with_batch(d.x), parameters_.heads);
  return {heads.rank() == 3 ? element(dheads, 0) : dheads, std::move(d)};
}

}  // namespace attn
