#include <attn/core/error.hpp>
#include <attn/regression/bandwidth.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace attn {
namespace {

std::string shortest(double x) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, x).ptr};
}

[[noreturn]] void refuse(const std::string& detail, const std::string& fix = {}) {
  throw Error(ErrorKind::usage, "bandwidth", detail, fix);
}

void check_matrix(const std::vector<double>& h, std::size_t d) {
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (std::abs(h[i * d + j] - h[j * d + i]) > 1e-9 * std::max(std::abs(h[i * d + j]), std::abs(h[j * d + i])))
        refuse("the matrix is not symmetric: row " + std::to_string(i) + ", column " + std::to_string(j) + " is " +
               shortest(h[i * d + j]) + ", its mirror " + shortest(h[j * d + i]));
  if (cholesky(h, d).empty()) refuse("the matrix is not positive definite");
}

// Canonical bandwidth of K as a density, (R(K) / mu_2(K)^2)^(1/5), relative to the Gaussian's (Marron and Nolan 1988).
double canonical_ratio(Kernel kernel) {
  switch (kernel) {
    case Kernel::boxcar: return 1.7400570570;
    case Kernel::triangular:
    case Kernel::epanechnikov: return 2.4319981192;
    case Kernel::parabolic: return 2.2138043588;
    case Kernel::biweight: return 2.6226153288;
    case Kernel::triweight: return 2.9781059248;
    case Kernel::tricube: return 2.6097835971;
    case Kernel::cosine: return 2.2749766758;
    case Kernel::laplace: return 0.7397704667;
    default: return kernel_scale(kernel, ScaleConvention::sd);
  }
}

}  // namespace

std::vector<double> cholesky(const std::vector<double>& h, std::size_t d) {
  std::vector<double> lower(d * d, 0.0);
  for (std::size_t j = 0; j < d; ++j) {
    double pivot = h[j * d + j];
    for (std::size_t k = 0; k < j; ++k) pivot -= lower[j * d + k] * lower[j * d + k];
    if (!(pivot > 0) || !std::isfinite(pivot)) return {};
    lower[j * d + j] = std::sqrt(pivot);
    for (std::size_t i = j + 1; i < d; ++i) {
      double sum = h[i * d + j];
      for (std::size_t k = 0; k < j; ++k) sum -= lower[i * d + k] * lower[j * d + k];
      lower[i * d + j] = sum / lower[j * d + j];
    }
  }
  return lower;
}

Bandwidth bandwidth_from_tensor(const TensorView& tensor, std::size_t d) {
  const TensorView numbers = cast(tensor, DType::f64);
  const double* first = numbers.contiguous_data<double>();
  std::vector<double> values(first, first + numbers.size());
  if (values.size() == 1) return Bandwidth::number(values[0]);
  if (tensor.rank() == 2 && tensor.shape[0] == d && tensor.shape[1] == d) return Bandwidth::matrix(std::move(values));
  const bool is_list = tensor.rank() == 1 || (tensor.rank() == 2 && (tensor.shape[0] == 1 || tensor.shape[1] == 1));
  if (is_list && values.size() == d) return Bandwidth::per_coordinate(std::move(values));
  const std::string count = std::to_string(d);
  throw shape_error(tensor.name.empty() ? "bandwidth" : tensor.name, tensor.shape,
                    "one number, " + count + " (one for each column of x) or (" + count + ", " + count + ")");
}

void check_bandwidth(const Bandwidth& bandwidth, std::size_t d, std::size_t candidates, const char* what) {
  if (bandwidth.kind == Bandwidth::Kind::neighbours) {
    const std::string count = std::to_string(candidates);
    if (bandwidth.neighbours < 1 || bandwidth.neighbours > candidates)
      refuse(
          "knn:" + std::to_string(bandwidth.neighbours) + " asks for that many neighbours among " + count + " " + what,
          candidates == 0 ? "" : "give a number from 1 to " + count);
    return;
  }
  const std::size_t expected = bandwidth.kind == Bandwidth::Kind::number   ? 1
                               : bandwidth.kind == Bandwidth::Kind::matrix ? d * d
                                                                           : d;
  if (bandwidth.values.size() != expected)
    refuse("has " + std::to_string(bandwidth.values.size()) + " numbers, expected " + std::to_string(expected) +
               " for x with " + std::to_string(d) + (d == 1 ? " column" : " columns"),
           "give one number for all or one for each column");
  if (bandwidth.kind == Bandwidth::Kind::matrix) return check_matrix(bandwidth.values, d);
  for (const double h : bandwidth.values)
    if (!(h > 0))
      refuse(shortest(h) + " is not a positive number");
    else if (h < 1e-307 || (h > 1e307 && std::isfinite(h)))
      refuse(shortest(h) + " is outside the range in which distances keep their digits",
             "measure x and the bandwidth in another unit");
}

std::string to_string(const Bandwidth& bandwidth) {
  if (bandwidth.kind == Bandwidth::Kind::neighbours) return "knn:" + std::to_string(bandwidth.neighbours);
  const auto count = bandwidth.values.size();
  const auto row =
      bandwidth.kind == Bandwidth::Kind::matrix ? static_cast<std::size_t>(std::lround(std::sqrt(count))) : count;
  std::string out;
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) out += i % row == 0 ? ";" : ",";
    out += shortest(bandwidth.values[i]);
  }
  return out;
}

Bandwidth rule_of_thumb(const TensorView& x, Kernel kernel, ScaleConvention convention) {
  const TensorView table = cast(x.rank() == 1 ? reshaped(contiguous(x), {x.shape[0], 1}) : x, DType::f64);
  const auto rows = table.as<double, 2>();
  const std::size_t n = rows.shape[0], d = rows.shape[1];
  const double exponent = 1.0 / (static_cast<double>(d) + 4);
  const double factor = std::pow(4.0 / ((static_cast<double>(d) + 2) * static_cast<double>(n)), exponent) *
                        canonical_ratio(kernel) / kernel_scale(kernel, convention);
  std::vector<double> h(d), column(n);
  for (std::size_t j = 0; j < d; ++j) {
    double mean = 0, square = 0, farthest = 0;
    // Measured from one of the samples, so that an offset costs no digits, in shares of the farthest, so that squares
    // neither vanish nor overflow. Equal numbers have no spread, though their mean may be off by a rounding.
    for (std::size_t i = 0; i < n; ++i) farthest = std::max(farthest, std::abs(column[i] = rows(i, j) - rows(0, j)));
    if (farthest > 0)
      for (double& value : column) mean += (value /= farthest) / static_cast<double>(n);
    for (const double value : column) square += (value - mean) * (value - mean);
    double spread = farthest > 0 ? std::sqrt(square / (static_cast<double>(n) - 1)) : 0;
    // Quartiles by linear interpolation between order statistics, as R's quantile() does.
    const auto quantile = [&](double p) {
      const double at = p * (static_cast<double>(n) - 1);
      const auto low = static_cast<std::ptrdiff_t>(at);
      std::nth_element(column.begin(), column.begin() + low, column.end());
      const double below = column[static_cast<std::size_t>(low)];
      if (static_cast<std::size_t>(low) + 1 >= n) return below;
      const double above = *std::min_element(column.begin() + low + 1, column.end());
      return below + (at - static_cast<double>(low)) * (above - below);
    };
    const double upper = n > 0 ? quantile(0.75) : 0, lower = n > 0 ? quantile(0.25) : 0;
    if (upper > lower) spread = std::min(spread, (upper - lower) / 1.349);
    if (!(spread > 0))
      throw Error(ErrorKind::data, x.name.empty() ? "x" : x.name,
                  "column " + std::to_string(j) + " is constant, so the rule of thumb gives it no bandwidth",
                  "drop the column or give the bandwidth");
    h[j] = spread * factor * farthest;
  }
  return d == 1 ? Bandwidth::number(h[0]) : Bandwidth::per_coordinate(std::move(h));
}

}  // namespace attn
