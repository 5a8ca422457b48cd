#include <attn/attention/lookup.hpp>

#include <attn/attention/attend.hpp>
#include <attn/core/edit_distance.hpp>
#include <attn/core/texts.hpp>

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>

namespace attn {
namespace {

using Rows = std::vector<std::optional<std::size_t>>;

/// Text as one column: (S) or (S, 1).
const std::string* column_of_text(const TensorView& x) {
  if (x.dtype != DType::string) throw Error(ErrorKind::data, x.name, "holds numbers, expected text to look up");
  if (x.rank() > 2 || (x.rank() == 2 && x.shape[1] != 1)) throw shape_error(x.name, x.shape, "one column of text");
  return x.contiguous_data<std::string>();
}

std::size_t rows_of(const TensorView& x) { return x.rank() == 0 ? 1 : x.shape[0]; }

/// Rows of numbers in f64, without gaps: one axis is a column, as for attend().
TensorView as_rows(const TensorView& x) {
  TensorView wide = cast(x, DType::f64);
  if (wide.rank() < 2) wide.shape = {wide.size(), 1};
  wide.strides = row_major_strides(wide.shape);
  return wide;
}

Rows find_exact_text(const TensorView& query, const TensorView& key) {
  const TensorView q = contiguous(query), k = contiguous(key);
  const std::string* const q_i = column_of_text(q);
  const std::string* const k_j = column_of_text(k);
  Rows found(rows_of(q));
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto* const at = std::find(k_j, k_j + rows_of(k), q_i[i]);
    if (at != k_j + rows_of(k)) found[i] = static_cast<std::size_t>(at - k_j);
  }
  return found;
}

}  // namespace

Rows find_nearest_text(const TensorView& query, const TensorView& key) {
  const TensorView q = contiguous(query), k = contiguous(key);
  const std::string* const q_i = column_of_text(q);
  const std::string* const k_j = column_of_text(k);
  Rows found = find_exact_text(q, k);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i]) continue;
    std::size_t least = std::numeric_limits<std::size_t>::max();
    for (std::size_t j = 0; j < rows_of(k); ++j) {
      const std::size_t distance = edit_distance(q_i[i], k_j[j]);
      if (distance >= least) continue;
      least = distance;
      found[i] = j;
    }
  }
  return found;
}

Rows find_exact(const TensorView& query, const TensorView& key) {
  if (query.dtype == DType::string || key.dtype == DType::string) return find_exact_text(query, key);
  const TensorView q = as_rows(query), k = as_rows(key);
  if (q.rank() != 2) throw shape_error(q.name, q.shape, "(queries, width)");
  if (k.rank() != 2 || k.shape[1] != q.shape[1])
    throw shape_error(k.name, k.shape, "(keys, " + std::to_string(q.shape[1]) + "), the width of the queries");
  const std::size_t d = q.shape[1];
  const double* const q_ic = q.contiguous_data<double>();
  const double* const k_jc = k.contiguous_data<double>();
  Rows found(q.shape[0]);
  for (std::size_t i = 0; i < found.size(); ++i)
    for (std::size_t j = 0; j < k.shape[0] && !found[i]; ++j)
      if (std::equal(q_ic + i * d, q_ic + (i + 1) * d, k_jc + j * d)) found[i] = j;
  return found;
}

Rows find_best(const AttendInputs& inputs, const AttendParameters& parameters, const Execution& execution) {
  for (const TensorView* x : {&inputs.query, &inputs.key})
    if (x->rank() > 2) throw shape_error(x->name, x->shape, "(rows, width)");
  // The values are text: with numbers in their place, attention can weigh the keys.
  AttendInputs numeric = inputs;
  numeric.value = Tensor::zeros(DType::f64, {rows_of(inputs.key), 0}).view(inputs.value.name);
  AttendParameters hard = parameters;
  hard.normalize = Normalize::hard;
  // No key may be within a kernel of finite width.
  if (hard.empty != EmptyRows::error) hard.empty = EmptyRows::nearest;
  AttendRequest request;
  request.top = 1;
  const AttendResult result = attend(numeric, hard, request, execution);
  const auto* const key_i = result.top_keys->contiguous_data<std::int64_t>();
  const TensorView weights = cast(*result.top_weights, DType::f64);
  Rows found(result.top_keys->size());
  for (std::size_t i = 0; i < found.size(); ++i)
    if (weights.contiguous_data<double>()[i] > 0) found[i] = static_cast<std::size_t>(key_i[i]);
  return found;
}

TensorView take_rows(const TensorView& x, const TensorView& key, const Rows& rows) {
  if (x.rank() > 2 || rows_of(x) != rows_of(key))
    throw shape_error(x.name, x.shape, "(S) or (S, d) of as many rows as " + key.name + " " + to_string(key.shape));
  const TensorView from = x.dtype == DType::string || is_floating(x.dtype) ? contiguous(x) : cast(x, DType::f64);
  Shape shape = from.shape;
  if (shape.empty()) shape = {1};
  const std::size_t width = std::accumulate(shape.begin() + 1, shape.end(), std::size_t{1}, std::multiplies<>());
  shape[0] = rows.size();
  Tensor out(from.dtype, shape);
  TextMemory texts(x.name);
  visit_dtype(from.dtype, [&](auto type) {
    using T = decltype(type);
    if constexpr (std::is_integral_v<T>) return;  // integers are f64 by now
    const T* const in = from.contiguous_data<T>();
    if constexpr (std::is_same_v<T, std::string>)
      for (const auto& row : rows)
        for (std::size_t i = 0; row && i < width; ++i) texts.add_text(in[*row * width + i].size());
    T missing{};
    if constexpr (std::is_floating_point_v<T>) missing = std::numeric_limits<T>::quiet_NaN();
    if constexpr (std::is_same_v<T, Float16>) missing = to_float16(std::numeric_limits<double>::quiet_NaN());
    if constexpr (std::is_same_v<T, BFloat16>) missing = to_bfloat16(std::numeric_limits<double>::quiet_NaN());
    T* to = out.data_as<T>();
    for (const auto& row : rows) {
      if (row)
        std::copy_n(in + *row * width, width, to);
      else
        std::fill_n(to, width, missing);
      to += width;
    }
  });
  return from.dtype == DType::string ? std::move(texts).held_by(out.view(x.name)) : out.view(x.name);
}

}  // namespace attn
