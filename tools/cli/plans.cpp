#include "cli/plans.hpp"

#include <attn/simd/stored_matrix.hpp>

namespace cli {
namespace {

attn::DType result_dtype(const attn::TensorView& x) {
  return attn::is_floating(x.dtype) ? x.dtype : attn::compute_dtype(x.dtype);
}

/// Vectors along the last axis; a tensor of one axis is a column of them.
double rows_of(const attn::TensorView& x) {
  if (x.rank() < 2) return static_cast<double>(x.size());
  return x.shape.back() == 0 ? 0 : static_cast<double>(x.size() / x.shape.back());
}

double product(std::initializer_list<std::size_t> factors) {
  double all = 1;
  for (const std::size_t factor : factors) all *= static_cast<double>(factor);
  return all;
}

/// What a layer makes of a weight (out, in) for its products with so many rows.
std::size_t prepared_bytes(const attn::TensorView& weight, std::size_t rows, attn::DType compute,
                           const attn::Execution& execution) {
  const std::size_t all = weight.size() * attn::element_size(compute);
  if (execution.engine == attn::Engine::reference) return weight.dtype == compute && weight.is_contiguous() ? 0 : all;
  if (rows <= attn::most_stored_rows && attn::is_readable_as_stored(weight, compute, execution.isa)) return 0;
  constexpr std::size_t widest_padding = 64;  // columns that fill the last panel
  const std::size_t inputs = weight.rank() == 2 ? weight.shape[1] : 0;
  return converted_bytes(weight.size(), weight.dtype, compute) + all +
         widest_padding * inputs * attn::element_size(compute);
}

}  // namespace

Plan elementwise_plan(const attn::TensorView& x, double operations) {
  const attn::DType compute = attn::compute_dtype(x.dtype);
  const std::size_t converted =
      converted_bytes(x.size(), x.dtype, compute) + converted_bytes(x.size(), result_dtype(x), compute);
  return {{{"", result_dtype(x), x.shape}}, operations * static_cast<double>(x.size()), converted};
}

Plan product_plan(const attn::TensorView& x, std::size_t width, const std::vector<attn::TensorView>& weights,
                  attn::DType compute, const attn::Execution& execution) {
  attn::Shape shape = x.shape;
  if (!shape.empty()) shape.back() = width;
  const double rows = x.rank() == 1 ? 1 : rows_of(x);
  Plan plan{{{"", result_dtype(x), shape}}, 0, 0};
  plan.memory = converted_bytes(x.size(), x.dtype, compute) +
                converted_bytes(attn::element_count(shape), result_dtype(x), compute);
  for (const attn::TensorView& weight : weights) {
    plan.flops += 2 * rows * static_cast<double>(weight.size());
    plan.memory += prepared_bytes(weight, static_cast<std::size_t>(rows), compute, execution);
  }
  return plan;
}

Plan attention_plan(const attn::AttendInputs& inputs, const attn::AttendParameters& parameters) {
  const attn::AttentionSizes s = attn::attention_sizes(inputs, parameters);
  const double scores = product({s.batch, s.heads, s.queries, s.keys});
  const double flops = scores * (2 * static_cast<double>(s.query_width + s.value_width) + 4);
  const attn::Shape shape = attn::like_query(inputs.query, s.value_width, parameters.heads);
  return {{{"", result_dtype(inputs.query), shape}}, flops, 0};
}

Plan multi_head_plan(const attn::TensorView& x, const attn::TensorView& key, double weights, attn::DType compute) {
  const double keys = key.rank() < 2 ? 1 : static_cast<double>(key.shape[key.rank() - 2]);
  const double flops = (rows_of(x) + rows_of(key)) * weights + 4 * static_cast<double>(x.size()) * keys;
  // Queries, what they find and what becomes of it; keys and values; the weights as products read them.
  const auto made = static_cast<double>(3 * x.size() + 2 * key.size()) + weights;
  const auto memory = static_cast<std::size_t>(made) * attn::element_size(compute) +
                      converted_bytes(x.size(), result_dtype(x), compute);
  return {{{"", result_dtype(x), x.shape}}, flops, memory};
}

Plan embedding_plan(const attn::TensorView& ids, const attn::TensorView& table, attn::DType vectors) {
  attn::Shape shape = ids.shape;
  shape.push_back(table.shape.empty() ? 1 : table.shape.back());
  const double elements = static_cast<double>(attn::element_count(shape));
  return {{{"", vectors, std::move(shape)}}, elements, 0};
}

Plan regression_plan(const attn::TensorView& x, const attn::TensorView& y, const attn::TensorView& queries) {
  attn::Shape shape = y.shape;
  if (!shape.empty()) shape.front() = queries.shape.empty() ? 1 : queries.shape.front();
  const double width = x.rank() < 2 ? 1 : static_cast<double>(x.shape.back());
  const double columns = y.rank() < 2 ? 1 : static_cast<double>(y.shape.back());
  const double pairs = rows_of(x) * rows_of(queries);
  const std::size_t results = attn::element_count(shape);
  const std::size_t memory =
      (x.size() + y.size() + queries.size() + results) * sizeof(double) +
      (static_cast<std::size_t>(rows_of(x)) + 2 * static_cast<std::size_t>(rows_of(queries))) * sizeof(std::size_t);
  return {{{"", result_dtype(y), std::move(shape)}}, pairs * (3 * width + 2 * columns + 3), memory};
}

std::size_t converted_bytes(std::size_t count, attn::DType from, attn::DType to) {
  return from == to ? 0 : count * attn::element_size(to);
}

std::size_t bytes_of(const attn::TensorInfo& info) {
  return attn::element_count(info.shape) * attn::element_size(info.dtype);
}

double matrix_elements(const attn::Weights& weights) {
  double elements = 0;
  for (const std::string& name : weights.names())
    if (const attn::TensorInfo* info = weights.info(name); info != nullptr && info->shape.size() == 2)
      elements += static_cast<double>(attn::element_count(info->shape));
  return elements;
}

}  // namespace cli
