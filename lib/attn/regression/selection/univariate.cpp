// The search for one width.
#include <attn/regression/selection/criterion.hpp>
#include <attn/regression/selection/estimate.hpp>
#include <attn/regression/selection/trials.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace attn {
namespace {

/// The criterion of the boxcar kernel changes only where the width passes a distance between two samples: it is a step
/// function, and every step can be evaluated. Visits the steps from narrow to wide; the sums of each window grow by one
/// sample at a time, so that nothing is subtracted. One width for all coordinates, degree 0.
class BoxcarSteps {
 public:
  static bool serves(const KernelRegression::Prepared& samples, const Smoother& smoother);
  BoxcarSteps(const KernelRegression::Prepared& samples, const Smoother& smoother, Criterion criterion, Loss loss);

  /// Approximate number of pairs with a distance above `low` and at most `high`.
  double count(double low, double high) const;

  struct Step {
    double low = 0, high = 0;  ///< half-widths in [low, high) have
    double criterion = std::numeric_limits<double>::infinity();
  };
  /// The first of the lowest steps within [low, high]. Skips steps narrower than 1e-9 of their width. Needs memory for
  /// count() pairs.
  Step least(double low, double high);

 private:
  struct Pair {
    double distance;
    std::uint32_t a, b;
  };
  template <class F>
  void for_each_pair(double high, std::size_t stride, F f) const;
  double distance(std::size_t a, std::size_t b) const;
  void begin();
  void join(const Pair& pair);
  void add(std::size_t to, std::size_t from);
  void settle(std::size_t i);
  double criterion() const;

  // A compensated sum, so that losses can be replaced in it.
  struct Total {
    double high = 0, low = 0;
    void add(double x) {
      const double sum = high + x, part = sum - high;
      low += (high - (sum - part)) + (x - part);
      high = sum;
    }
    double value() const { return high + low; }
  };

  const KernelRegression::Prepared& samples_;
  const Smoother& smoother_;
  Criterion criterion_;
  Loss loss_;
  std::size_t counted_;
  std::vector<Moments> moments_;                    // (C)
  std::vector<double> newest_;                      // with decay: the last sample of each window, (n)
  std::vector<double> weight_, sum_, cost_, self_;  // (n), (n, C), (n, C), (n)
  std::vector<Total> totals_;                       // (C)
  Total trace_;
  double unit_ = 1;  // a power of two that keeps squares of distances in range
};

bool BoxcarSteps::serves(const KernelRegression::Prepared& p, const Smoother& smoother) {
  return smoother.kernel == Kernel::boxcar && smoother.degree == 0 && smoother.fits_means() && p.y_is_finite &&
         p.periods.empty() && (smoother.decay == 0 || p.d == 1);
}

BoxcarSteps::BoxcarSteps(const KernelRegression::Prepared& samples, const Smoother& smoother, Criterion criterion,
                         Loss loss)
    : samples_(samples), smoother_(smoother), criterion_(criterion), loss_(loss), counted_(samples.counted()) {
  for (std::size_t c = 0; c < samples.outputs; ++c) moments_.push_back(moments_of(samples, c));
  if (samples.d > 1) {
    std::vector<double> first(samples.d), one(samples.d, 1.0);
    for (std::size_t j = 0; j < samples.d; ++j) first[j] = samples.x.column(j)[0];
    unit_ = std::ldexp(1.0, -std::ilogb(samples.tree->farthest(first.data(), one.data())));
  }
  if (smoother.decay == 0) return;
  // Samples fade from the newest one in the window, which is the nearest: its weight never vanishes.
  const double* x = samples.x.column(0);
  for (std::size_t i = 0; i < samples.n; ++i) {
    std::size_t at = static_cast<std::size_t>(std::upper_bound(x, x + samples.n, x[i]) - x);
    const auto is_out = [&](std::size_t k) {
      return (criterion == Criterion::leave_one_out && k == i) || weight_of(samples, k) == 0;
    };
    while (at > 0 && is_out(at - 1)) --at;
    newest_.push_back(at > 0 ? x[at - 1] : x[i]);
  }
}

double BoxcarSteps::distance(std::size_t a, std::size_t b) const {
  if (samples_.d == 1) return std::abs(samples_.x.column(0)[b] - samples_.x.column(0)[a]);
  double square = 0;
  for (std::size_t j = 0; j < samples_.d; ++j) {
    const double step = (samples_.x.column(j)[b] - samples_.x.column(j)[a]) * unit_;
    square += step * step;
  }
  return std::sqrt(square) / unit_;
}

// Pairs a < b of samples at most `high` apart, a every stride-th.
template <class F>
void BoxcarSteps::for_each_pair(double high, std::size_t stride, F f) const {
  for (std::size_t a = 0; a < samples_.n; a += stride)
    for (std::size_t b = a + 1; b < samples_.n; ++b) {
      const double apart = distance(a, b);
      if (apart <= high)
        f(Pair{apart, static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)});
      else if (samples_.d == 1)
        break;  // sorted
    }
}

double BoxcarSteps::count(double low, double high) const {
  const std::size_t stride = 1 + samples_.n / 2048;
  double found = 0;
  for_each_pair(high, stride, [&](const Pair& pair) { found += pair.distance > low ? 1 : 0; });
  return found * static_cast<double>(stride);
}

// Windows at width 0, without coincident samples.
void BoxcarSteps::begin() {
  const std::size_t n = samples_.n, outputs = samples_.outputs;
  weight_.assign(n, 0.0);
  self_.assign(n, 0.0);
  sum_.assign(n * outputs, 0.0);
  cost_.assign(n * outputs, 0.0);
  totals_.assign(outputs, {});
  trace_ = {};
  if (criterion_ != Criterion::leave_one_out)
    for (std::size_t i = 0; i < n; ++i) add(i, i);
}

void BoxcarSteps::add(std::size_t to, std::size_t from) {
  double weight = weight_of(samples_, from);
  if (smoother_.decay != 0) weight *= std::exp(smoother_.decay * (samples_.x.column(0)[from] - newest_[to]));
  weight_[to] += weight;
  for (std::size_t c = 0; c < samples_.outputs; ++c)
    sum_[to * samples_.outputs + c] += weight * samples_.y.column(c)[from];
}

// Exchanges what the window of sample i costs for what it costs now.
void BoxcarSteps::settle(std::size_t i) {
  const double mine = weight_of(samples_, i);
  if (mine == 0) return;
  for (std::size_t c = 0; c < samples_.outputs; ++c) {
    const std::size_t at = i * samples_.outputs + c;
    const double y = samples_.y.column(c)[i];
    const double fit = weight_[i] > 0 ? sum_[at] / weight_[i] : moments_[c].mean_without(y, mine);
    const double cost = mine * loss_of(criterion_ != Criterion::leave_one_out ? Loss::squared : loss_, y, fit);
    totals_[c].add(-cost_[at]);
    totals_[c].add(cost_[at] = cost);
  }
  if (criterion_ == Criterion::leave_one_out) return;
  double own = mine;
  if (smoother_.decay != 0) own *= std::exp(smoother_.decay * (samples_.x.column(0)[i] - newest_[i]));
  trace_.add(-self_[i]);
  trace_.add(self_[i] = own / weight_[i]);
}

void BoxcarSteps::join(const Pair& pair) {
  const double* time = samples_.x.column(0);
  if (!smoother_.causal || time[pair.b] <= time[pair.a]) add(pair.a, pair.b);
  if (!smoother_.causal || time[pair.a] <= time[pair.b]) add(pair.b, pair.a);
}

double BoxcarSteps::criterion() const {
  const auto n = static_cast<double>(counted_);
  double total = 0;
  for (std::size_t c = 0; c < samples_.outputs; ++c) {
    const double mean = std::max(totals_[c].value(), 0.0) / moments_[c].mass;
    const double unit = unit_of_loss(loss_, samples_.outputs, moments_[c]);
    total += criterion_ == Criterion::aicc  ? std::log(mean) + aicc_penalty(trace_.value(), n)
             : criterion_ == Criterion::gcv ? generalised(mean, trace_.value(), n) / unit
                                            : mean / unit;
  }
  return criterion_ == Criterion::aicc ? total / static_cast<double>(samples_.outputs) : total;
}

BoxcarSteps::Step BoxcarSteps::least(double low, double high) {
  constexpr double narrowest = 1e-9;
  begin();
  std::vector<Pair> pairs;
  for_each_pair(high, 1, [&](const Pair& pair) {
    if (pair.distance > low)
      pairs.push_back(pair);
    else
      join(pair);
  });
  for (std::size_t i = 0; i < samples_.n; ++i) settle(i);
  std::sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) {
    return a.distance != b.distance ? a.distance < b.distance : a.a != b.a ? a.a < b.a : a.b < b.b;
  });
  Step best;
  const auto look = [&](double from, double to) {
    if (!(to > from * (1 + narrowest))) return;
    // Steps that rounding alone sets apart are one.
    const double value = criterion();
    const double margin = std::isfinite(best.criterion) ? 1e-13 * std::abs(best.criterion) : 0;
    if (value < best.criterion - margin) best = {from, to, value};
  };
  double from = low;
  for (std::size_t at = 0; at < pairs.size();) {
    look(from, pairs[at].distance);
    from = pairs[at].distance;
    for (; at < pairs.size() && pairs[at].distance == from; ++at) {
      join(pairs[at]);
      settle(pairs[at].a);
      settle(pairs[at].b);
    }
  }
  look(from, high);
  return best;
}

double refine(BandwidthTrials& trials, double low, double high) {
  return minimise_on_line([&](double step) { return trials.evaluate({step}); }, low,
                          std::min(high, trials.range().last_finite()), trials.tolerance());
}

constexpr double most_per_octave = 64;

// The curve of many samples is smooth, and each point of it may be dear; that of few has many minima.
double affordable_per_octave(const BandwidthTrials& trials) {
  constexpr double fewest = 4, most = most_per_octave;
  const double span = trials.range().highest - trials.range().lowest;
  return std::clamp(BandwidthTrials::budget / trials.cost() / span, fewest, most);
}

double distance_in_units(const BandwidthTrials& trials, std::size_t i, std::size_t k) {
  double square = 0;
  for (std::size_t j = 0; j < trials.samples().d; ++j) {
    const double* x = trials.samples().x.column(j);
    const double apart = trials.samples().difference(j, x[k], x[i]) / trials.range().unit[0];
    square += apart * apart;
  }
  return std::sqrt(square);
}

// With kernels of finite width, criteria have corners where the window of a sample gets another sample, and cv jumps
// where it gets its first: returns widths just beyond. All for few samples, only the jumps for more, none for many.
std::vector<double> corners(const BandwidthTrials& trials) {
  constexpr std::size_t few = 64;
  const KernelRegression::Prepared& p = trials.samples();
  const Smoother& smoother = trials.smoother();
  const bool has_leaps = trials.parameters().criterion == Criterion::leave_one_out &&
                         static_cast<double>(p.n) * trials.cost() <= BandwidthTrials::budget;
  std::vector<double> steps;
  if (!is_compact(smoother.kernel) || (p.n > few && !has_leaps)) return steps;
  const auto add = [&](double distance) {
    const double scale = kernel_scale(smoother.kernel, smoother.scale_convention);
    const double step = std::log2(distance * (1 + 1e-9) / scale);
    if (step > trials.range().lowest && step < trials.range().highest) steps.push_back(step);
  };
  for (std::size_t i = 0; i < p.n; ++i) {
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < p.n; ++k) {
      if (k == i || weight_of(p, k) == 0 || (smoother.causal && p.x.column(0)[k] > p.x.column(0)[i])) continue;
      const double distance = distance_in_units(trials, i, k);
      nearest = std::min(nearest, distance);
      if (p.n <= few) add(distance);
    }
    if (p.n > few) add(nearest);
  }
  return steps;
}

// The criterion at the ends of the range: minus infinity where nothing is better, infinity where something is.
struct Ends {
  double narrowest = std::numeric_limits<double>::infinity(), widest = std::numeric_limits<double>::infinity();
};

// Kernels that end leave corners at every distance of two samples, and little minima between them: around the best
// width once more, finer than the scan.
void search_between_corners(BandwidthTrials& trials, double step) {
  constexpr int places = 48;
  const double centre = trials.best()[0];
  for (int i = -places; i <= places; ++i) trials.evaluate({centre + step * i / places});
  refine(trials, trials.best()[0] - step / places, trials.best()[0] + step / places);
}

// The scan, and the least of its local minima refined. Those beyond the first few are far above the least one; with
// many samples the curve is smooth and has one or two.
Ends scan(BandwidthTrials& trials, std::vector<double> steps) {
  const auto count = static_cast<double>(steps.size() - 1);
  for (const double corner : corners(trials)) steps.push_back(corner);
  std::sort(steps.begin(), steps.end());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  trials.plan(2 * steps.size());
  std::vector<double> values;
  trials.use_some();
  for (const double step : steps) values.push_back(trials.evaluate({step}));
  if (!trials.has_best()) return {};
  if (trials.is_thinned()) {
    trials.use_all();
    values.front() = trials.evaluate({steps.front()});
    values.back() = trials.evaluate({steps.back()});
  }
  std::vector<std::size_t> minima = minima_of(values);
  constexpr double refinement = 35;  // evaluations
  const double affordable = BandwidthTrials::budget / trials.cost() / refinement;
  const auto most = trials.is_large() ? std::size_t{2} : static_cast<std::size_t>(std::clamp(affordable, 2.0, 24.0));
  if (minima.size() > most) minima.resize(most);
  for (const std::size_t i : minima)
    refine(trials, steps[i == 0 ? 0 : i - 1], steps[std::min(i + 1, steps.size() - 1)]);
  const bool is_cornered = is_compact(trials.smoother().kernel) && trials.smoother().kernel != Kernel::boxcar;
  if (is_cornered && affordable > 4) search_between_corners(trials, 1.5 * (steps.back() - steps.front()) / count);
  return {values.front(), values.back()};
}

struct Bracket {
  double low, middle, high;
  bool is_wide;
};
struct EstimatedScan {
  std::vector<Bracket> brackets;  // where estimates are least, the least first
  bool ends_flat = false;         // they are no worse at the widest width
};
EstimatedScan scan_estimates(BandwidthTrials& trials, const std::vector<double>& steps) {
  RoughCriterion rough(trials.samples(), trials.smoother(), trials.parameters().criterion, trials.range(),
                       trials.execution());
  const auto estimate = [&](double step) {
    const std::vector<double> h = trials.widths({step});
    const double value = rough.at(h[0]);
    trials.record(h, value, false);
    return std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
  };
  std::vector<double> values;
  for (const double step : steps) values.push_back(estimate(step));
  const std::vector<std::size_t> minima = minima_of(values);
  // Estimates of narrow widths come from a part of the samples: within this of the least, the criterion decides.
  const bool is_logarithm = trials.parameters().criterion == Criterion::aicc;
  const double least = values[minima[0]], margin = is_logarithm ? 0.02 : 0.02 * std::abs(least);
  EstimatedScan found;
  found.ends_flat = values.back() - least <= 1e-6 * (is_logarithm ? 1 : std::abs(least));
  for (const std::size_t i : minima) {
    if (!(values[i] <= least + margin)) break;
    const double low = steps[i == 0 ? 0 : i - 1], high = steps[std::min(i + 1, steps.size() - 1)];
    found.brackets.push_back({low, steps[i], high, rough.is_wide(trials.widths({low})[0])});
    Bracket& bracket = found.brackets.back();
    double lowest = values[i];
    for (int k = 1; bracket.is_wide && k < 8; ++k) {
      const double step = low + (high - low) * k / 8, value = estimate(step);
      if (value < lowest) bracket.middle = step, lowest = value;
    }
  }
  return found;
}

// Near the minimum, rounding hides which of two widths is better. Five points further apart see the curve's bend: the
// minimum of the quartic through them is known to more digits than any comparison of neighbours gives.
void polish(BandwidthTrials& trials, double step) {
  const double centre = trials.best()[0], least = trials.best_value();
  double f[5];
  f[2] = least;
  for (const int i : {0, 1, 3, 4}) f[i] = trials.evaluate({centre + (i - 2) * step});
  const double a1 = (f[0] - 8 * f[1] + 8 * f[3] - f[4]) / 12;
  const double a2 = (16 * (f[1] + f[3]) - f[0] - f[4] - 30 * f[2]) / 24;
  const double a3 = (2 * (f[1] - f[3]) - f[0] + f[4]) / 12;
  const double a4 = (f[0] + f[4] - 4 * (f[1] + f[3]) + 6 * f[2]) / 24;
  double t = 0;
  for (int iteration = 0; iteration < 20; ++iteration)
    t -= (a1 + t * (2 * a2 + t * (3 * a3 + t * 4 * a4))) / (2 * a2 + t * (6 * a3 + t * 12 * a4));
  if (!(std::abs(t) < 1)) return;  // a criterion with steps or corners, as compact kernels have
  const double best = trials.best_value();
  if (trials.evaluate({centre + t * step}) <= best + 1e-12 * std::abs(best)) trials.prefer({centre + t * step});
}

// Many samples on a line: the scan by estimates, the criterion itself where they are least.
Ends search_by_estimates(BandwidthTrials& trials, const std::vector<double>& steps) {
  trials.plan(steps.size() + 20);
  const EstimatedScan found = scan_estimates(trials, steps);
  for (const Bracket& bracket : found.brackets) {
    if (bracket.is_wide)
      trials.evaluate({bracket.middle});
    else
      refine(trials, bracket.low, bracket.high);
  }
  if (found.ends_flat) return {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  if (!trials.has_best()) return {};
  constexpr double near = 1.0 / 16;
  const double centre = trials.best()[0];
  polish(trials, near);
  // The estimates were off.
  const double at = trials.best()[0];
  if (std::abs(at - centre) > 1.9 * near)
    refine(trials, std::max(trials.range().lowest, at - 1), std::min(trials.range().highest, at + 1));
  else if (!trials.is_large())
    refine(trials, std::max(trials.range().lowest, at - near), std::min(trials.range().highest, at + near));
  return {};
}

// The least step of a staircase: of all where their pairs fit, otherwise of those around the best width so far.
double best_of_steps(const BandwidthTrials& trials) {
  constexpr double most_pairs = 1 << 22;
  const SearchRange& range = trials.range();
  BoxcarSteps staircase(trials.samples(), trials.smoother(), trials.parameters().criterion, trials.parameters().loss);
  const double share = kernel_scale(trials.smoother().kernel, trials.smoother().scale_convention);
  const auto reach = [&](double step) { return range.width(0, step) * share; };
  double low = range.lowest, high = range.highest;
  const auto n = static_cast<double>(trials.samples().n);
  if (n * (n - 1) / 2 > most_pairs)
    for (double around = 1; staircase.count(reach(low), reach(high)) > most_pairs; around /= 2) {
      low = std::max(range.lowest, trials.best()[0] - around);
      high = std::min(range.highest, trials.best()[0] + around);
    }
  const BoxcarSteps::Step step = staircase.least(reach(low), reach(high));
  // The middle of the step, with as few digits as stay well inside.
  const double slack = 0.1 * (step.high - step.low), middle = 0.5 * (step.low + step.high) / share;
  double h = middle;
  for (int digits = 3; digits <= 17; ++digits) {
    h = rounded(middle, digits);
    if (h * share >= step.low + slack && h * share <= step.high - slack) break;
  }
  return h;
}

}  // namespace

FoundWidths search_on_line(BandwidthTrials& trials) {
  const SearchRange& range = trials.range();
  const bool leaves_one = trials.parameters().block <= 1;
  const bool by_estimates =
      leaves_one && RoughCriterion::serves(trials.samples(), trials.smoother(), trials.parameters().loss);
  const std::vector<double> steps = trials.steps(by_estimates        ? 4
                                                 : trials.is_large() ? 1
                                                                     : affordable_per_octave(trials));
  Ends ends = by_estimates ? search_by_estimates(trials, steps) : scan(trials, steps);
  // For noise, an estimate may be the smallest by chance, at a width without a finite criterion.
  if (by_estimates && !trials.has_best()) ends = scan(trials, steps);
  if (!trials.has_best()) return {};
  FoundWidths found;
  double best = trials.best_value();
  if (leaves_one && !trials.is_large() && BoxcarSteps::serves(trials.samples(), trials.smoother())) {
    found.widths = {best_of_steps(trials)};
    best = trials.criterion_at(found.widths);
    found.criterion = best;
  }
  if (trials.best()[0] > range.highest - 1) ends.widest = trials.evaluate({range.highest});
  if (is_no_better(best, ends.widest)) return widest(trials);
  if (found.widths.empty()) {
    if (!trials.is_large()) polish(trials, 0.02);
    found = rounded_best(trials, trials.is_large() ? 7 : 9);
  }
  const double margin = 0.5 * (steps[1] - steps[0]);
  found.at_border = is_no_better(best, ends.narrowest) || found.widths[0] < range.width(0, range.lowest + margin);
  return found;
}

}  // namespace attn
