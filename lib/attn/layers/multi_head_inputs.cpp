#include <attn/layers/multi_head_inputs.hpp>

#include <attn/attention/problem.hpp>
#include <attn/layers/norm.hpp>
#include <attn/layers/positional_encoding.hpp>
#include <attn/layers/relative_positions.hpp>

#include <algorithm>
#include <limits>
#include <vector>

namespace attn {

void expect_grouping(const MultiHeadParameters& p) {
  if (p.heads == 0) throw Error(ErrorKind::usage, "heads", "is 0, expected at least 1");
  if (p.key_value_heads != 0 && p.heads % p.key_value_heads != 0)
    throw Error(ErrorKind::usage, "heads",
                std::to_string(p.heads) + " is not a multiple of the " + std::to_string(p.key_value_heads) +
                    " key-value heads");
}

void expect_sequences(const TensorView& x) {
  if (x.rank() != 2 && x.rank() != 3) throw shape_error(x.name, x.shape, "(B, L, d) or (L, d)");
}

TensorView with_batch(const TensorView& x) {
  expect_sequences(x);
  if (x.rank() == 3) return x;
  TensorView batch = x;
  batch.shape.insert(batch.shape.begin(), 1);
  batch.strides.insert(batch.strides.begin(), static_cast<std::ptrdiff_t>(x.size()));
  return batch;
}

TensorView split_heads(const TensorView& x, std::size_t heads) {
  const std::size_t width = x.shape[2] / heads;
  TensorView split = x;
  split.shape = {x.shape[0], heads, x.shape[1], width};
  split.strides = {x.strides[0], static_cast<std::ptrdiff_t>(width) * x.strides[2], x.strides[1], x.strides[2]};
  return split;
}

TensorView join_heads(const TensorView& heads) {
  const std::size_t batch = heads.shape[0], count = heads.shape[1], length = heads.shape[2], width = heads.shape[3];
  return reshaped(transposed(heads, {0, 2, 1, 3}), {batch, length, count * width});
}

bool lie_side_by_side(const TensorView& heads) {
  return heads.rank() == 4 && transposed(heads, {0, 2, 1, 3}).is_contiguous();
}

TensorView sum_of_biases(const TensorView& a, const TensorView& b) {
  const Shape shape = broadcast_shapes(a.shape, b.shape);
  return add_residual(broadcast_to(a, shape), broadcast_to(b, shape));
}

void add_padding(AttendInputs& inputs, AttendParameters& parameters, const TensorView& padding, std::size_t batch,
                 std::size_t keys) {
  const Shape wanted{batch, keys};
  if (padding.shape != wanted && (batch != 1 || padding.shape != Shape{keys}))
    throw shape_error(padding.name, padding.shape, to_string(wanted) + " = (B, S)");
  const Shape spread{batch, 1, 1, keys};
  const bool inverts = parameters.mask_invert && !inputs.mask;
  if (!is_boolean_mask(padding, parameters.mask_type, inverts)) {
    const TensorView added = reshaped(padding, spread);
    inputs.bias = inputs.bias ? sum_of_biases(*inputs.bias, added) : added;
    return;
  }
  if (!inputs.mask) {
    inputs.mask = reshaped(padding, spread);
    parameters.mask_type = MaskType::boolean;
    return;
  }
  const TensorView flags = cast(padding, DType::f64);
  Tensor bias(DType::f32, spread);
  const double* flag = flags.contiguous_data<double>();
  for (std::size_t i = 0; i < bias.size(); ++i)
    bias.data_as<float>()[i] =
        (flag[i] != 0) != parameters.mask_invert ? 0.0f : -std::numeric_limits<float>::infinity();
  // What is inverted is the padding mask alone where the other one is added to the scores.
  if (!is_boolean_mask(*inputs.mask, parameters.mask_type, false)) parameters.mask_invert = false;
  const TensorView added = bias.view(padding.name);
  inputs.bias = inputs.bias ? sum_of_biases(*inputs.bias, added) : added;
}

namespace {

/// x (B, H, S, d) and one more row (H, d) for every batch.
TensorView with_row(const TensorView& x, const TensorView& row, const Shape& row_shape) {
  if (row.shape != row_shape) throw shape_error(row.name, row.shape, to_string(row_shape));
  const std::size_t batch = x.shape[0], heads = x.shape[1], length = x.shape[2], width = x.shape[3];
  Tensor longer(x.dtype, {batch, heads, length + 1, width});
  const TensorView last = cast(row, x.dtype);
  visit_compute_dtype(x.dtype, [&](auto element) {
    using T = decltype(element);
    const auto from = x.as<T, 4>();
    const auto extra = last.as<T, 2>();
    const auto to = longer.as<T, 4>();
    for (std::size_t b = 0; b < batch; ++b)
      for (std::size_t h = 0; h < heads; ++h)
        for (std::size_t l = 0; l <= length; ++l)
          for (std::size_t i = 0; i < width; ++i) to(b, h, l, i) = l < length ? from(b, h, l, i) : extra(h, i);
  });
  return longer.view(x.name);
}

/// All masks and biases of the problem as one bias (B, H, L, S + 1), nothing added for the last key.
TensorView bias_with_free_key(const AttentionProblem& problem) {
  const AttentionSizes& n = problem.sizes;
  Tensor bias(problem.compute, {n.batch, n.heads, n.queries, n.keys + 1});
  visit_compute_dtype(problem.compute, [&](auto element) {
    using T = decltype(element);
    const auto out = bias.as<T, 4>();
    for (std::size_t b = 0; b < n.batch; ++b)
      for (std::size_t h = 0; h < n.heads; ++h)
        for (std::size_t i = 0; i < n.queries; ++i) {
          const KeyRange keys = problem.mask.keys(b, h, i);
          for (std::size_t j = 0; j < n.keys; ++j) out(b, h, i, j) = -std::numeric_limits<T>::infinity();
          if (keys.first < keys.last) problem.mask.row(b, h, i, keys, &out(b, h, i, keys.first));
          out(b, h, i, n.keys) = 0;
        }
  });
  return bias.view("masks");
}

}  // namespace

void append_unmasked(AttendInputs& inputs, AttendParameters& parameters, const TensorView& key,
                     const TensorView& value) {
  const AttentionProblem problem = outlined_problem(inputs, parameters);
  std::optional<TensorView> bias;
  if (!problem.mask.is_trivial()) bias = bias_with_free_key(problem);
  inputs.key = with_row(inputs.key, key, {inputs.key.shape[1], inputs.key.shape[3]});
  inputs.value = with_row(inputs.value, value, {inputs.value.shape[1], inputs.value.shape[3]});
  inputs.bias = bias;
  inputs.mask.reset();
  inputs.valid_lens.reset();
  inputs.alibi_slopes.reset();
  parameters.alibi = parameters.causal = parameters.causal_bottom_right = false;
  parameters.window.reset();
}

namespace {

/// query (B, H, L, d) + bias (H, d), lying like (B, L, H, d).
TensorView shifted(const TensorView& query, const TensorView& bias) {
  const std::size_t heads = query.shape[1], width = query.shape[3];
  if (bias.shape != Shape{heads, width}) throw shape_error(bias.name, bias.shape, to_string(Shape{heads, width}));
  const TensorView rows = transposed(query, {0, 2, 1, 3});
  return transposed(add_residual(rows, broadcast_to(cast(bias, query.dtype), rows.shape)), {0, 2, 1, 3});
}

/// scale (query + w) . e(segments differ), (B, H, L, S); query already holds w.
TensorView segment_scores(const TensorView& query, const TensorView& table, const TensorView& segments, double scale,
                          std::size_t keys) {
  const std::size_t batch = query.shape[0], heads = query.shape[1], queries = query.shape[2], width = query.shape[3];
  const TensorView ids = cast(segments, DType::i64);
  if (ids.shape != Shape{batch, keys} || queries > keys)
    throw shape_error(segments.name, segments.shape, to_string(Shape{batch, keys}) + " = (B, S)");
  if (table.shape != Shape{2, heads, width})
    throw shape_error(table.name, table.shape, to_string(Shape{2, heads, width}));
  Tensor scores(query.dtype, {batch, heads, queries, keys});
  visit_compute_dtype(query.dtype, [&](auto element) {
    using T = decltype(element);
    const auto q = query.as<T, 4>();
    const TensorView embedded = cast(table, query.dtype);
    const auto e = embedded.as<T, 3>();
    const auto id = ids.as<std::int64_t, 2>();
    const auto out = scores.as<T, 4>();
    for (std::size_t b = 0; b < batch; ++b)
      for (std::size_t h = 0; h < heads; ++h)
        for (std::size_t i = 0; i < queries; ++i) {
          double score[2] = {0, 0};
          for (std::size_t s = 0; s < 2; ++s)
            for (std::size_t c = 0; c < width; ++c)
              score[s] += static_cast<double>(q(b, h, i, c)) * static_cast<double>(e(s, h, c));
          for (std::size_t j = 0; j < keys; ++j)
            out(b, h, i, j) = static_cast<T>(scale * score[id(b, i + keys - queries) != id(b, j) ? 1 : 0]);
        }
  });
  return scores.view("segment scores");
}

}  // namespace

void add_relative(AttendInputs& inputs, const RelativeWeights& weights, const RelativeWiring& wiring,
                  const std::optional<TensorView>& segments, const Execution& execution) {
  const double scale = wiring.scale;
  const auto past = static_cast<std::int64_t>(wiring.past);
  const TensorView query = inputs.query;
  const std::size_t heads = query.shape[1], queries = query.shape[2], keys = inputs.key.shape[2];
  SinusoidalEncoding distances;
  distances.layout = SinusoidLayout::halves;
  const std::size_t count = queries + keys > 0 ? queries + keys - 1 : 0;
  std::vector<std::int64_t> apart(count);
  const auto farthest = static_cast<std::int64_t>(wiring.longest_distance);
  for (std::size_t i = 0; i < count; ++i) {
    apart[i] = static_cast<std::int64_t>(queries) + past - 1 - static_cast<std::int64_t>(i);
    if (farthest > 0) apart[i] = std::clamp(apart[i], -farthest, farthest);
  }
  const Tensor table = sinusoidal_table(apart, weights.position.in_features(), distances, weights.position.dtype());
  const TensorView encoding = split_heads(with_batch(weights.position(table.view("distances"), execution)), heads);
  TensorView bias =
      relative_scores(query, weights.position_bias, element(encoding, 0), scale, {queries, keys, past}, execution);
  if (segments && weights.segment_table && weights.segment_bias)
    bias = sum_of_biases(
        bias, segment_scores(shifted(query, *weights.segment_bias), *weights.segment_table, *segments, scale, keys));
  inputs.bias = inputs.bias ? sum_of_biases(*inputs.bias, bias) : bias;
  inputs.query = shifted(query, weights.content_bias);
}

namespace {

/// Rows first, first + step, ... of the table, one head's for all: (H, count, d).
TensorView encodings(const TensorView& table, std::int64_t first, std::int64_t step, std::size_t count,
                     std::size_t heads) {
  const TensorView from = contiguous(table);
  const std::size_t width = table.shape[1], bytes = width * element_size(table.dtype);
  Tensor rows(table.dtype, {1, count, width});
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t row = first + step * static_cast<std::int64_t>(i);
    if (row < 0 || row >= static_cast<std::int64_t>(table.shape[0]))
      throw Error(ErrorKind::data, table.name,
                  "has " + std::to_string(table.shape[0]) + " rows, which are too few for such distances");
    std::copy_n(static_cast<const char*>(from.data) + static_cast<std::size_t>(row) * bytes, bytes,
                static_cast<char*>(rows.data()) + i * bytes);
  }
  return broadcast_to(rows.view(table.name), {heads, count, width});
}

}  // namespace

void add_distances(AttendInputs& inputs, const TensorView& table, LearnedDistances distances,
                   const RelativeWiring& wiring, const Execution& execution) {
  const TensorView &query = inputs.query, &key = inputs.key;
  const std::size_t heads = query.shape[1], queries = query.shape[2], keys = key.shape[2], width = query.shape[3];
  if (table.rank() != 2 || table.shape[1] != width || table.shape[0] % 2 == 0)
    throw shape_error(table.name, table.shape, "(2 n - 1, " + std::to_string(width) + "), a row for each distance");
  if (queries == 0 || keys == 0) return;
  const auto past = static_cast<std::int64_t>(wiring.past), middle = static_cast<std::int64_t>(table.shape[0] / 2);
  const std::size_t count = queries + keys - 1;
  const TensorView nothing = Tensor::zeros(query.dtype, {heads, width}).view("no bias");
  const auto scores = [&](const TensorView& x, const TensorView& encoding, const RelativeSpan& span) {
    return relative_scores(x, nothing, encoding, wiring.scale, span, execution);
  };
  const auto farthest = static_cast<std::int64_t>(queries) - 1 + past;  // of the last query to the first key
  TensorView bias = scores(query, encodings(table, middle + farthest, -1, count, heads), {queries, keys, past});
  if (distances == LearnedDistances::of_query_and_key) {
    // The same with keys for queries, which see the distances from the other side.
    const auto nearest = static_cast<std::int64_t>(keys) - 1 - past;
    const TensorView of_keys = scores(key, encodings(table, middle - nearest, 1, count, heads), {keys, queries, -past});
    bias = sum_of_biases(bias, transposed(of_keys, {0, 1, 3, 2}));
  }
  inputs.bias = inputs.bias ? sum_of_biases(*inputs.bias, bias) : bias;
}

}  // namespace attn
