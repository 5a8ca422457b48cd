#include <attn/core/error.hpp>
#include <attn/core/slab.hpp>
#include <attn/core/texts.hpp>
#include <attn/core/values.hpp>
#include <attn/regression/preparation.hpp>
#include <attn/regression/samples/samples.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace attn {
namespace {

TensorView as_table(const TensorView& x) { return x.rank() == 1 ? reshaped(contiguous(x), {x.shape[0], 1}) : x; }

/// Marks rows with a NaN or a missing label.
void mark_missing(const TensorView& tensor, std::vector<bool>& missing) {
  const bool is_text = tensor.dtype == DType::string;
  if (!(is_text || is_floating(tensor.dtype)) || tensor.rank() == 0 || tensor.rank() > 2) return;
  const TensorView table = is_text ? as_table(tensor) : cast(as_table(tensor), DType::f64);
  const auto mark = [&](const auto& rows, const auto& is_absent) {
    for (std::size_t i = 0; i < std::min(rows.shape[0], missing.size()); ++i)
      for (std::size_t j = 0; j < rows.shape[1]; ++j)
        if (is_absent(rows(i, j))) missing[i] = true;
  };
  if (is_text)
    mark(table.as<std::string, 2>(), [](const std::string& label) { return is_missing(label); });
  else
    mark(table.as<double, 2>(), [](double value) { return std::isnan(value); });
}

}  // namespace

void refuse_missing(const TensorView& tensor, const char* fallback) {
  std::vector<bool> missing(tensor.rank() > 0 ? tensor.shape[0] : 0, false);
  mark_missing(tensor, missing);
  const auto first = std::find(missing.begin(), missing.end(), true);
  if (first != missing.end())
    throw Error(ErrorKind::data, name_or(tensor, fallback),
                "row " + std::to_string(first - missing.begin()) +
                    (tensor.dtype == DType::string ? " has no label" : " is NaN"),
                "--missing omit drops such rows");
}

std::vector<std::size_t> complete_rows(const Samples& samples, MissingValues missing) {
  const std::size_t n = samples.x.rank() > 0 ? samples.x.shape[0] : 0;
  if (missing != MissingValues::omit) {
    refuse_missing(samples.x, "x");
    if (missing == MissingValues::error) refuse_missing(samples.y, "y");
    if (samples.weights) refuse_missing(*samples.weights, "weights");
  }
  const auto expect_rows = [&](const TensorView& tensor, const char* fallback) {
    if (tensor.rank() == 0 || tensor.shape[0] != n)
      throw shape_error(name_or(tensor, fallback), tensor.shape,
                        std::to_string(n) + " rows as " + name_or(samples.x, "x"));
  };
  expect_rows(samples.y, "y");
  if (samples.weights) expect_rows(*samples.weights, "weights");
  std::vector<bool> left_out(n, false);
  if (missing == MissingValues::omit) {
    mark_missing(samples.x, left_out);
    mark_missing(samples.y, left_out);
    if (samples.weights) mark_missing(*samples.weights, left_out);
  }
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < n; ++i)
    if (!left_out[i]) rows.push_back(i);
  return rows;
}

Samples rows_of(const Samples& samples, const std::vector<std::size_t>& rows) {
  Samples chosen{rows_of(samples.x, rows), rows_of(samples.y, rows), std::nullopt, samples.categories};
  if (samples.weights) chosen.weights = rows_of(*samples.weights, rows);
  if (samples.robustness) chosen.robustness = rows_of(*samples.robustness, rows);
  return chosen;
}

TensorView Standardisation::apply(const TensorView& x) const {
  const std::size_t d = origin.size();
  TensorView q = x;
  if (q.rank() == 0) q = reshaped(contiguous(q), {1});
  if (q.rank() == 1 && d > 1 && q.shape[0] == d) q = reshaped(contiguous(q), {1, d});
  const TensorView table = cast(as_table(q), DType::f64);
  if (table.shape[1] != d) throw shape_error(name_or(x, "q"), x.shape, std::to_string(d) + " columns");
  const auto from = table.as<double, 2>();
  Tensor out(DType::f64, table.shape);
  const auto to = out.as<double, 2>();
  for (std::size_t i = 0; i < from.shape[0]; ++i)
    for (std::size_t j = 0; j < d; ++j) to(i, j) = ((from(i, j) - origin[j]) - offset[j]) / deviation[j];
  return out.view(x.name);
}

TensorView Standardisation::slopes(const TensorView& derivative) const {
  Tensor result(DType::f64, derivative.shape);
  const TensorView given = contiguous(cast(derivative, DType::f64));
  const double* in = given.contiguous_data<double>();
  double* out = result.data_as<double>();
  for (std::size_t i = 0; i < result.size(); ++i) out[i] = in[i] / deviation[numbers[i % numbers.size()]];
  return result.view(derivative.name);
}

Standardisation standardisation_of(const TensorView& x, const std::vector<Category>& categories) {
  const TensorView table = cast(as_table(x), DType::f64);
  const auto rows = table.as<double, 2>();
  const std::size_t count = rows.shape[0];
  const auto n = static_cast<double>(count);
  Standardisation s;
  for (std::size_t j = 0; j < rows.shape[1]; ++j) {
    if (std::any_of(categories.begin(), categories.end(), [&](const Category& c) { return c.column == j; })) {
      s.origin.push_back(0);
      s.offset.push_back(0);
      s.deviation.push_back(1);
      continue;
    }
    s.numbers.push_back(j);
    const double origin = count > 0 ? rows(0, j) : 0;
    double farthest = 0, offset = 0, rest = 0, square = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (!std::isfinite(rows(i, j) - origin))
        throw Error(ErrorKind::data, name_or(x, "x"),
                    "row " + std::to_string(i) + ", column " + std::to_string(j) + " is not finite", "drop such rows");
      farthest = std::max(farthest, std::abs(rows(i, j) - origin));
    }
    if (!(farthest > 0))
      throw Error(ErrorKind::data, name_or(x, "x"), "column " + std::to_string(j) + " is constant and has no scale",
                  "drop the column");
    // In shares of the farthest, so that squares neither underflow nor overflow; the rounding error of the mean is the
    // sum of the steps from it.
    const auto step = [&](std::size_t i) { return (rows(i, j) - origin) / farthest; };
    for (std::size_t i = 0; i < count; ++i) offset += step(i) / n;
    for (std::size_t i = 0; i < count; ++i) rest += (step(i) - offset) / n;
    offset += rest;
    for (std::size_t i = 0; i < count; ++i) square += (step(i) - offset) * (step(i) - offset);
    s.origin.push_back(origin);
    s.offset.push_back(offset * farthest);
    s.deviation.push_back(std::sqrt(square / (n - 1)) * farthest);
  }
  return s;
}

}  // namespace attn
