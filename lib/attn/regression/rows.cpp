#include <attn/regression/rows.hpp>

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double total(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

}  // namespace

WeightRows::Parameters row_parameters(const KernelRegression::Prepared& samples, const Smoother& smoother,
                                      bool restricted) {
  return {smoother.kernel, metric_of(smoother, samples.d), samples.weight(), smoother.causal, smoother.decay,
          smoother.tolerance,
          // Keys of 1e-24 of the weight can carry a slope; what is dropped must be little beside those.
          smoother.degree == 0 ? 0x1p-54 : 0x1p-136, restricted};
}

WeightRows::WeightRows(const KernelRegression::Prepared& samples, Parameters parameters)
    : samples_(samples), parameters_(std::move(parameters)), x_(samples.x.pointers()) {}

// The reach of an adaptive bandwidth at q. False when there is no other key at all.
bool WeightRows::adapt(const double* q, std::size_t self, WeightRow& row, Scratch& scratch) const {
  row.scale = parameters_.metric.scale;
  if (parameters_.metric.neighbours == 0) return true;
  std::vector<double>& nearest = scratch.distances;
  const std::size_t n = samples_.n, k = parameters_.metric.neighbours;
  const Eligible eligible{self, parameters_.weight, parameters_.causal};
  if (samples_.d >= 2) {
    samples_.tree->nearest(q, parameters_.metric.scale.data(), k, eligible, x_, nearest);
  } else {
    // Sorted keys: the k nearest are next to each other, found by walking outwards from q.
    nearest.clear();
    const double* x = x_[0];
    const auto later = static_cast<std::size_t>(std::upper_bound(x, x + n, q[0]) - x);
    const std::size_t end = eligible.past ? later : n;
    std::size_t right = later, left = later;
    while (nearest.size() < k && (left > 0 || right < end)) {
      const bool take_left = right == end || (left > 0 && q[0] - x[left - 1] <= x[right] - q[0]);
      const std::size_t i = take_left ? --left : right++;
      if (i != self && (eligible.weight == nullptr || eligible.weight[i] > 0))
        nearest.push_back((x[i] - q[0]) * (x[i] - q[0]));
    }
  }
  if (nearest.empty()) return false;
  const double distance = std::sqrt(nearest.back());
  // All k coincide with q: only coincident points are in reach of so small a bandwidth.
  const double scale = distance > 0 ? 1 / (distance * parameters_.metric.kernel_scale) : infinity;
  for (double& s : row.scale) s = scale;
  return true;
}

// Runs of keys that may take part.
void WeightRows::candidates(const double* q, std::size_t self, bool restricted, const std::vector<double>& scale,
                            Scratch& scratch) const {
  const auto n = static_cast<std::uint32_t>(samples_.n);
  scratch.runs.assign(1, {0, n});
  scratch.nearest = 0;
  const bool compact = is_compact(parameters_.kernel);
  if (n == 0) return;
  if (restricted && (compact || (parameters_.kernel == Kernel::gaussian && (samples_.d == 1 || !parameters_.causal)))) {
    // Beyond this reach of the nearest key, all n Gaussian weights together are below the rounding (or the tolerance)
    // of the sum: exp(-(u^2 - u_min^2) / 2) n <= tolerance.
    double radius = 1 + parameters_.metric.slack();
    if (!compact) {
      double nearest = 0;
      if (samples_.d >= 2) {
        samples_.tree->nearest(q, scale.data(), 1, {self}, x_, scratch.distances);
        if (!scratch.distances.empty()) nearest = scratch.distances[0];
      } else {
        const double* x = x_[0];
        const auto right = static_cast<std::size_t>(std::lower_bound(x, x + n, q[0]) - x);
        double gap = infinity;
        // The nearest other key is one of the two on either side. Under `causal` equal keys to the right count as well.
        for (std::size_t i = right < 2 ? 0 : right - 2; i < std::min<std::size_t>(n, right + 2); ++i)
          if (i != self && !(parameters_.causal && x[i] > q[0])) gap = std::min(gap, std::abs(x[i] - q[0]) * scale[0]);
        nearest = gap * gap;
      }
      scratch.nearest = nearest;
      const double tolerance = std::max(parameters_.tolerance, parameters_.rounding / samples_.y_spread);
      radius = std::sqrt(nearest - 2 * std::log(tolerance / n));
    }
    if (std::isfinite(radius)) {
      if (samples_.d >= 2) {
        samples_.tree->reach(q, scale.data(), radius, scratch.runs);
      } else {
        const double* x = x_[0];
        const double reach = radius / scale[0] * (1 + 1e-12);
        scratch.runs[0] = {static_cast<std::uint32_t>(std::lower_bound(x, x + n, q[0] - reach) - x),
                           static_cast<std::uint32_t>(std::upper_bound(x, x + n, q[0] + reach) - x)};
      }
    }
  }
  if (parameters_.causal && samples_.d == 1) {
    const auto end = static_cast<std::uint32_t>(std::upper_bound(x_[0], x_[0] + n, q[0]) - x_[0]);
    for (KeyRun& run : scratch.runs) run.end = std::max(run.begin, std::min(run.end, end));
  }
}

void WeightRows::find_reach(const double* q, std::size_t self, Scratch& scratch) const {
  candidates(q, self, parameters_.restricted, parameters_.metric.scale, scratch);
}

// Squared scaled distances of a run.
void WeightRows::measure(const double* q, const WeightRow& row, KeyRun run, double* squared) const {
  for (std::size_t j = 0; j < samples_.d; ++j) {
    const double *x = x_[j] + run.begin, at = q[j], scale = row.scale[j];
    const std::size_t count = run.end - run.begin;
    if (scale == infinity) {
      for (std::size_t i = 0; i < count; ++i) squared[i] = (j == 0 ? 0 : squared[i]) + (x[i] == at ? 0.0 : infinity);
      continue;
    }
    for (std::size_t i = 0; i < count; ++i) {
      const double step = (x[i] - at) * scale;
      squared[i] = (j == 0 ? 0 : squared[i]) + step * step;
    }
  }
}

void WeightRows::weigh_compact(const double* q, std::size_t self, bool slopes, WeightRow& row, Scratch& scratch) const {
  const double* observation = parameters_.weight;
  for (const KeyRun run : scratch.runs) {
    scratch.squared.resize(run.end - run.begin);
    measure(q, row, run, scratch.squared.data());
    for (std::uint32_t i = run.begin; i < run.end; ++i) {
      const double squared = parameters_.metric.snapped(scratch.squared[i - run.begin]);
      if (!(squared <= 1) || i == self || (parameters_.causal && x_[0][i] > q[0])) continue;
      const double u = std::sqrt(squared), factor = observation != nullptr ? observation[i] : 1.0;
      const double weight = kernel_weight(parameters_.kernel, u) * factor;
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
  const double* observation = parameters_.weight;
  double smallest = infinity;
  for (const KeyRun run : scratch.runs) {
    scratch.squared.resize(run.end - run.begin);
    measure(q, row, run, scratch.squared.data());
    for (std::uint32_t i = run.begin; i < run.end; ++i) {
      if (i == self || (parameters_.causal && x_[0][i] > q[0]) || (observation != nullptr && observation[i] == 0))
        continue;
      row.key.push_back(i);
      row.weight.push_back(scratch.squared[i - run.begin]);
      smallest = std::min(smallest, row.weight.back());
    }
  }
  if (row.count() == 0) return;
  const bool is_scaled = std::all_of(row.scale.begin(), row.scale.end(), [](double s) { return s < infinity; });
  if (smallest == infinity && is_scaled) {
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
    const double factor = observation != nullptr ? observation[i] : 1.0;
    const double weight = std::exp(log_weight) * factor;
    if (!(weight > 0)) continue;
    row.key[kept] = i;
    row.weight[kept] = weight;
    if (slopes) row.slope.push_back(weight * kernel_falloff(parameters_.kernel, std::sqrt(base + squared)));
    ++kept;
  }
  row.key.resize(kept);
  row.weight.resize(kept);
}

void WeightRows::find(const double* q, std::size_t self, bool slopes, WeightRow& row, Scratch& scratch) const {
  row.key.clear();
  row.weight.clear();
  row.slope.clear();
  row.log_factor = 0;
  if (!adapt(q, self, row, scratch)) return;
  candidates(q, self, parameters_.restricted, row.scale, scratch);
  if (is_compact(parameters_.kernel)) {
    weigh_compact(q, self, slopes, row, scratch);
  } else {
    weigh_exponential(q, self, slopes, row, scratch);
    // The bound behind the restriction is relative to a nearest key that counts fully. Where observation weights leave
    // it little, look at every key.
    const double nearest_weight = kernel_log_weight(parameters_.kernel, scratch.nearest);
    if (parameters_.restricted && parameters_.weight != nullptr &&
        !(total(row.weight) * std::exp(row.log_factor - nearest_weight) >= 0.5)) {
      row.key.clear();
      row.weight.clear();
      row.slope.clear();
      candidates(q, self, false, row.scale, scratch);
      weigh_exponential(q, self, slopes, row, scratch);
    }
  }
  if (parameters_.decay != 0 && row.count() > 0) forget(q[0], slopes, row);
}

// Older keys count less: relative to the newest of the row, so that nothing vanishes that had company.
void WeightRows::forget(double now, bool slopes, WeightRow& row) const {
  double newest = -infinity;
  for (const std::uint32_t i : row.key) newest = std::max(newest, x_[0][i]);
  for (std::size_t r = 0; r < row.count(); ++r) {
    const double faded = std::exp(parameters_.decay * (x_[0][row.key[r]] - std::min(newest, now)));
    row.weight[r] *= faded;
    if (slopes) row.slope[r] *= faded;
  }
}

void WeightRows::find_nearest(const double* q, std::size_t self, WeightRow& row, Scratch& scratch) const {
  row.key.clear();
  row.weight.clear();
  row.slope.clear();
  row.scale = parameters_.metric.scale;
  const auto n = static_cast<std::uint32_t>(samples_.n);
  scratch.squared.resize(n);
  measure(q, row, {0, n}, scratch.squared.data());
  const double* observation = parameters_.weight;
  double smallest = infinity;
  for (std::uint32_t i = 0; i < n; ++i) {
    if (i == self || (parameters_.causal && x_[0][i] > q[0]) || (observation != nullptr && observation[i] == 0))
      continue;
    if (scratch.squared[i] < smallest) {
      smallest = scratch.squared[i];
      row.key.clear();
    }
    if (scratch.squared[i] == smallest) row.key.push_back(i);
  }
  for (const std::uint32_t i : row.key) row.weight.push_back(observation != nullptr ? observation[i] : 1.0);
}

}  // namespace attn
