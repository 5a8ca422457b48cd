#include <attn/layers/relative_positions.hpp>

#include <attn/core/module.hpp>
#include <attn/layers/inner/reference_module.hpp>
#include <attn/matrix/packed_matrix.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace attn {
namespace {

/// (H, L, S) from value(h, r) with r = key position - query position, computed once for each distance.
template <class Value>
Tensor by_distance(std::size_t heads, const RelativeSpan& span, DType dtype, Value value) {
  Tensor bias(dtype, {heads, span.queries, span.keys});
  if (span.queries == 0 || span.keys == 0) return bias;
  visit_compute_dtype(dtype, [&](auto element) {
    using T = decltype(element);
    const auto out = bias.as<T, 3>();
    // r = j - i - offset runs over L + S - 1 values; the row of query i begins at r = -i - offset.
    std::vector<T> values(span.queries + span.keys - 1);
    const std::int64_t lowest = -static_cast<std::int64_t>(span.queries - 1) - span.offset;
    for (std::size_t h = 0; h < heads; ++h) {
      for (std::size_t r = 0; r < values.size(); ++r)
        values[r] = static_cast<T>(value(h, lowest + static_cast<std::int64_t>(r)));
      for (std::size_t i = 0; i < span.queries; ++i)
        for (std::size_t j = 0; j < span.keys; ++j) out(h, i, j) = values[span.queries - 1 - i + j];
    }
  });
  return bias;
}

/// The gradient by by_distance(): calls add(h, r, the sum of dy(h, i, j) of that distance).
template <class Add>
void sum_by_distance(const TensorView& dy, const RelativeSpan& span, Add add) {
  if (dy.rank() != 3 || dy.shape[1] != span.queries || dy.shape[2] != span.keys)
    throw shape_error(dy.name, dy.shape,
                      "(H, " + std::to_string(span.queries) + ", " + std::to_string(span.keys) + ")");
  if (span.queries == 0 || span.keys == 0) return;
  const TensorView wide = cast(dy, DType::f64);
  const auto from = wide.as<double, 3>();
  const std::int64_t lowest = -static_cast<std::int64_t>(span.queries - 1) - span.offset;
  for (std::size_t h = 0; h < dy.shape[0]; ++h) {
    std::vector<double> sums(span.queries + span.keys - 1);
    for (std::size_t i = 0; i < span.queries; ++i)
      for (std::size_t j = 0; j < span.keys; ++j) sums[span.queries - 1 - i + j] += from(h, i, j);
    for (std::size_t r = 0; r < sums.size(); ++r) add(h, lowest + static_cast<std::int64_t>(r), sums[r]);
  }
}

/// The formula in f64.
TensorView sum_up(const TensorView& query, const TensorView& bias, const TensorView& encoding, double scale,
                  const Shape& shape, const Execution& execution) {
  const auto relative_scores = reference::layer_functions().relative_scores;
  const TensorView q = cast(query, DType::f64), u = cast(bias, DType::f64), r = cast(encoding, DType::f64);
  Tensor scores(DType::f64, shape);
  const std::size_t heads = shape[1], queries = shape[2], keys = shape[3], width = query.shape[3];
  execution.parallel(shape[0] * heads, [&](std::size_t bh, std::size_t) {
    const std::size_t h = bh % heads;
    expect_memory(relative_scores(q.contiguous_data<double>() + bh * queries * width,
                                  u.contiguous_data<double>() + h * width,
                                  r.contiguous_data<double>() + h * encoding.shape[1] * width, scale, queries, keys,
                                  width, scores.data_as<double>() + bh * queries * keys));
  });
  return cast(scores.view("relative scores"), query.dtype);
}

/// The same by products of a block of queries with all distances of its rows. Each row keeps a part that begins one
/// column further left than the part of the row before.
void multiply(const TensorView& query, const TensorView& bias, const TensorView& encoding, double scale, Tensor& scores,
              const Execution& execution) {
  constexpr std::size_t block = 64;
  const std::size_t batch = query.shape[0], heads = query.shape[1], queries = query.shape[2], width = query.shape[3],
                    keys = scores.shape()[3], distances = encoding.shape[1];
  visit_compute_dtype(query.dtype, [&](auto element_of) {
    using T = decltype(element_of);
    const auto q = query.as<T, 4>();
    const auto u = bias.as<T, 2>();
    const auto out = scores.as<T, 4>();
    execution.parallel(heads, [&](std::size_t h, std::size_t) {
      const PackedMatrix encodings(element(encoding, h), query.dtype, execution);
      std::vector<T> rows(block * width), products(block * distances);
      Execution alone;
      alone.isa = execution.isa;
      for (std::size_t b = 0; b < batch; ++b)
        for (std::size_t first = 0; first < queries; first += block) {
          const std::size_t count = std::min(block, queries - first);
          for (std::size_t i = 0; i < count; ++i)
            for (std::size_t c = 0; c < width; ++c) rows[i * width + c] = q(b, h, first + i, c) + u(h, c);
          encodings.multiply<T>(strided(static_cast<const T*>(rows.data()), std::array<std::size_t, 2>{count, width}),
                                strided(products.data(), std::array<std::size_t, 2>{count, distances}), {}, alone);
          for (std::size_t i = 0; i < count; ++i) {
            const T* part = products.data() + i * distances + (queries - 1 - first - i);
            for (std::size_t j = 0; j < keys; ++j) out(b, h, first + i, j) = static_cast<T>(scale) * part[j];
          }
        }
    });
  });
}

}  // namespace

Tensor alibi_bias(const std::vector<double>& slopes, const RelativeSpan& span, DType dtype) {
  return by_distance(slopes.size(), span, dtype,
                     [&](std::size_t h, std::int64_t r) { return 0 - slopes[h] * std::fabs(static_cast<double>(r)); });
}

std::size_t relative_bucket(std::int64_t relative, const RelativeBuckets& b) {
  const std::size_t n = b.bidirectional ? b.buckets / 2 : b.buckets;
  const std::size_t exact = n / 2;
  if (exact == 0 || b.max_distance <= exact)
    throw Error(ErrorKind::usage, "relative buckets",
                std::to_string(b.buckets) + " buckets up to distance " + std::to_string(b.max_distance) +
                    " leave no bucket for a direction");
  const std::size_t start = b.bidirectional && relative > 0 ? n : 0;
  const std::int64_t signed_distance = b.bidirectional ? std::abs(relative) : std::max<std::int64_t>(-relative, 0);
  const auto distance = static_cast<std::size_t>(signed_distance);
  if (distance < exact) return start + distance;
  const double steps = std::log(static_cast<double>(distance) / static_cast<double>(exact)) /
                       std::log(static_cast<double>(b.max_distance) / static_cast<double>(exact)) *
                       static_cast<double>(n - exact);
  return start + std::min(exact + static_cast<std::size_t>(steps), n - 1);
}

Tensor bucketed_bias(const TensorView& table, const RelativeBuckets& buckets, const RelativeSpan& span, DType dtype) {
  if (table.rank() != 2 || table.shape[0] != buckets.buckets)
    throw shape_error(table.name, table.shape, "(" + std::to_string(buckets.buckets) + ", H) = buckets by heads");
  const TensorView values = cast(table, DType::f64);
  const auto bias = values.as<double, 2>();
  return by_distance(table.shape[1], span, dtype,
                     [&](std::size_t h, std::int64_t r) { return bias(relative_bucket(r, buckets), h); });
}

Tensor alibi_bias_vjp(const TensorView& dy, const RelativeSpan& span) {
  Tensor slopes = Tensor::zeros(DType::f64, {dy.shape.at(0)});
  sum_by_distance(dy, span, [&](std::size_t h, std::int64_t r, double sum) {
    slopes.data_as<double>()[h] -= std::fabs(static_cast<double>(r)) * sum;
  });
  return slopes;
}

Tensor bucketed_bias_vjp(const TensorView& dy, const TensorView& table, const RelativeBuckets& buckets,
                         const RelativeSpan& span) {
  if (dy.rank() != 3 || dy.shape[0] != table.shape.at(1))
    throw shape_error(dy.name, dy.shape, "(H, L, S) for the heads of " + table.name + " " + to_string(table.shape));
  Tensor sums = Tensor::zeros(DType::f64, table.shape);
  const auto to = sums.as<double, 2>();
  sum_by_distance(dy, span,
                  [&](std::size_t h, std::int64_t r, double sum) { to(relative_bucket(r, buckets), h) += sum; });
  return sums;
}

TensorView relative_scores(const TensorView& query, const TensorView& bias, const TensorView& encoding, double scale,
                           const RelativeSpan& span, const Execution& execution) {
  const std::size_t batch = query.shape.at(0), heads = query.shape.at(1), queries = query.shape.at(2),
                    width = query.shape.at(3);
  if (bias.shape != Shape{heads, width}) throw shape_error(bias.name, bias.shape, to_string(Shape{heads, width}));
  const std::size_t distances = queries + span.keys - (queries + span.keys > 0 ? 1 : 0);
  if (encoding.shape != Shape{heads, distances, width})
    throw shape_error(encoding.name, encoding.shape, to_string(Shape{heads, distances, width}));
  const Shape shape{batch, heads, queries, span.keys};
  const TensorView offsets = cast(bias, query.dtype);
  if (execution.engine == Engine::reference) return sum_up(query, offsets, encoding, scale, shape, execution);
  Tensor scores(query.dtype, shape);
  multiply(query, offsets, encoding, scale, scores, execution);
  return scores.view("relative scores");
}

}  // namespace attn
