#include <attn/layers/positional_encoding.hpp>

#include <attn/core/execution.hpp>
#include <attn/core/module.hpp>
#include <attn/core/reduce.hpp>
#include <attn/layers/inner/reference_module.hpp>

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

void expect_table(const TensorView& x, const TensorView& table) {
  if (x.rank() < 2) throw shape_error(x.name, x.shape, "(..., L, d)");
  if (table.rank() != 2 || table.shape[1] != x.shape.back())
    throw shape_error(table.name.empty() ? "table" : table.name, table.shape,
                      "(positions, " + std::to_string(x.shape.back()) + ")");
}

/// x (..., L, width), with a row of the table added to each of its rows.
TensorView add_rows(const TensorView& x, const TensorView& table, const std::vector<std::int64_t>& rows,
                    const Execution& execution) {
  const DType compute = wider(compute_dtype(x.dtype), compute_dtype(table.dtype));
  const std::size_t length = x.shape[x.rank() - 2], width = x.shape.back();
  const TensorView input = cast(x, compute), positions = cast(table, compute);
  Tensor y(compute, x.shape);
  visit_compute_dtype(compute, [&](auto element) {
    using T = decltype(element);
    const T *in = input.contiguous_data<T>(), *pe = positions.contiguous_data<T>();
    T* out = y.data_as<T>();
    const std::size_t parts = length * width > 0 ? y.size() / (length * width) : 0;
    execution.sized_for(y.size()).parallel_with_progress(parts, [&](std::size_t part, std::size_t) {
      for (std::size_t at = part * length; at < (part + 1) * length; ++at) {
        const T* row = pe + static_cast<std::size_t>(rows[at]) * width;
        for (std::size_t i = 0; i < width; ++i) out[at * width + i] = in[at * width + i] + row[i];
      }
    });
  });
  return y.view(x.name);
}

/// Row l is for position(l).
template <class Position>
Tensor sinusoids(const Shape& shape, const SinusoidalEncoding& encoding, DType dtype, const Execution& execution,
                 Position&& position) {
  if (!(encoding.base > 0) || !std::isfinite(encoding.base))
    throw Error(ErrorKind::usage, "base", "must be positive and finite");
  Tensor table(dtype, shape);
  if (table.size() == 0) return table;  // an absurd width would take forever
  const std::size_t width = shape[1], sines = (width + 1) / 2;
  const bool halves = encoding.layout == SinusoidLayout::halves;
  if (execution.engine == Engine::reference) {
    std::vector<double> positions(shape[0]), wide(table.size());
    for (std::size_t l = 0; l < shape[0]; ++l) positions[l] = position(l);
    expect_memory(
        reference::layer_functions().sinusoids(positions.data(), shape[0], width, encoding.base, halves, wide.data()));
    visit_compute_dtype(dtype, [&](auto element) {
      using T = decltype(element);
      std::transform(wide.begin(), wide.end(), table.data_as<T>(), [](double x) { return static_cast<T>(x); });
    });
    return table;
  }
  std::vector<double> wavelengths(width);
  for (std::size_t i = 0; i < width; ++i) {
    const std::size_t pair = halves ? i % sines : i / 2;
    wavelengths[i] = std::pow(encoding.base, static_cast<double>(2 * pair) / static_cast<double>(width));
  }
  constexpr std::size_t steps = 32;  // for each element
  visit_compute_dtype(dtype, [&](auto element) {
    using T = decltype(element);
    const auto pe = table.as<T, 2>();
    execution.sized_for(steps * table.size()).parallel_with_progress(shape[0], [&](std::size_t l, std::size_t) {
      const double at = position(l);
      for (std::size_t i = 0; i < width; ++i) {
        const double angle = at / wavelengths[i];
        const bool sine = halves ? i < sines : i % 2 == 0;
        pe(l, i) = static_cast<T>(sine ? std::sin(angle) : std::cos(angle));
      }
    });
  });
  return table;
}

}  // namespace

std::vector<double> listed_positions(const TensorView& positions) {
  const TensorView numbers = cast(positions, DType::f64);
  const double* first = numbers.contiguous_data<double>();
  std::vector<double> list(first, first + numbers.size());
  const auto bad = std::find_if(list.begin(), list.end(), [](double position) { return !std::isfinite(position); });
  if (bad != list.end())
    throw Error(ErrorKind::data, positions.name,
                "position " + std::to_string(bad - list.begin()) + " is not a finite number");
  return list;
}

Tensor sinusoidal_table(const std::vector<double>& positions, std::size_t width, const SinusoidalEncoding& encoding,
                        DType dtype, const Execution& execution) {
  return sinusoids({positions.size(), width}, encoding, dtype, execution, [&](std::size_t l) { return positions[l]; });
}

Tensor sinusoidal_table(std::size_t length, std::size_t width, const SinusoidalEncoding& encoding, DType dtype,
                        const Execution& execution) {
  return sinusoids({length, width}, encoding, dtype, execution, [&](std::size_t l) {
    return static_cast<double>(encoding.offset + static_cast<std::int64_t>(l) * encoding.step);
  });
}

namespace {

/// The number of rows of x (..., L, d), 0 if they have no elements: there may be very many of these.
std::size_t rows_of_elements(const TensorView& x) { return x.size() == 0 ? 0 : x.size() / x.shape.back(); }

/// The row of the table for each row of x.
std::vector<std::int64_t> rows_from(const TensorView& x, const TensorView& table, std::size_t offset) {
  expect_table(x, table);
  const std::size_t length = x.shape[x.rank() - 2];
  if (table.shape[0] < offset || table.shape[0] - offset < length)
    throw shape_error(table.name.empty() ? "table" : table.name, table.shape,
                      "rows for the positions " + std::to_string(offset) + " to " + std::to_string(offset + length) +
                          " of " + x.name);
  std::vector<std::int64_t> rows(rows_of_elements(x));
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<std::int64_t>(offset + i % length);
  return rows;
}

std::vector<std::int64_t> rows_listed(const TensorView& x, const TensorView& table, const TensorView& positions) {
  expect_table(x, table);
  const bool shared = positions.rank() == 1;
  const Shape leading(x.shape.begin(), x.shape.end() - 1), one{leading.back()};
  if (positions.shape != (shared ? one : leading))
    throw shape_error(positions.name, positions.shape, to_string(leading) + " or " + to_string(one));
  for (const double position : listed_positions(positions))
    if (position != std::floor(position))
      throw Error(ErrorKind::data, positions.name,
                  "holds fractions, but the table " + table.name + " has rows only for whole numbers",
                  "round them; sinusoidal and rotary positions may be fractions");
  const std::vector<std::int64_t> listed = to_integers(positions);
  for (const std::int64_t row : listed)
    if (row < 0 || static_cast<std::size_t>(row) >= table.shape[0])
      throw Error(ErrorKind::data, positions.name,
                  "holds position " + std::to_string(row) + ", the table " + table.name + " has " +
                      std::to_string(table.shape[0]) + " rows");
  std::vector<std::int64_t> rows(rows_of_elements(x));
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = listed[i % listed.size()];
  return rows;
}

TensorView summed_by_row(const TensorView& dy, const TensorView& table, const std::vector<std::int64_t>& rows,
                         const Execution& execution) {
  const DType compute = wider(compute_dtype(dy.dtype), compute_dtype(table.dtype));
  if (rows.empty()) return Tensor::zeros(compute, table.shape).view(table.name);
  return sum_by_row(reshaped(cast(dy, compute), {rows.size(), dy.shape.back()}), rows, table.shape[0], 1, execution);
}

}  // namespace

TensorView add_positions(const TensorView& x, const TensorView& table, const Execution& execution, std::size_t offset) {
  return add_rows(x, table, rows_from(x, table, offset), execution);
}

TensorView add_positions(const TensorView& x, const TensorView& table, const TensorView& positions,
                         const Execution& execution) {
  return add_rows(x, table, rows_listed(x, table, positions), execution);
}

TensorView add_positions_vjp(const TensorView& dy, const TensorView& table, const Execution& execution,
                             std::size_t offset) {
  return summed_by_row(dy, table, rows_from(dy, table, offset), execution);
}

TensorView add_positions_vjp(const TensorView& dy, const TensorView& table, const TensorView& positions,
                             const Execution& execution) {
  return summed_by_row(dy, table, rows_listed(dy, table, positions), execution);
}

}  // namespace attn
