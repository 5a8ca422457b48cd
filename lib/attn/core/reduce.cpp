#include <attn/core/reduce.hpp>

#include <algorithm>
#include <numeric>

namespace attn {

TensorView sum_to(const TensorView& x, const Shape& shape) {
  if (x.shape == shape) return x;
  Tensor sum = Tensor::zeros(DType::f64, shape);
  const TensorView wide = cast(x, DType::f64);
  const Strides strides = broadcast_to(sum.view(x.name), x.shape).strides;
  const double* from = wide.contiguous_data<double>();
  double* const to = sum.data_as<double>();
  const std::size_t n = x.rank() > 0 ? x.shape.back() : 1, rows = n > 0 ? x.size() / n : 0;
  const std::ptrdiff_t step = x.rank() > 0 ? strides.back() : 0;
  for (std::size_t row = 0; row < rows; ++row, from += n) {
    std::ptrdiff_t at = 0;
    for (std::size_t axis = x.rank() - 1, rest = row; axis-- > 0; rest /= x.shape[axis])
      at += static_cast<std::ptrdiff_t>(rest % x.shape[axis]) * strides[axis];
    for (std::size_t j = 0; j < n; ++j) to[at + static_cast<std::ptrdiff_t>(j) * step] += from[j];
  }
  return cast(sum.view(x.name), x.dtype);
}

TensorView sum_of_rows(const TensorView& x, const Execution& execution) {
  const std::size_t rows = x.shape.at(0), n = x.shape.at(1);
  Tensor sum(x.dtype, {n});
  visit_compute_dtype(x.dtype, [&](auto element) {
    using T = decltype(element);
    const T* const from = x.contiguous_data<T>();
    constexpr std::size_t block = 64;
    execution.sized_for(x.size()).parallel((n + block - 1) / block, [&](std::size_t task, std::size_t) {
      const std::size_t first = task * block, count = std::min(block, n - first);
      double columns[block] = {};
      for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t j = 0; j < count; ++j) columns[j] += static_cast<double>(from[row * n + first + j]);
      std::transform(columns, columns + count, sum.data_as<T>() + first, [](double c) { return static_cast<T>(c); });
    });
  });
  return sum.view(x.name);
}

TensorView sum_by_row(const TensorView& x, const std::vector<std::int64_t>& rows, std::size_t count, double scale,
                      const Execution& execution) {
  const std::size_t n = x.shape.at(1);
  std::vector<std::size_t> order(rows.size()), starts;
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rows[a] < rows[b]; });
  for (std::size_t i = 0; i < order.size(); ++i)
    if (i == 0 || rows[order[i]] != rows[order[i - 1]]) starts.push_back(i);
  starts.push_back(order.size());
  Tensor table = Tensor::zeros(x.dtype, {count, n});
  visit_compute_dtype(x.dtype, [&](auto element) {
    using T = decltype(element);
    const T* const from = x.contiguous_data<T>();
    execution.sized_for(x.size()).parallel(starts.size() - 1, [&](std::size_t task, std::size_t) {
      std::vector<double> sum(n);
      for (std::size_t i = starts[task]; i < starts[task + 1]; ++i)
        for (std::size_t j = 0; j < n; ++j) sum[j] += static_cast<double>(from[order[i] * n + j]);
      T* const to = table.data_as<T>() + static_cast<std::size_t>(rows[order[starts[task]]]) * n;
      for (std::size_t j = 0; j < n; ++j) to[j] = static_cast<T>(scale * sum[j]);
    });
  });
  return table.view(x.name);
}

}  // namespace attn
