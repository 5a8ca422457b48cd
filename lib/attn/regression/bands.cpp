#include <attn/regression/bands.hpp>

#include <attn/core/constants.hpp>
#include <attn/core/error.hpp>
#include <attn/regression/sums/sums.hpp>
#include <attn/regression/windows/evaluation.hpp>
#include <attn/regression/windows/local_polynomial.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace attn {
namespace {

void check_level(double level) {
  if (!(level > 0 && level < 1)) throw Error(ErrorKind::usage, "level", "is not between 0 and 1");
}

// The quantile of the normal distribution: Newton's method on erfc from a rough start.
double normal_quantile(double p) {
  double z = 0;
  for (int iteration = 0; iteration < 60; ++iteration) {
    const double error = 0.5 * std::erfc(-z * std::sqrt(0.5)) - p;
    const double density = std::exp(-0.5 * z * z) / std::sqrt(2 * pi);
    const double step = std::clamp(error / density, -1.0, 1.0);
    z -= step;
    if (std::abs(step) < 1e-15) break;
  }
  return z;
}

/// l / |l| at one query, of the samples in ascending order; none without a sample in reach.
struct Direction {
  std::vector<std::uint32_t> key;
  std::vector<double> value;
};

/// The angle between two directions, 0 if there is only one.
double angle(const Direction& a, const Direction& b) {
  if (a.key.empty() || b.key.empty()) return 0;
  double squares = 0;
  const auto add = [&](double difference) { squares += difference * difference; };
  std::size_t i = 0, k = 0;
  while (i < a.key.size() || k < b.key.size()) {
    if (k == b.key.size() || (i < a.key.size() && a.key[i] < b.key[k]))
      add(a.value[i++]);
    else if (i == a.key.size() || b.key[k] < a.key[i])
      add(b.value[k++]);
    else
      add(a.value[i++] - b.value[k++]);
  }
  return 2 * std::asin(std::min(1.0, 0.5 * std::sqrt(squares)));
}

/// The path of T over stretches of the line; one object for each thread.
class Path {
 public:
  Path(const KernelRegression::Prepared& samples, const Smoother& smoother)
      : rows_(samples, row_parameters(samples, smoother, true)), polynomial_(samples, smoother.degree) {}

  double length(double first, double last) {
    const Direction a = at(first), b = at(last);
    return between(first, a, last, b, angle(a, b), 16);
  }

 private:
  Direction at(double q) {
    rows_.find(&q, WeightRows::no_self, false, row_, scratch_);
    Direction found;
    if (row_.count() == 0) return found;
    polynomial_.solve(&q, row_);
    double squares = 0;
    for (std::size_t r = 0; r < row_.count(); ++r) {
      const double weight = polynomial_.smoothing()[r];
      if (!found.key.empty() && found.key.back() == row_.key[r]) {  // halves on both sides of a circle
        found.value.back() += weight;
        continue;
      }
      found.key.push_back(row_.key[r]);
      found.value.push_back(weight);
    }
    for (const double weight : found.value) squares += weight * weight;
    for (double& weight : found.value) weight /= std::sqrt(squares);
    return found;
  }

  // `whole` is the angle between the ends.
  double between(double first, const Direction& a, double last, const Direction& b, double whole, int halvings) {
    constexpr double share = 1e-5, rounding = 1e-12;
    const double middle = 0.5 * (first + last);
    const Direction m = at(middle);
    const double left = angle(a, m), right = angle(m, b), halves = left + right;
    const bool is_whole = a.key.empty() == m.key.empty() && m.key.empty() == b.key.empty();
    if (halvings == 0 || !(first < middle && middle < last) ||
        (is_whole && std::abs(halves - whole) <= share * halves + rounding))
      return halves + (is_whole ? (halves - whole) / 3 : 0);
    return between(first, a, middle, m, left, halvings - 1) + between(middle, m, last, b, right, halvings - 1);
  }

  WeightRows rows_;
  LocalPolynomial polynomial_;
  WeightRow row_;
  WeightRows::Scratch scratch_;
};

void expect_tube(const KernelRegression::Prepared& samples, const Smoother& smoother) {
  const auto refuse = [](bool is_given, const char* what, const char* why, const char* fix) {
    if (is_given) throw Error(ErrorKind::usage, what, why, fix);
  };
  const char* const pointwise = "take pointwise ones";
  refuse(samples.d != 1 || !samples.has_numbers(), "x", "simultaneous bands are for one column of numbers", pointwise);
  refuse(!samples.categories.empty(), "x", "simultaneous bands are for one column of numbers, without categories",
         pointwise);
  refuse(smoother.bandwidth.kind == Bandwidth::Kind::neighbours, "bandwidth",
         "is by neighbours, and simultaneous bands are for one width", "give a number or cv");
  refuse(smoother.kernel == Kernel::boxcar, "kernel",
         "boxcar jumps, and simultaneous bands follow a path without jumps", "take parabolic");
  refuse(smoother.causal, "causal", "jumps at every sample, and simultaneous bands follow a path without jumps",
         pointwise);
}

}  // namespace

std::string_view name_of(BandKind kind) noexcept {
  return kind == BandKind::pointwise ? "pointwise" : kind == BandKind::simultaneous ? "simultaneous" : "corrected";
}

double normal_critical_value(double level) {
  check_level(level);
  return normal_quantile(0.5 + 0.5 * level);
}

double tube_length(const KernelRegression& regression, const std::optional<TensorView>& queries, const Smoother& given,
                   const Execution& execution) {
  const KernelRegression::Prepared& samples = regression.prepared();
  expect_tube(samples, given);
  const Smoother smoother = without_infinite_widths(given, samples);
  QueryPoints points;
  points.samples = &samples;
  if (queries) points = query_points(*queries, samples, execution);
  double low = infinity, high = -infinity;
  for (std::size_t i = 0; i < points.count(); ++i)
    if (const double q = points.x().column(0)[i]; std::isfinite(q)) low = std::min(low, q), high = std::max(high, q);
  if (!(low < high)) return 0;
  if (!samples.periods.empty()) high = std::min(high, low + samples.periods[0]);
  // Half a width at a time, since turns of the path are about a width long.
  constexpr double fewest = 64, most = 1 << 20;
  const bool has_width = smoother.kernel != Kernel::constant;
  const double widths = has_width ? (high - low) * metric_of(smoother, samples).scale[0] : 0;
  const auto stretches = static_cast<std::size_t>(std::clamp(std::ceil(2 * widths), fewest, most));
  if (execution.only_counts(static_cast<double>(stretches) * 100 * static_cast<double>(samples.n))) return 0;
  const auto place = [&](std::size_t at) {
    return at == stretches ? high : low + (high - low) * (static_cast<double>(at) / static_cast<double>(stretches));
  };
  std::vector<double> lengths(stretches);
  execution.parallel(stretches, [&](std::size_t at, std::size_t) {
    lengths[at] = Path(samples, smoother).length(place(at), place(at + 1));
  });
  double total = 0;
  for (const double length : lengths) total += length;
  return total;
}

double tube_critical_value(double length, double level) {
  check_level(level);
  // Falls as c grows, from 1 or more at c = 0.
  const auto outside = [&](double c) { return length / pi * std::exp(-0.5 * c * c) + std::erfc(c * std::sqrt(0.5)); };
  double low = 0, high = 1;
  while (outside(high) > 1 - level) low = high, high *= 2;
  for (int halving = 0; halving < 100 && low < high; ++halving) {
    const double middle = 0.5 * (low + high);
    if (middle == low || middle == high) break;
    (outside(middle) > 1 - level ? low : high) = middle;
  }
  return high;
}

TensorView band_around(const TensorView& fit, const TensorView& standard_error,
                       const std::vector<double>& critical_values, bool is_probability) {
  const double *mean = fit.contiguous_data<double>(), *error = standard_error.contiguous_data<double>();
  const std::size_t m = fit.shape[0], outputs = fit.rank() == 1 ? 1 : fit.shape[1];
  Tensor band(DType::f64, {m, 2 * outputs});
  double* border = band.data_as<double>();
  for (std::size_t i = 0; i < m * outputs; ++i) {
    const double c = critical_values[i % critical_values.size()];
    border[2 * i] = mean[i] - c * error[i];
    border[2 * i + 1] = mean[i] + c * error[i];
  }
  for (std::size_t i = 0; is_probability && i < 2 * m * outputs; ++i) border[i] = std::clamp(border[i], 0.0, 1.0);
  return band.view("band");
}

TensorView confidence_band(const TensorView& fit, const TensorView& standard_error, double level, bool is_probability) {
  return band_around(fit, standard_error, {normal_critical_value(level)}, is_probability);
}

}  // namespace attn
