#include <attn/regression/windows/extended.hpp>
#include <attn/regression/windows/weight_rows.hpp>

#include <attn/core/constants.hpp>

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

using std::abs;  // and those of Extended
using std::sqrt;

double total(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

/// Sorted keys from the nearest of q on, walking outwards from it.
class OutwardWalk {
 public:
  OutwardWalk(const double* x, std::size_t n, double q, bool past)
      : x_(x), q_(q), right_(static_cast<std::size_t>(std::upper_bound(x, x + n, q) - x)), end_(past ? right_ : n) {
    left_ = right_;
  }
  bool has_more() const noexcept { return left_ > 0 || right_ < end_; }
  std::size_t next() noexcept {
    // Far from both, distances round to the same number; which side is nearer is no question then.
    const bool take_left = right_ == end_ || (left_ > 0 && q_ - x_[left_ - 1] <= x_[right_] - q_);
    return take_left ? --left_ : right_++;
  }

 private:
  const double* x_;
  double q_;
  std::size_t right_, end_, left_ = 0;
};

/// The distance from q to the k-th nearest of n sorted keys, or the farthest where there are fewer.
double nearest_on_line(const double* x, std::size_t n, double q, std::size_t k) {
  if (n == 0) return infinity;
  k = std::min(k, n);
  std::size_t low = 0, high = n - k;  // of the first of k keys in a row
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (q - x[middle] > x[middle + k] - q)
      low = middle + 1;
    else
      high = middle;
  }
  return std::max(abs(x[low] - q), abs(x[low + k - 1] - q));
}

}  // namespace

WeightRows::Parameters row_parameters(const KernelRegression::Prepared& samples, const Smoother& smoother,
                                      bool restricted) {
  return {smoother.kernel, metric_of(smoother, samples), samples.weight(), smoother.causal, smoother.decay,
          // With missing values, dropped weights are no longer negligible.
          samples.y_is_finite ? smoother.tolerance : 0,
          // Keys of 1e-24 of the weight can determine a slope; dropped weights must be small compared with those.
          smoother.degree == 0 ? 0x1p-54 : 0x1p-136, restricted, CategoryWeights(samples, smoother),
          samples.neighbour_weight(), smoother.degree > 0};
}

WeightRows::WeightRows(const KernelRegression::Prepared& samples, Parameters parameters)
    : samples_(samples), parameters_(std::move(parameters)), x_(samples.x.pointers()) {
  if (samples.d != 1 || parameters_.metric.neighbours == 0 || parameters_.neighbours == nullptr) return;
  for (std::size_t i = 0; i < samples.n; ++i)
    if (parameters_.neighbours[i] > 0) eligible_.push_back(x_[0][i]);
}

// Runs of candidate keys; log_share: a lower bound of the total weight relative to the full weight of the nearest key.
void WeightRows::candidates(const double* q, std::size_t self, double log_share, const std::vector<double>& scale,
                            Scratch& scratch) const {
  const auto n = static_cast<std::uint32_t>(samples_.n);
  scratch.runs.assign(1, {0, n});
  scratch.nearest = 0;
  const bool compact = is_compact(parameters_.kernel);
  if (n == 0) return;
  if (parameters_.restricted && (samples_.periods.empty() || samples_.d == 1) &&
      (compact || (parameters_.kernel == Kernel::gaussian && (samples_.d == 1 || !parameters_.causal)))) {
    // Beyond this reach of the nearest key, all n Gaussian weights together are below the rounding (or the tolerance)
    // of the sum: exp(-(u^2 - u_min^2) / 2) n <= tolerance share. No observation weight is above 1.
    double radius = 1 + parameters_.metric.slack();
    if (!compact) {
      double nearest = 0;
      if (samples_.d >= 2) {
        samples_.tree->nearest(q, scale.data(), 1, {self}, x_, scratch.distances);
        if (!scratch.distances.empty()) nearest = scratch.distances[0];
      } else {
        const double* x = x_[0];
        const auto right = static_cast<std::size_t>(std::lower_bound(x, x + n, q[0]) - x);
        const LeftOut out = left_out(self);
        double gap = infinity;
        if (!samples_.periods.empty())
          for (const std::size_t i : {std::size_t{0}, std::size_t{1}, n - std::size_t{1}, n - std::size_t{2}})
            if (i < n && !out.has(i)) gap = std::min(gap, abs(samples_.difference(0, x[i], q[0])) * scale[0]);
        // The nearest other key is one of the two on either side, or of those left out. Under `causal` equal keys to
        // the right count as well.
        const std::size_t beside = 2 + parameters_.before + parameters_.after;
        for (std::size_t i = right < beside ? 0 : right - beside; i < std::min<std::size_t>(n, right + beside); ++i)
          if (!out.has(i) && !(parameters_.causal && x[i] > q[0]))
            gap = std::min(gap, abs(samples_.difference(0, x[i], q[0])) * scale[0]);
        nearest = gap * gap;
      }
      scratch.nearest = nearest;
      const double tolerance = std::max(parameters_.tolerance, parameters_.rounding / samples_.y_spread);
      radius = sqrt(nearest - 2 * (std::log(tolerance / n) + log_share));
    }
    if (std::isfinite(radius)) {
      if (samples_.d >= 2) {
        samples_.tree->reach(q, scale.data(), radius, scratch.runs);
      } else {
        const double* x = x_[0];
        const double reach = radius / scale[0] * (1 + 1e-12);
        if (!samples_.periods.empty()) return candidates_round(q[0], reach, scratch);
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

// On a circle, the keys in reach may be at both ends of the line.
void WeightRows::candidates_round(double q, double reach, Scratch& scratch) const {
  const auto n = static_cast<std::uint32_t>(samples_.n);
  const double period = samples_.periods[0], *x = x_[0];
  reach += 1e-12 * period;
  if (!(reach < 0.5 * period)) return;
  const auto from = [&](double low) { return static_cast<std::uint32_t>(std::lower_bound(x, x + n, low) - x); };
  const auto to = [&](double high) { return static_cast<std::uint32_t>(std::upper_bound(x, x + n, high) - x); };
  if (q - reach < 0)
    scratch.runs = {{0, to(q + reach)}, {from(q - reach + period), n}};
  else if (q + reach >= period)
    scratch.runs = {{0, to(q + reach - period)}, {from(q - reach), n}};
  else
    scratch.runs = {{from(q - reach), to(q + reach)}};
}

// The places of the keys of a row, and the halves of those that are opposite.
void WeightRows::put_round(const double* q, bool splits, WeightRow& row) const {
  constexpr double rounding = 8 * std::numeric_limits<double>::epsilon();
  const std::size_t d = samples_.d;
  row.place.clear();
  if (samples_.periods.empty()) return;
  const WeightRow whole = row;
  row.key.clear();
  row.weight.clear();
  row.slope.clear();
  std::vector<std::vector<double>> places;
  for (std::size_t r = 0; r < whole.count(); ++r) {
    places.assign(1, std::vector<double>(d));
    for (std::size_t j = 0; j < d; ++j) {
      const double period = samples_.periods[j], away = samples_.difference(j, x_[j][whole.key[r]], q[j]);
      const bool is_opposite = period > 0 && abs(abs(away) - 0.5 * period) <= rounding * period;
      const std::size_t before = places.size();
      for (std::size_t k = 0; k < before; ++k) {
        places[k][j] = period > 0 ? q[j] + away : x_[j][whole.key[r]];
        if (!splits || !is_opposite) continue;
        places.push_back(places[k]);
        places.back()[j] = q[j] - away;
      }
    }
    const auto share = 1 / static_cast<double>(places.size());
    for (const std::vector<double>& place : places) {
      row.key.push_back(whole.key[r]);
      row.weight.push_back(whole.weight[r] * share);
      if (!whole.slope.empty()) row.slope.push_back(whole.slope[r] * share);
      row.place.insert(row.place.end(), place.begin(), place.end());
    }
  }
}

void WeightRows::find_reach(const double* q, std::size_t self, Scratch& scratch) const {
  candidates(q, self, 0, parameters_.metric.scale, scratch);
}

bool WeightRows::find_reach(const double* q, std::size_t self, double log_share, std::vector<double>& scale,
                            Scratch& scratch) const {
  if (!adapt(q, self, scale, scratch)) return false;
  candidates(q, self, log_share, scale, scratch);
  return true;
}

void WeightRows::find_factors(const double* q, KeyRun run, double* factors) const noexcept {
  for (std::uint32_t i = run.begin; i < run.end; ++i)
    factors[i] = parameters_.weight != nullptr ? parameters_.weight[i] : 1.0;
  for (std::size_t f = 0, j = samples_.d; f < parameters_.categories.count(); ++f, ++j)
    for (std::uint32_t i = run.begin; i < run.end; ++i) factors[i] *= parameters_.categories.at(f, q[j], x_[j][i]);
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
    if (!samples_.periods.empty() && samples_.periods[j] > 0) {
      for (std::size_t i = 0; i < count; ++i) {
        const double step = samples_.difference(j, x[i], at) * scale;
        squared[i] = (j == 0 ? 0 : squared[i]) + step * step;
      }
      continue;
    }
    for (std::size_t i = 0; i < count; ++i) {
      const double step = (x[i] - at) * scale;
      squared[i] = (j == 0 ? 0 : squared[i]) + step * step;
    }
  }
}

void WeightRows::find(const double* q, std::size_t self, bool slopes, WeightRow& row, Scratch& scratch) const {
  row.key.clear();
  row.weight.clear();
  row.slope.clear();
  row.log_factor = row.falloff = 0;
  if (!adapt(q, self, row.scale, scratch)) return;
  candidates(q, self, 0, row.scale, scratch);
  if (is_compact(parameters_.kernel)) {
    weigh_compact(q, self, slopes, row, scratch);
  } else {
    weigh_exponential(q, self, slopes, row, scratch);
    // The bound of the restriction is relative to a nearest key of full weight. If sample weights leave less, search
    // again with the bound relative to what was found, over all keys if that is nothing.
    const double nearest_weight = kernel_log_weight(parameters_.kernel, scratch.nearest);
    const double log_share = std::log(total(row.weight)) + row.log_factor - nearest_weight;
    if (parameters_.restricted && has_factors() && parameters_.kernel == Kernel::gaussian &&
        !(log_share >= std::log(0.5))) {
      row.key.clear();
      row.weight.clear();
      row.slope.clear();
      candidates(q, self, log_share, row.scale, scratch);
      weigh_exponential(q, self, slopes, row, scratch);
    }
  }
  if (parameters_.decay != 0 && row.count() > 0) forget(q[0], slopes, row);
  put_round(q, parameters_.has_sides || slopes, row);
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

// The weights of the keys of one row.

void WeightRows::weigh_compact(const double* q, std::size_t self, bool slopes, WeightRow& row, Scratch& scratch) const {
  const LeftOut out = left_out(self);
  for (const KeyRun run : scratch.runs) {
    scratch.squared.resize(run.end - run.begin);
    measure(q, row, run, scratch.squared.data());
    for (std::uint32_t i = run.begin; i < run.end; ++i) {
      const double squared = parameters_.metric.snapped(scratch.squared[i - run.begin]);
      if (!(squared <= 1) || out.has(i) || (parameters_.causal && x_[0][i] > q[0])) continue;
      const double u = sqrt(squared), weight = kernel_weight(parameters_.kernel, u) * factor(q, i);
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
      const double away = samples_.difference(j, x, q[j]), away0 = samples_.difference(j, x0, q[j]);
      const double apart = samples_.periods.empty() ? x - x0 : away - away0;
      difference += (apart * row.scale[j]) * ((away + away0) * row.scale[j]);
    }
    row.weight[r] = difference;
    smallest = std::min(smallest, difference);
  }
  return smallest;
}

// Squared distances in row.weight, all beyond the largest double, become those that give the same weights relative to
// the nearest key, which gets 0: u_i^2 - u_0^2 for the Gaussian, (u_i - u_0)^2 for Laplace.
void WeightRows::measure_from_nearest(const double* q, WeightRow& row) const {
  std::vector<Extended> squared(row.count()), difference(row.count());
  const auto away = [&](std::size_t r, std::size_t j) {
    const double x = x_[j][row.key[r]];
    return samples_.periods.empty() ? Extended(x) - q[j] : Extended(samples_.difference(j, x, q[j]));
  };
  const auto step = [&](std::size_t r, std::size_t j) { return away(r, j) * row.scale[j]; };
  for (std::size_t r = 0; r < row.count(); ++r)
    for (std::size_t j = 0; j < samples_.d; ++j) squared[r] += step(r, j) * step(r, j);
  const auto origin = static_cast<std::size_t>(std::min_element(squared.begin(), squared.end()) - squared.begin());
  for (std::size_t r = 0; r < row.count(); ++r)
    for (std::size_t j = 0; j < samples_.d; ++j) {
      const Extended apart = samples_.periods.empty() ? Extended(x_[j][row.key[r]]) - x_[j][row.key[origin]]
                                                      : away(r, j) - away(origin, j);
      difference[r] += apart * row.scale[j] * (step(r, j) + step(origin, j));
    }
  const Extended least = *std::min_element(difference.begin(), difference.end());
  const Extended base = squared[origin] + least;
  for (std::size_t r = 0; r < row.count(); ++r) {
    const Extended more = difference[r] - least;
    const Extended further = more / (sqrt(base + more) + sqrt(base));
    row.weight[r] = static_cast<double>(parameters_.kernel == Kernel::laplace ? further * further : more);
  }
}

void WeightRows::weigh_exponential(const double* q, std::size_t self, bool slopes, WeightRow& row,
                                   Scratch& scratch) const {
  double smallest = infinity;
  const LeftOut out = left_out(self);
  for (const KeyRun run : scratch.runs) {
    scratch.squared.resize(run.end - run.begin);
    measure(q, row, run, scratch.squared.data());
    for (std::uint32_t i = run.begin; i < run.end; ++i) {
      if (out.has(i) || (parameters_.causal && x_[0][i] > q[0]) || (has_factors() && factor(q, i) == 0)) continue;
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
      log_weight = -(squared - smallest) / (sqrt(base + squared) + sqrt(base + smallest));
    const double weight = std::exp(log_weight) * factor(q, i);
    if (!(weight > 0)) continue;
    row.key[kept] = i;
    row.weight[kept] = weight;
    // The falloff of Laplace, 1 / u, is nothing there.
    const double u = is_beyond_squares ? infinity : sqrt(base + squared);
    if (slopes) row.slope.push_back(weight * (kernel_falloff(parameters_.kernel, u) - row.falloff));
    ++kept;
  }
  row.key.resize(kept);
  row.weight.resize(kept);
}

// The keys nearest to a query: what adapts a bandwidth to it, and what an empty window may yield. Distances are told
// apart wherever the query lies and whatever the unit of x is, though their squares may be no numbers.

// Scales that put the farthest key at a distance between 1 and 2: squares of distances 1e150 times smaller are still
// representable.
std::vector<double> WeightRows::scale_at(const double* q) const {
  std::vector<double> scale = parameters_.metric.scale;
  const double farthest = samples_.tree->farthest(q, scale.data());
  if (!(farthest > 0) || !std::isfinite(farthest)) return scale;
  const double unit = std::ldexp(1.0, -std::clamp(std::ilogb(farthest), -1000, 1000));
  for (double& s : scale) s *= unit;
  return scale;
}

double WeightRows::neighbour_distance(const double* q, std::size_t self, Scratch& scratch) const {
  const std::size_t k = parameters_.metric.neighbours;
  const Eligible eligible{self, parameters_.neighbours, parameters_.causal};
  if (!samples_.periods.empty()) {
    std::vector<double>& all = scratch.distances;
    all.clear();
    for (std::size_t i = 0; i < samples_.n; ++i) {
      if (i == self || (eligible.weight != nullptr && eligible.weight[i] == 0)) continue;
      double squared = 0;
      for (std::size_t j = 0; j < samples_.d; ++j) {
        const double away = samples_.difference(j, x_[j][i], q[j]);
        squared += away * away;
      }
      all.push_back(squared);
    }
    if (all.empty()) return infinity;
    const auto kth = all.begin() + static_cast<std::ptrdiff_t>(std::min(k, all.size()) - 1);
    std::nth_element(all.begin(), kth, all.end());
    return sqrt(*kth);
  }
  if (samples_.d == 1) {
    const bool takes_all = eligible.weight == nullptr;
    const double* x = takes_all ? x_[0] : eligible_.data();
    std::size_t n = takes_all ? samples_.n : eligible_.size();
    const bool is_own = self < samples_.n && (takes_all || eligible.weight[self] > 0);  // the nearest of all
    if (eligible.past) n = static_cast<std::size_t>(std::upper_bound(x, x + n, q[0]) - x);
    const std::size_t own = is_own && n > 0 ? 1 : 0;
    return n > own ? nearest_on_line(x, n, q[0], k + own) : infinity;
  }
  std::vector<double>& nearest = scratch.distances;
  constexpr double finer = 0x1p500, smallest = 0x1p-900;
  for (std::vector<double> scale = scale_at(q);; scale.assign(samples_.d, scale[0] * finer)) {
    samples_.tree->nearest(q, scale.data(), k, eligible, x_, nearest);
    if (nearest.empty()) return infinity;
    // Where all k are so near that their squares vanish, they are measured in a smaller unit.
    if (nearest.back() > smallest || scale[0] > 0x1p1023 / finer) return sqrt(nearest.back()) / scale[0];
  }
}

// The reach of an adaptive bandwidth at q. False when there is no other key at all.
bool WeightRows::adapt(const double* q, std::size_t self, std::vector<double>& scale, Scratch& scratch) const {
  scale = parameters_.metric.scale;
  if (parameters_.metric.neighbours == 0) return true;
  const double distance = neighbour_distance(q, self, scratch);
  if (distance == infinity) return false;
  // All k coincide with q: only coincident points are in reach of so small a bandwidth.
  scale.assign(samples_.d, distance > 0 ? 1 / (distance * parameters_.metric.kernel_scale) : infinity);
  return true;
}

// Keys on a line that are nearest to q: all in one place, or in one on either side.
void WeightRows::find_nearest_on_line(double q, std::size_t self, WeightRow& row) const {
  OutwardWalk walk(x_[0], samples_.n, q, parameters_.causal);
  double place[2] = {};
  for (std::size_t places = 0; walk.has_more();) {
    const std::size_t i = walk.next();
    if (i == self || (parameters_.weight != nullptr && parameters_.weight[i] == 0)) continue;
    const double x = x_[0][i];
    const bool is_new = places == 0 || (x != place[0] && (places == 1 || x != place[1]));
    if (places > 0 && abs(x - q) > abs(place[0] - q)) break;
    // Farther on the same side, though its distance rounds to the same.
    if (is_new && places > 0 && (places == 2 || (x > q) == (place[0] > q))) continue;
    if (is_new) place[places++] = x;
    row.key.push_back(static_cast<std::uint32_t>(i));
  }
  std::sort(row.key.begin(), row.key.end());
}

void WeightRows::find_nearest_in_space(const double* q, std::size_t self, WeightRow& row, Scratch& scratch) const {
  const Eligible eligible{self, parameters_.weight, parameters_.causal};
  const std::vector<double> scale = scale_at(q);
  samples_.tree->nearest(q, scale.data(), 1, eligible, x_, scratch.distances);
  if (scratch.distances.empty()) return;
  samples_.tree->reach(q, scale.data(), sqrt(scratch.distances[0]), scratch.runs);
  for (const KeyRun run : scratch.runs)
    for (std::uint32_t i = run.begin; i < run.end; ++i)
      if (i != self && !(eligible.past && x_[0][i] > q[0]) && (eligible.weight == nullptr || eligible.weight[i] > 0))
        row.key.push_back(i);
  row.weight.resize(row.key.size());
  measure_from_nearest(q, row);
  std::size_t kept = 0;
  for (std::size_t r = 0; r < row.key.size(); ++r)
    if (row.weight[r] == 0) row.key[kept++] = row.key[r];
  row.key.resize(kept);
}

void WeightRows::find_nearest_round(const double* q, std::size_t self, WeightRow& row) const {
  double least = infinity;
  for (std::uint32_t i = 0; i < samples_.n; ++i) {
    if (i == self || (parameters_.weight != nullptr && parameters_.weight[i] == 0)) continue;
    double squared = 0;
    for (std::size_t j = 0; j < samples_.d; ++j) {
      const double step = samples_.difference(j, x_[j][i], q[j]) * row.scale[j];
      squared += step * step;
    }
    if (squared > least) continue;
    if (squared < least) row.key.clear();
    least = squared;
    row.key.push_back(i);
  }
}

void WeightRows::find_nearest(const double* q, std::size_t self, WeightRow& row, Scratch& scratch) const {
  row.key.clear();
  row.weight.clear();
  row.slope.clear();
  row.falloff = 0;
  row.scale = parameters_.metric.scale;
  if (!samples_.periods.empty())
    find_nearest_round(q, self, row);
  else if (samples_.d == 1)
    find_nearest_on_line(q[0], self, row);
  else
    find_nearest_in_space(q, self, row, scratch);
  row.weight.clear();
  std::size_t kept = 0;
  for (const std::uint32_t i : row.key) {
    const double weight = factor(q, i);
    if (!(weight > 0)) continue;
    row.key[kept++] = i;
    row.weight.push_back(weight);
  }
  row.key.resize(kept);
  put_round(q, parameters_.has_sides, row);
}

}  // namespace attn
