#include <attn/layers/multi_head_attention.hpp>

#include <attn/attention/attend.hpp>
#include <attn/core/reduce.hpp>
#include <attn/core/shape.hpp>
#include <attn/core/tensor.hpp>
#include <attn/layers/multi_head_inputs.hpp>

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

void expect_heads(const Linear& map, std::size_t heads, const char* what) {
  if (heads == 0 || map.out_features() % heads != 0)
    throw Error(ErrorKind::data, map.weight().name,
                "has " + std::to_string(map.out_features()) + " outputs, which " + std::to_string(heads) + " " + what +
                    " heads do not divide");
}

void expect_queries(const TensorView& query, std::size_t heads) {
  if (query.rank() != 4 || query.shape[1] != heads)
    throw shape_error(query.name, query.shape, "(B, " + std::to_string(heads) + ", L, d)");
}

/// bias_k (1, 1, H * d) or (H * d) as (H, d).
void shape_bias_row(std::optional<TensorView>& row, const Linear& map, std::size_t heads) {
  if (!row) return;
  if (row->size() != map.out_features() || row->shape.back() != map.out_features())
    throw shape_error(row->name, row->shape, "(1, 1, " + std::to_string(map.out_features()) + ")");
  row = reshaped(*row, {heads, map.out_features() / heads});
}

/// Scores that are products need heads of one width; the message names the source of the heads.
void expect_one_width(const TensorView& query, const TensorView& key, Score score) {
  if (score == Score::bilinear || score == Score::additive || key.rank() != 4 || key.shape[3] == query.shape[3]) return;
  throw shape_error("k of " + key.name, key.shape, "the width of q of " + query.name + " " + to_string(query.shape),
                    "only the scores bilinear and additive compare different widths");
}

/// A bias (H, L, S) as (1, H, L, S): heads, not batches, if there are H. Other shapes are left to the mask.
TensorView per_head_bias(const TensorView& bias, const Shape& scores) {
  const Shape& n = bias.shape;
  if (n.size() != 3 || n[0] != scores[0] || (n[1] != 1 && n[1] != scores[1]) || n[2] > scores[2]) return bias;
  return broadcast_to(bias, {1, bias.shape[0], bias.shape[1], bias.shape[2]});
}

/// The heads of (B, L, d) or (L, d). The map receives the given tensor, so that its errors name the given shape.
TensorView projected(const Linear& map, const TensorView& x, std::size_t heads, const Execution& execution) {
  expect_sequences(x);
  return split_heads(with_batch(map(x, execution)), heads);
}

/// norm(heads), heads (B, H, L, d), which stay side by side in memory.
TensorView normed_heads(const Norm& norm, const TensorView& heads, const Execution& execution) {
  const TensorView rows = join_heads(heads);
  const Shape apart{heads.shape[0], heads.shape[2], heads.shape[1], heads.shape[3]};
  return split_heads(reshaped(norm(reshaped(rows, apart), execution), rows.shape), heads.shape[1]);
}

/// One batch of x, whose batches are all the same.
TensorView first_batch(const TensorView& x) { return slice(x, {{0, 1, 1, false}}); }

bool is_one_for_all(const TensorView& x) { return x.rank() == 4 && (x.shape[0] == 1 || x.strides[0] == 0); }

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

MultiHeadAttention::MultiHeadAttention(const MultiHeadParameters& parameters, MultiHeadWeights weights)
    : parameters_(parameters), weights_(std::move(weights)) {
  expect_grouping(parameters_);
  if (weights_.key_bias.has_value() != weights_.value_bias.has_value())
    throw Error(ErrorKind::data, (weights_.key_bias ? weights_.key_bias : weights_.value_bias)->name,
                "is given alone: bias_k and bias_v belong together");
  if (!weights_.projection) return;
  const auto& [query, key, value] = *weights_.projection;
  expect_heads(query, parameters_.heads, "query");
  expect_heads(key, key_value_heads(), "key");
  expect_heads(value, key_value_heads(), "value");
  const std::size_t merged = value.out_features() / key_value_heads() * parameters_.heads;
  if (weights_.output && weights_.output->in_features() != merged)
    throw shape_error(weights_.output->weight().name, weights_.output->weight().shape,
                      "(..., " + std::to_string(merged) + ") = heads by the width of a value head");
  shape_bias_row(weights_.key_bias, key, key_value_heads());
  shape_bias_row(weights_.value_bias, value, key_value_heads());
}

std::size_t MultiHeadAttention::key_value_heads() const noexcept { return parameters_.groups(); }

std::size_t MultiHeadAttention::appended_keys() const noexcept {
  return (weights_.key_bias ? 1 : 0) + (parameters_.zero_attention ? 1 : 0);
}

TensorView average_over_heads(const TensorProducer& weights) {
  const std::size_t batch = weights.shape.at(0), heads = weights.shape.at(1);
  const std::size_t count = weights.shape.at(2) * weights.shape.at(3);
  Tensor mean = Tensor::zeros(DType::f64, {batch, weights.shape[2], weights.shape[3]});
  auto* const sums = mean.data_as<double>();
  std::size_t seen = 0;
  weights.produce([&](const void* data, std::size_t bytes) {
    const TensorView rows{data, weights.dtype, {bytes / element_size(weights.dtype)}, {1}, nullptr, {}};
    for (std::size_t first = 0, some; first < rows.shape[0]; first += some) {
      some = std::min(few_elements, rows.shape[0] - first);
      const TensorView wide = cast(elements(rows, first, some), DType::f64);
      const auto* const weight = wide.contiguous_data<double>();
      for (std::size_t i = 0; i < some; ++i, ++seen)
        sums[seen / (heads * count) * count + seen % count] += weight[i] / static_cast<double>(heads);
    }
  });
  return cast(mean.view(), weights.dtype);
}

const ProjectionMaps& MultiHeadAttention::projection() const {
  if (!weights_.projection) throw Error(ErrorKind::defect, "multi-head attention", "has no maps to project with");
  return *weights_.projection;
}

std::optional<RotaryTable> MultiHeadAttention::rotation(const TensorView& heads, const Positions& at) const {
  if (!parameters_.rotary) return std::nullopt;
  if (at.listed) expect_positions(*at.listed, heads.shape[0], heads.shape[2]);
  return rotary_table(heads.shape[2], heads.shape[3], *parameters_.rotary, at, heads.dtype);
}

TensorView MultiHeadAttention::turned(const TensorView& projected_heads, const std::optional<Norm>& norm,
                                      const Positions& at, const Execution& execution) const {
  const TensorView heads = norm ? normed_heads(*norm, projected_heads, execution) : projected_heads;
  const std::optional<RotaryTable> table = rotation(heads, at);
  return table ? rotate(heads, *table, parameters_.rotary->interleaved, execution) : heads;
}

TensorView MultiHeadAttention::project_query(const TensorView& x, const Execution& execution,
                                             const Positions& at) const {
  return turned(projected(projection().query, x, parameters_.heads, execution), weights_.query_norm, at, execution);
}

KeyValue MultiHeadAttention::project_memory(const TensorView& key, const TensorView& value, const Execution& execution,
                                            const Positions& at) const {
  return {turned(projected(projection().key, key, key_value_heads(), execution), weights_.key_norm, at, execution),
          projected(projection().value, value, key_value_heads(), execution)};
}

std::pair<TensorView, KeyValue> MultiHeadAttention::project_self(const TensorView& x, const Execution& execution,
                                                                 const Positions& at) const {
  expect_sequences(x);
  const auto& [query, key, value] = projection();
  const std::vector<TensorView> maps = Linear::together({&query, &key, &value}, x, execution);
  const auto heads = [&](std::size_t i, std::size_t count) { return split_heads(with_batch(maps[i]), count); };
  return {turned(heads(0, parameters_.heads), weights_.query_norm, at, execution),
          {turned(heads(1, key_value_heads()), weights_.key_norm, at, execution), heads(2, key_value_heads())}};
}

MultiHeadAttention::Pooling MultiHeadAttention::pooling_of(const TensorView& query, const KeyValue& memory,
                                                           const MultiHeadMasks& masks, const Execution& execution,
                                                           std::size_t past) const {
  expect_queries(query, parameters_.heads);
  expect_one_width(query, memory.key, parameters_.pooling.score);
  const ScoreWeights& score = weights_.score;
  AttendInputs inputs{query, memory.key, memory.value, masks.mask, masks.padding_mask, masks.valid_lens};
  if (masks.bias) inputs.bias = per_head_bias(*masks.bias, {query.shape[1], query.shape[2], memory.key.shape.at(2)});
  inputs.alibi_slopes = masks.alibi_slopes;
  inputs.sinks = masks.sinks;
  inputs.bilinear = score.bilinear;
  inputs.query_weight = score.query_weight;
  inputs.key_weight = score.key_weight;
  inputs.score_weight = score.score_weight;
  AttendParameters pooling = parameters_.pooling;
  if (!pooling.offset) pooling.offset = static_cast<std::int64_t>(past);
  const double scale = pooling.scale.value_or(1 / std::sqrt(static_cast<double>(query.shape[3])));
  const RelativeWiring wiring{scale, past, parameters_.longest_distance};
  if (weights_.relative) add_relative(inputs, *weights_.relative, wiring, masks.segments, execution);
  if (weights_.distances) add_distances(inputs, *weights_.distances, parameters_.distances, wiring, execution);
  std::vector<KeyValue> unmasked;
  if (weights_.key_bias) unmasked.push_back({*weights_.key_bias, *weights_.value_bias});
  if (parameters_.zero_attention) {
    const auto zeros = [&](const TensorView& x) {
      return Tensor::zeros(query.dtype, {key_value_heads(), x.shape[3]}).view();
    };
    unmasked.push_back({zeros(memory.key), zeros(memory.value)});
  }
  put_unmasked_in_front(inputs, pooling, unmasked);
  return {std::move(inputs), std::move(pooling)};
}

AttendResult MultiHeadAttention::attend_heads(const TensorView& query, const KeyValue& memory,
                                              const MultiHeadMasks& masks, const AttendRequest& request,
                                              const Execution& execution, std::size_t past) const {
  if (request.top > 0 && appended_keys() > 0)
    throw Error(ErrorKind::defect, "multi-head attention", "does not number the largest weights of appended keys");
  auto [inputs, pooling] = pooling_of(query, memory, masks, execution, past);
  // Heads that are side by side in memory are passed packed, so that the pooled heads are side by side and merge()
  // copies nothing.
  const bool is_packed = lie_side_by_side(inputs.query);
  if (is_packed) {
    inputs.query = join_heads(inputs.query);
    pooling.heads = parameters_.heads;
    pooling.kv_heads = key_value_heads();
  }
  // Weights in memory are collected from streamed ones, because appended keys come first in the result of attend().
  AttendRequest streamed = request;
  if (std::exchange(streamed.weights, false)) streamed.stages.push_back(Stage::weights);
  AttendResult pooled = attend(inputs, pooling, streamed, execution);
  if (is_packed) pooled.output = split_heads(pooled.output, parameters_.heads);
  for (TensorProducer& rows : pooled.stages) rows = with_first_last(std::move(rows), appended_keys());
  if (request.weights) {
    pooled.weights = collect(pooled.stages.back());
    pooled.stages.pop_back();
  }
  return pooled;
}

TensorView MultiHeadAttention::merge(const TensorView& heads, const Execution& execution) const {
  const std::size_t rank = heads.rank();
  if ((rank != 3 && rank != 4) || heads.shape[rank - 3] != parameters_.heads)
    throw shape_error(heads.name, heads.shape, "(B, " + std::to_string(parameters_.heads) + ", L, d_v), or without B");
  if (weights_.output && weights_.output->in_features() != parameters_.heads * heads.shape.back())
    throw shape_error(heads.name, heads.shape,
                      "(B, H, L, d_v) with H * d_v = " + std::to_string(weights_.output->in_features()) +
                          ", the inputs of " + weights_.output->weight().name);
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
  AttendResult pooled = attend_heads(heads_q, memory, masks, wanted, execution.without_progress(), past);
  if (pooled.weights) execution.show("weights", *pooled.weights);
  execution.show("heads", pooled.output);
  TensorView output = merge(pooled.output, execution);
  if (query.rank() == 2 && heads_q.shape[0] == output.shape[0]) {
    output = element(output, 0);
    if (pooled.weights) pooled.weights = element(*pooled.weights, 0);
  }
  execution.show("output", output);
  MultiHeadResult result{output, request.weights ? pooled.weights : std::nullopt, pooled.empty_rows};
  if (pooled.lse) result.forward = MultiHeadForward{heads_q, pooled.output, *pooled.lse, memory};
  return result;
}

MultiHeadResult MultiHeadAttention::operator()(const TensorView& x, const MultiHeadMasks& masks, KeyValueCache* cache,
                                               const AttendRequest& request, const Execution& execution,
                                               const std::optional<TensorView>& positions) const {
  const std::size_t past = cache != nullptr ? cache->length() : 0;
  const Positions at{static_cast<std::int64_t>(past), positions};
  const auto [query, of_x] = project_self(x, execution, at);
  KeyValue memory = of_x;
  if (cache != nullptr) {
    cache->append(memory);
    memory = cache->view();
  }
  return finish(x, query, memory, masks, request, execution, past);
}

/// Do all batches have the same memory and masks and one query each, like the beams of one search?
bool MultiHeadAttention::shares_memory(const TensorView& query, const KeyValue& memory, const MultiHeadMasks& masks,
                                       const AttendRequest& request) const {
  const AttendParameters& pooling = parameters_.pooling;
  const bool depends_on_places = pooling.causal || pooling.causal_bottom_right || pooling.window || pooling.alibi ||
                                 masks.mask || masks.valid_lens || masks.bias || masks.alibi_slopes || masks.segments ||
                                 weights_.relative || weights_.distances || parameters_.rotary;
  return query.rank() == 3 && query.shape[0] > 1 && query.shape[1] == 1 && is_one_for_all(memory.key) &&
         is_one_for_all(memory.value) && !depends_on_places && !request.weights &&
         (!masks.padding_mask || masks.padding_mask->strides[0] == 0);
}

MultiHeadResult MultiHeadAttention::operator()(const TensorView& query, const KeyValue& memory,
                                               const MultiHeadMasks& masks, const AttendRequest& request,
                                               const Execution& execution, std::size_t past) const {
  // Then they become the queries of one batch, with the same bits: keys and values are read once for all.
  if (!execution.trace && shares_memory(query, memory, masks, request)) {
    MultiHeadMasks shared = masks;
    if (masks.padding_mask) shared.padding_mask = first_batch(*masks.padding_mask);
    const TensorView rows = reshaped(query, {1, query.shape[0], query.shape[2]});
    const KeyValue one{first_batch(memory.key), first_batch(memory.value)};
    MultiHeadResult result = finish(rows, project_query(rows, execution), one, shared, request, execution, past);
    result.output = reshaped(result.output, {query.shape[0], 1, result.output.shape[2]});
    return result;
  }
  return finish(query, project_query(query, execution), memory, masks, request, execution, past);
}

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
