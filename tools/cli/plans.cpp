#include "cli/plans.hpp"

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

}  // namespace

Plan elementwise_plan(const attn::TensorView& x, double operations) {
  return {{{"", result_dtype(x), x.shape}}, operations * static_cast<double>(x.size()), 0};
}

Plan product_plan(const attn::TensorView& x, std::size_t width, double weights) {
  attn::Shape shape = x.shape;
  if (!shape.empty()) shape.back() = width;
  const double rows = x.rank() == 1 ? 1 : rows_of(x);
  return {{{"", result_dtype(x), std::move(shape)}}, 2 * rows * weights, 0};
}

Plan attention_plan(const attn::AttendInputs& inputs, const attn::AttendParameters& parameters,
                    const attn::Execution& execution) {
  constexpr std::size_t tile = 8 << 20;
  const attn::AttentionSizes s = attn::attention_sizes(inputs, parameters);
  const double scores = product({s.batch, s.heads, s.queries, s.keys});
  const double flops = scores * (2 * static_cast<double>(s.query_width + s.value_width) + 4);
  const attn::Shape shape = attn::like_query(inputs.query, s.value_width, parameters.heads);
  return {{{"", result_dtype(inputs.query), shape}}, flops, execution.threads() * tile};
}

Plan multi_head_plan(const attn::TensorView& x, const attn::TensorView& key, double weights) {
  const double keys = key.rank() < 2 ? 1 : static_cast<double>(key.shape[key.rank() - 2]);
  const double flops = (rows_of(x) + rows_of(key)) * weights + 4 * static_cast<double>(x.size()) * keys;
  return {{{"", result_dtype(x), x.shape}}, flops, 0};
}

Plan embedding_plan(const attn::TensorView& x, const attn::TensorView& table, bool logits) {
  const std::size_t vocabulary = table.shape.empty() ? 1 : table.shape.front();
  if (logits) return product_plan(x, vocabulary, static_cast<double>(table.size()));
  attn::Shape shape = x.shape;
  shape.push_back(table.shape.empty() ? 1 : table.shape.back());
  const double elements = static_cast<double>(attn::element_count(shape));
  return {{{"", result_dtype(table), std::move(shape)}}, elements, 0};
}

Plan regression_plan(const attn::TensorView& x, const attn::TensorView& y, const attn::TensorView& queries) {
  attn::Shape shape = y.shape;
  if (!shape.empty()) shape.front() = queries.shape.empty() ? 1 : queries.shape.front();
  const double width = x.rank() < 2 ? 1 : static_cast<double>(x.shape.back());
  const double columns = y.rank() < 2 ? 1 : static_cast<double>(y.shape.back());
  const double pairs = rows_of(x) * rows_of(queries);
  return {{{"", result_dtype(y), std::move(shape)}}, pairs * (3 * width + 2 * columns + 3), 0};
}

double matrix_elements(const attn::Weights& weights) {
  double elements = 0;
  for (const std::string& name : weights.names())
    if (const attn::TensorInfo* info = weights.info(name); info != nullptr && info->shape.size() == 2)
      elements += static_cast<double>(attn::element_count(info->shape));
  return elements;
}

}  // namespace cli
