#include <attn/layers/multi_head_inputs.hpp>

#include <attn/attention/problem.hpp>
#include <attn/layers/norm.hpp>
#include <attn/layers/positional_encoding.hpp>
#include <attn/layers/relative_positions.hpp>

#include <algorithm>
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
  if (x.rank() != 2 && x.rank() != 3)
    throw shape_error(x.name, x.shape, "(B, L, d) or (L, d)", joining_axes(x.shape, 3));
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
  const bool is_one = heads.rank() == 3;
  const TensorView rows = is_one ? transposed(heads, {1, 0, 2}) : transposed(heads, {0, 2, 1, 3});
  Shape shape(rows.shape.begin(), rows.shape.end() - 1);
  shape.back() *= rows.shape.back();
  return reshaped(rows, shape);
}

bool lie_side_by_side(const TensorView& heads) {
  return heads.rank() == 4 && transposed(heads, {0, 2, 1, 3}).is_contiguous();
}

TensorView sum_of_biases(const TensorView& a, const TensorView& b) {
  const Shape shape = broadcast_shapes(a.shape, b.shape);
  return add_residual(broadcast_to(a, shape), broadcast_to(b, shape));
}

namespace {

/// x (B, H, S, d) after the rows (H, d), repeated for every batch.
TensorView behind_rows(const TensorView& x, const std::vector<TensorView>& rows) {
  Tensor longer(x.dtype, {x.shape[0], x.shape[1], rows.size() + x.shape[2], x.shape[3]});
  visit_compute_dtype(x.dtype, [&](auto element) {
    using T = decltype(element);
    const auto to = longer.as<T, 4>();
    const auto copy = [&](const TensorView& given, std::size_t first) {  // (B, H, some, d)
      const auto from = given.as<T, 4>();
      for (std::size_t b = 0; b < from.shape[0]; ++b)
        for (std::size_t h = 0; h < from.shape[1]; ++h)
          for (std::size_t l = 0; l < from.shape[2]; ++l)
            for (std::size_t i = 0; i < from.shape[3]; ++i) to(b, h, first + l, i) = from(b, h, l, i);
    };
    for (std::size_t j = 0; j < rows.size(); ++j) {
      const Shape shape{x.shape[1], x.shape[3]};
      if (rows[j].shape != shape) throw shape_error(rows[j].name, rows[j].shape, to_string(shape));
      copy(broadcast_to(reshaped(cast(rows[j], x.dtype), {1, shape[0], 1, shape[1]}),
                        {x.shape[0], shape[0], 1, shape[1]}),
           j);
    }
    copy(x, rows.size());
  });
  return longer.view(x.name);
}

/// out(b, h, i, count + j) = value(bias of the problem's masks for key j); the first `count` are not excluded.
template <class Out, class Value>
TensorView masks_behind_free_keys(const AttentionProblem& problem, std::size_t count, Out free, Value value) {
  const AttentionSizes& n = problem.sizes;
  Tensor masks(dtype_of<Out>::value, {n.batch, n.heads, n.queries, count + n.keys});
  Out* out = masks.data_as<Out>();
  visit_compute_dtype(problem.compute, [&](auto element) {
    std::vector<decltype(element)> row(n.keys);
    for (std::size_t at = 0; at < n.batch * n.heads * n.queries; ++at) {
      problem.mask.row(at / n.queries / n.heads, at / n.queries % n.heads, at % n.queries, {0, n.keys}, row.data());
      out = std::transform(row.begin(), row.end(), std::fill_n(out, count, free), value);
    }
  });
  return masks.view("masks");
}

}  // namespace

void put_unmasked_in_front(AttendInputs& inputs, AttendParameters& parameters, const std::vector<KeyValue>& rows) {
  if (rows.empty()) return;
  const AttentionProblem problem = problem_without_keys(views_of(inputs, parameters), inputs, parameters);
  inputs.mask.reset();
  inputs.padding.reset();
  inputs.bias.reset();
  if (problem.mask.has_bias()) {
    visit_compute_dtype(problem.compute, [&](auto element) {
      using T = decltype(element);
      inputs.bias = masks_behind_free_keys(problem, rows.size(), T(0), [](T added) { return added; });
    });
  } else if (!problem.mask.is_trivial()) {  // kernels accept no biases
    inputs.mask = masks_behind_free_keys(problem, rows.size(), std::uint8_t(1),
                                         [](auto added) { return static_cast<std::uint8_t>(added == 0); });
  }
  std::vector<TensorView> keys, values;
  for (const KeyValue& row : rows) {
    keys.push_back(row.key);
    values.push_back(row.value);
  }
  inputs.key = behind_rows(inputs.key, keys);
  inputs.value = behind_rows(inputs.value, values);
  inputs.valid_lens.reset();
  inputs.alibi_slopes.reset();
  parameters.alibi = parameters.causal = parameters.causal_bottom_right = parameters.mask_invert = false;
  parameters.mask_type = MaskType::boolean;
  parameters.window.reset();
}

TensorProducer with_first_last(TensorProducer rows, std::size_t count) {
  if (count == 0) return rows;
  const std::size_t element = element_size(rows.dtype), row = rows.shape.back() * element, first = count * element;
  rows.produce = [produce = std::move(rows.produce), row, first](const ByteConsumer& consume) {
    std::vector<char> some;
    produce([&](const void* data, std::size_t bytes) {
      some.insert(some.end(), static_cast<const char*>(data), static_cast<const char*>(data) + bytes);
      const auto whole = static_cast<std::ptrdiff_t>(some.size() / row * row);
      for (auto at = some.begin(); at != some.begin() + whole; at += static_cast<std::ptrdiff_t>(row))
        std::rotate(at, at + static_cast<std::ptrdiff_t>(first), at + static_cast<std::ptrdiff_t>(row));
      if (whole > 0) consume(some.data(), static_cast<std::size_t>(whole));
      some.erase(some.begin(), some.begin() + whole);
    });
  };
  return rows;
}

namespace {

/// query (B, H, L, d) + bias (H, d), in memory as (B, L, H, d).
TensorView shifted(const TensorView& query, const TensorView& bias) {
  const std::size_t heads = query.shape[1], width = query.shape[3];
  if (bias.shape != Shape{heads, width}) throw shape_error(bias.name, bias.shape, to_string(Shape{heads, width}));
  const TensorView rows = transposed(query, {0, 2, 1, 3});
  return transposed(add_residual(rows, broadcast_to(cast(bias, query.dtype), rows.shape)), {0, 2, 1, 3});
}

/// scale (query + w) . e(segments differ), (B, H, L, S); query already includes w.
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
  std::vector<double> apart(count);
  const auto farthest = static_cast<double>(wiring.longest_distance);
  for (std::size_t i = 0; i < count; ++i) {
    apart[i] = static_cast<double>(static_cast<std::int64_t>(queries) + past - 1 - static_cast<std::int64_t>(i));
    if (farthest > 0) apart[i] = std::clamp(apart[i], -farthest, farthest);
  }
  const Tensor table =
      sinusoidal_table(apart, weights.position.in_features(), distances, weights.position.dtype(), execution);
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
                  "has " + std::to_string(table.shape[0]) + " rows, too few for the distances of these positions");
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
    // The same with keys in place of queries and reversed distances.
    const auto nearest = static_cast<std::int64_t>(keys) - 1 - past;
    const TensorView of_keys = scores(key, encodings(table, middle - nearest, 1, count, heads), {keys, queries, -past});
    bias = sum_of_biases(bias, transposed(of_keys, {0, 1, 3, 2}));
  }
  inputs.bias = inputs.bias ? sum_of_biases(*inputs.bias, bias) : bias;
}

}  // namespace attn
