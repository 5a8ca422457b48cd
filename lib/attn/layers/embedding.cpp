#include <attn/layers/embedding.hpp>

#include <attn/core/execution.hpp>
#include <attn/core/reduce.hpp>

namespace attn {

Embedding::Embedding(const TensorView& table, DType compute, double scale)
    : table_(table), compute_(compute), scale_(scale) {
  if (table.rank() != 2) throw shape_error(table.name, table.shape, "(vocabulary, width)");
}

std::vector<std::int64_t> Embedding::rows_of(const TensorView& ids) const {
  std::vector<std::int64_t> rows = to_integers(ids);
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i] < 0 || static_cast<std::size_t>(rows[i]) >= vocabulary())
      throw Error(ErrorKind::data, ids.name,
                  "element " + std::to_string(i) + " is id " + std::to_string(rows[i]) + ", the table " + table_.name +
                      " has " + std::to_string(vocabulary()) + " rows");
  return rows;
}

TensorView Embedding::operator()(const TensorView& ids, const Execution& execution) const {
  const std::vector<std::int64_t> rows = rows_of(ids);
  Shape shape = ids.shape;
  shape.push_back(width());
  Tensor out(compute_, shape);
  execution.only_counts(static_cast<double>(out.size()));
  visit_compute_dtype(compute_, [&](auto element) {
    using T = decltype(element);
    T* y = out.data_as<T>();
    const T scale = static_cast<T>(scale_);
    execution.sized_for(out.size()).parallel_with_progress(rows.size(), [&](std::size_t i, std::size_t) {
      // Only the rows in use are converted, never the whole table.
      const TensorView row = cast(attn::element(table_, static_cast<std::size_t>(rows[i])), compute_);
      const T* from = row.contiguous_data<T>();
      for (std::size_t j = 0; j < width(); ++j) y[i * width() + j] = from[j] * scale;
    });
  });
  return out.view(ids.name);
}

TensorView Embedding::vjp(const TensorView& ids, const TensorView& dy, const Execution& execution) const {
  const std::vector<std::int64_t> rows = rows_of(ids);
  Shape shape = ids.shape;
  shape.push_back(width());
  if (dy.shape != shape) throw shape_error(dy.name, dy.shape, to_string(shape) + " = the shape of the vectors");
  return sum_by_row(reshaped(cast(dy, compute_), {rows.size(), width()}), rows, vocabulary(), scale_, execution);
}

}  // namespace attn
