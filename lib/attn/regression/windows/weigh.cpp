// The weights of the keys of one row.
#include <attn/regression/windows/weight_rows.hpp>

#include <attn/core/infinity.hpp>

#include <algorithm>
#include <cmath>

namespace attn {
void WeightRows::weigh_compact(const double* q, std::size_t self, bool slopes, WeightRow& row, Scratch& scratch) const {
  for (const KeyRun run : scratch.runs) {
    scratch.squared.resize(run.end - run.begin);
    measure(q, row, run, scratch.squared.data());
    for (std::uint32_t i = run.begin; i < run.end; ++i) {
      const double squared = parameters_.metric.snapped(scratch.squared[i - run.begin]);
      if (!(squared <= 1) || i == self || (parameters_.causal && x_[0][i] > q[0])) continue;
      const double u = std::sqrt(squared), weight = kernel_weight(parameters_.kernel, u) * factor(q, i);
      if (!(weight > 0)) continue;
      row.key.push_back(i);
      row.weight.push_back(weight);
      if (slopes) row.slope.push_back(weight * kernel_falloff(parameters_.kernel, u));
    }
  }
}

// Squared distances in row.weight become u_i^2 - u_0^2 = sum_j (x_i - x_0) (x_i - q + x_0 - q) scale^2 with the nearest
// key 0; returns the smallest.
double WeightRows::subtract_nearest(const double* q, WeightRow& row) const {
  const auto nearest = std::min_element(row.weight.begin(), row.weight.end()) - row.weight.begin();
  const std::uint32_t origin = row.key[static_cast<std::size_t>(nearest)];
  double smallest = 0;
  for (std::size_t r = 0; r < row.count(); ++r) {
    double difference = 0;
    for (std::size_t j = 0; j < samples_.d; ++j) {
      const double x = x_[j][row.key[r]], x0 = x_[j][origin];
      difference += ((x - x0) * row.scale[j]) * (((x - q[j]) + (x0 - q[j])) * row.scale[j]);
    }
    row.weight[r] = difference;
    smallest = std::min(smallest, difference);
  }
  return smallest;
}

// Squared distances in row.weight, all beyond the largest double, become those that give the same weights relative to
// the nearest key, which gets 0: u_i^2 - u_0^2 for the Gaussian, (u_i - u_0)^2 for Laplace.
void WeightRows::measure_from_nearest(const double* q, WeightRow& row) const {
  std::vector<long double> squared(row.count()), difference(row.count());
  const auto step = [&](std::size_t r, std::size_t j) {
    return (static_cast<long double>(x_[j][row.key[r]]) - q[j]) * row.scale[j];
  };
  for (std::size_t r = 0; r < row.count(); ++r)
    for (std::size_t j = 0; j < samples_.d; ++j) squared[r] += step(r, j) * step(r, j);
  const auto origin = static_cast<std::size_t>(std::min_element(squared.begin(), squared.end()) - squared.begin());
  for (std::size_t r = 0; r < row.count(); ++r)
    for (std::size_t j = 0; j < samples_.d; ++j) {
      const long double apart = static_cast<long double>(x_[j][row.key[r]]) - x_[j][row.key[origin]];
      difference[r] += apart * row.scale[j] * (step(r, j) + step(origin, j));
    }
  const long double least = *std::min_element(difference.begin(), difference.end());
  const long double base = squared[origin] + least;
  for (std::size_t r = 0; r < row.count(); ++r) {
    const long double more = difference[r] - least;
    const long double further = more / (std::sqrt(base + more) + std::sqrt(base));
    row.weight[r] = static_cast<double>(parameters_.kernel == Kernel::laplace ? further * further : more);
  }
}

void WeightRows::weigh_exponential(const double* q, std::size_t self, bool slopes, WeightRow& row,
                                   Scratch& scratch) const {
  double smallest = infinity;
  for (const KeyRun run : scratch.runs) {
    scratch.squared.resize(run.end - run.begin);
    measure(q, row, run, scratch.squared.data());
    for (std::uint32_t i = run.begin; i < run.end; ++i) {
      if (i == self || (parameters_.causal && x_[0][i] > q[0]) || (has_factors() && factor(q, i) == 0)) continue;
      row.key.push_back(i);
      row.weight.push_back(scratch.squared[i - run.begin]);
      smallest = std::min(smallest, row.weight.back());
    }
  }
  if (row.count() == 0) return;
  const bool is_scaled = std::all_of(row.scale.begin(), row.scale.end(), [](double s) { return s < infinity; });
  const bool is_beyond_squares = smallest == infinity && is_scaled;
  if (is_beyond_squares) {
    measure_from_nearest(q, row);
    smallest = 0;
  }
  // Far away the squares are large and nearly equal, and their differences are all that counts: taken from the nearest
  // key, without subtracting squares. Its own square is then 0 and `smallest` becomes the difference of the true
  // nearest.
  constexpr double far = 64;
  const bool is_far = smallest > far && smallest < infinity;
  const double base = is_far ? smallest : 0;
  if (is_far) {
    smallest = subtract_nearest(q, row);
    row.log_factor = kernel_log_weight(parameters_.kernel, base + smallest);
  } else {
    row.log_factor = smallest < infinity ? kernel_log_weight(parameters_.kernel, smallest) : 0;
  }
  row.falloff = parameters_.kernel == Kernel::gaussian ? 1 : 0;
  std::size_t kept = 0;
  for (std::size_t r = 0; r < row.count(); ++r) {
    const std::uint32_t i = row.key[r];
    const double squared = row.weight[r];
    // K relative to the nearest key. Too far for the square to be a number: only ties with the nearest remain.
    double log_weight = 0;
    if (smallest == infinity || squared == infinity)
      log_weight = squared == smallest ? 0 : -infinity;
    else if (parameters_.kernel == Kernel::gaussian)
      log_weight = -0.5 * (squared - smallest);
    else if (parameters_.kernel == Kernel::laplace && squared > smallest)
      log_weight = -(squared - smallest) / (std::sqrt(base + squared) + std::sqrt(base + smallest));
    const double weight = std::exp(log_weight) * factor(q, i);
    if (!(weight > 0)) continue;
    row.key[kept] = i;
    row.weight[kept] = weight;
    // The falloff of Laplace, 1 / u, is nothing there.
    const double u = is_beyond_squares ? infinity : std::sqrt(base + squared);
    if (slopes) row.slope.push_back(weight * (kernel_falloff(parameters_.kernel, u) - row.falloff));
    ++kept;
  }
  row.key.resize(kept);
  row.weight.resize(kept);
}

}  // namespace attn
