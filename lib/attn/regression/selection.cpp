#include <attn/core/error.hpp>
#include <attn/regression/boxcar_steps.hpp>
#include <attn/regression/criterion.hpp>
#include <attn/regression/minimise.hpp>
#include <attn/regression/prepared.hpp>
#include <attn/regression/rough_criterion.hpp>
#include <attn/regression/search_range.hpp>
#include <attn/regression/selection.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace attn {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
using Prepared = KernelRegression::Prepared;

// The search, in steps: log2 of widths in the units of the range.
class Search {
 public:
  Search(const KernelRegression& regression, const Smoother& smoother, const SelectionParameters& parameters,
         const Execution& execution)
      : regression_(regression),
        smoother_(smoother),
        parameters_(parameters),
        execution_(execution),
        free_(parameters.isotropic ? 1 : regression.dimensions()),
        range_(search_range(regression.prepared(), smoother, parameters.isotropic)) {}

  Selection run() {
    const bool by_estimates = RoughCriterion::serves(regression_.prepared(), smoother_, parameters_.loss);
    const std::vector<double> steps = scan_steps(by_estimates ? 4 : is_large() ? 1 : affordable_per_octave());
    if (by_estimates)
      search_by_estimates(steps);
    else
      search(steps);
    if (best_.empty())
      throw Error(ErrorKind::data, "bandwidth", "no width in the range searched has a finite criterion",
                  "give the bandwidth");
    if (free_ == 1 && !is_large() && BoxcarSteps::serves(regression_.prepared(), smoother_))
      take_best_step();
    else
      round_best();
    return selection(steps);
  }

 private:
  // The places of local minima, the least first.
  static std::vector<std::size_t> minima_of(const std::vector<double>& values) {
    std::vector<std::size_t> minima;
    for (std::size_t i = 0; i < values.size(); ++i)
      if ((i == 0 || values[i] <= values[i - 1]) && (i + 1 == values.size() || values[i] < values[i + 1]))
        minima.push_back(i);
    std::sort(minima.begin(), minima.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    return minima;
  }

  void search(std::vector<double> steps) {
    if (free_ > 1 && search_grid()) return;
    for (const double leap : leaps()) steps.push_back(leap);
    std::sort(steps.begin(), steps.end());
    planned_ = steps.size() * (free_ == 1 ? 2 : 4 * free_);
    // One factor for all coordinates.
    std::vector<double> values;
    for (const double step : steps) values.push_back(evaluate(std::vector<double>(free_, step)));
    std::vector<std::size_t> minima = minima_of(values);
    // Minima beyond the first few are far above the least one; with many samples the curve is smooth and has one or
    // two.
    constexpr double refinement = 35;  // evaluations
    const std::size_t most = is_large() ? 2
                             : free_ == 1
                                 ? static_cast<std::size_t>(std::clamp(budget / cost() / refinement, 2.0, 24.0))
                                 : 6;
    if (minima.size() > most) minima.resize(most);
    for (const std::size_t i : minima) {
      if (free_ == 1)
        refine_line({steps[i]}, 0, steps[i == 0 ? 0 : i - 1], steps[std::min(i + 1, steps.size() - 1)]);
      else
        descend(std::vector<double>(free_, steps[i]), steps);
    }
  }

  struct Bracket {
    double low, middle, high;
    bool is_wide;
  };
  // Where estimates are least, the least first.
  std::vector<Bracket> scan_estimates(const std::vector<double>& steps) {
    RoughCriterion rough(regression_.prepared(), smoother_, parameters_.criterion, range_, execution_);
    const auto estimate = [&](double step) {
      const std::vector<double> h = widths({step});
      const double value = rough.at(h[0]);
      record(h, value, false);
      return value;
    };
    std::vector<double> values;
    for (const double step : steps) values.push_back(estimate(step));
    const std::vector<std::size_t> minima = minima_of(values);
    // Estimates of narrow widths come from a part of the samples: within this of the least, the criterion decides.
    const double margin = parameters_.criterion == Criterion::aicc ? 0.02 : 0.02 * std::abs(values[minima[0]]);
    std::vector<Bracket> brackets;
    for (const std::size_t i : minima) {
      if (!(values[i] <= values[minima[0]] + margin)) break;
      const double low = steps[i == 0 ? 0 : i - 1], high = steps[std::min(i + 1, steps.size() - 1)];
      brackets.push_back({low, steps[i], high, rough.is_wide(widths({low})[0])});
      double least = values[i];
      for (int k = 1; brackets.back().is_wide && k < 8; ++k) {
        const double step = low + (high - low) * k / 8, value = estimate(step);
        if (value < least) brackets.back().middle = step, least = value;
      }
    }
    return brackets;
  }

  // Many samples on a line: the scan by estimates, the criterion itself where they are least.
  void search_by_estimates(const std::vector<double>& steps) {
    planned_ = steps.size() + 20;
    for (const Bracket& bracket : scan_estimates(steps)) {
      if (bracket.is_wide)
        evaluate({bracket.middle});
      else
        refine_line({bracket.middle}, 0, bracket.low, bracket.high);
    }
    constexpr double near = 1.0 / 16;
    const double centre = best_[0];
    polish_best(near);
    // The estimates were off.
    if (std::abs(best_[0] - centre) > 1.9 * near)
      refine_line(best_, 0, std::max(range_.lowest, best_[0] - 1), std::min(range_.highest, best_[0] + 1));
  }

  // What an evaluation takes about, in ns on one core, by size alone.
  double cost() const {
    constexpr double point = 60, pair = 2, polynomial = 10;
    const Prepared& p = regression_.prepared();
    const auto n = static_cast<double>(p.n);
    const bool on_line = p.d == 1 && smoother_.degree == 0 && !smoother_.causal && p.y_is_finite;
    return on_line ? point * n : pair * n * n * (smoother_.degree == 0 ? 1 : polynomial);
  }
  static constexpr double budget = 2e8;  // ns

  // The curve of many samples is smooth, and each point of it may be dear; that of few has many minima.
  double affordable_per_octave() const {
    constexpr double fewest = 4, most = 64;
    return free_ > 1 ? fewest : std::clamp(budget / cost() / (range_.highest - range_.lowest), fewest, most);
  }

  // With a kernel that ends, cv leaps where the window of a sample gets its first other one: widths just beyond.
  std::vector<double> leaps() const {
    const Prepared& p = regression_.prepared();
    std::vector<double> steps;
    if (free_ > 1 || !is_compact(smoother_.kernel) || parameters_.criterion != Criterion::leave_one_out ||
        static_cast<double>(p.n) * cost() > budget)
      return steps;
    const double unit = range_.unit[0] * kernel_scale(smoother_.kernel, smoother_.scale_convention);
    for (std::size_t i = 0; i < p.n; ++i) {
      double nearest = infinity;
      for (std::size_t k = 0; k < p.n; ++k) {
        if (k == i || weight_of(p, k) == 0 || (smoother_.causal && p.x.column(0)[k] > p.x.column(0)[i])) continue;
        double square = 0;
        for (std::size_t j = 0; j < p.d; ++j) {
          const double apart = p.x.column(j)[k] - p.x.column(j)[i];
          square += apart * apart;
        }
        nearest = std::min(nearest, square);
      }
      const double step = std::log2(std::sqrt(nearest) * (1 + 1e-9) / unit);
      if (step > range_.lowest && step < range_.highest) steps.push_back(step);
    }
    return steps;
  }

  std::vector<double> scan_steps(double per_octave) const {
    const auto count = std::max<std::size_t>(
        4, static_cast<std::size_t>(std::ceil((range_.highest - range_.lowest) * per_octave)) + 1);
    std::vector<double> steps(count);
    for (std::size_t i = 0; i < count; ++i)
      steps[i] =
          range_.lowest + (range_.highest - range_.lowest) * static_cast<double>(i) / static_cast<double>(count - 1);
    return steps;
  }

  std::vector<double> widths(const std::vector<double>& at) const {
    std::vector<double> h(free_);
    for (std::size_t j = 0; j < free_; ++j) h[j] = range_.unit[j] * std::exp2(at[j]);
    return h;
  }

  double evaluate(const std::vector<double>& at) {
    for (const double step : at)
      if (step < range_.lowest || step > range_.highest) return infinity;
    const std::vector<double> h = widths(at);
    const double value = criterion_at(h);
    record(h, value);
    if (value < best_value_) {
      best_value_ = value;
      best_ = at;
    }
    if (execution_.progress) execution_.progress(evaluations_, std::max(planned_, evaluations_ + 1));
    return value;
  }

  Bandwidth bandwidth_of(const std::vector<double>& h) const {
    return free_ == 1 ? Bandwidth::number(h[0]) : Bandwidth::per_coordinate(h);
  }
  double criterion_at(const std::vector<double>& h) const {
    Smoother smoother = smoother_;
    smoother.bandwidth = bandwidth_of(h);
    const double value = criterion_of(regression_, smoother, parameters_.criterion, parameters_.loss, execution_);
    return std::isnan(value) ? infinity : value;
  }
  double as_reported(double value) const {
    return attn::as_reported(regression_.prepared(), parameters_.criterion, value);
  }
  void record(const std::vector<double>& h, double value, bool is_exact = true) {
    curve_.insert(curve_.end(), h.begin(), h.end());
    curve_.push_back(as_reported(value));
    curve_.push_back(is_exact ? 1 : 0);
    ++evaluations_;
  }

  // Near its minimum the criterion is a parabola: half its digits are all that its place can have. With many samples
  // the criterion's own uncertainty is far above that.
  double tolerance() const { return is_large() ? 2e-3 : 1e-8; }
  bool is_large() const { return regression_.size() > 20000; }

  double refine_line(std::vector<double> at, std::size_t j, double low, double high) {
    return minimise_on_line(
        [&](double step) {
          at[j] = step;
          return evaluate(at);
        },
        low, high, tolerance());
  }

  // Scans along each coordinate in turn while that helps, then a simplex.
  void descend(std::vector<double> at, const std::vector<double>& steps) {
    double value = evaluate(at);
    for (int round = 0; round < 4; ++round) {
      const double before = value;
      for (std::size_t j = 0; j < free_; ++j) {
        std::vector<double> trial = at;
        for (std::size_t i = 0; i < steps.size(); i += 2) {
          trial[j] = steps[i];
          const double here = evaluate(trial);
          if (here < value) {
            value = here;
            at = trial;
          }
        }
      }
      if (!(value < before)) break;
    }
    refine(at, value);
  }

  // Steps that start inwards where they would leave the range.
  void refine(const std::vector<double>& at, double value) {
    std::vector<double> sides(free_);
    for (std::size_t j = 0; j < free_; ++j) sides[j] = at[j] + 0.3 > range_.highest ? -0.3 : 0.3;
    minimise_by_simplex([&](const std::vector<double>& trial) { return evaluate(trial); }, at, value, sides,
                        tolerance());
  }

  // A grid over all coordinates, where it is affordable, and its local minima refined. False where it is not.
  bool search_grid() {
    constexpr double most_per_octave = 6, refinement = 100;  // evaluations
    constexpr std::size_t most_minima = 16;
    const double span = range_.highest - range_.lowest, affordable = budget / cost();
    const double side = std::min(std::pow(affordable, 1 / static_cast<double>(free_)), most_per_octave * span);
    if (side < span + 1) return false;
    const auto count = static_cast<std::size_t>(side);
    std::size_t total = 1;
    for (std::size_t j = 0; j < free_; ++j) total *= count;
    planned_ = total;
    const auto place = [&](std::size_t cell) {
      std::vector<double> at;
      for (std::size_t j = 0; j < free_; ++j, cell /= count)
        at.push_back(range_.lowest + span * static_cast<double>(cell % count) / static_cast<double>(count - 1));
      return at;
    };
    std::vector<double> values(total);
    for (std::size_t cell = 0; cell < total; ++cell) values[cell] = evaluate(place(cell));
    std::vector<std::size_t> minima;
    for (std::size_t cell = 0; cell < total; ++cell) {
      bool is_least = values[cell] < infinity;
      for (std::size_t j = 0, stride = 1; j < free_; ++j, stride *= count) {
        const std::size_t along = cell / stride % count;
        if (along > 0 && values[cell - stride] < values[cell]) is_least = false;
        if (along + 1 < count && values[cell + stride] <= values[cell]) is_least = false;
      }
      if (is_least) minima.push_back(cell);
    }
    std::sort(minima.begin(), minima.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    const auto most = static_cast<std::size_t>(std::clamp(affordable / refinement, 2.0, double(most_minima)));
    if (minima.size() > most) minima.resize(most);
    for (const std::size_t cell : minima) refine(place(cell), values[cell]);
    return true;
  }

  // Near the minimum, rounding hides which of two widths is better. Five points further apart see the curve's bend: the
  // minimum of the quartic through them is known to more digits than any comparison of neighbours gives.
  void polish_best(double step) {
    const double centre = best_[0];
    double f[5];
    f[2] = best_value_;
    for (const int i : {0, 1, 3, 4}) f[i] = evaluate({centre + (i - 2) * step});
    const double a1 = (f[0] - 8 * f[1] + 8 * f[3] - f[4]) / 12;
    const double a2 = (16 * (f[1] + f[3]) - f[0] - f[4] - 30 * f[2]) / 24;
    const double a3 = (2 * (f[1] - f[3]) - f[0] + f[4]) / 12;
    const double a4 = (f[0] + f[4] - 4 * (f[1] + f[3]) + 6 * f[2]) / 24;
    double t = 0;
    for (int iteration = 0; iteration < 20; ++iteration)
      t -= (a1 + t * (2 * a2 + t * (3 * a3 + t * 4 * a4))) / (2 * a2 + t * (6 * a3 + t * 12 * a4));
    if (!(std::abs(t) < 1)) return;  // a criterion with steps or corners, as compact kernels have
    const std::vector<double> polished{centre + t * step};
    const double least = best_value_;
    if (evaluate(polished) <= least + 1e-12 * std::abs(least)) best_ = polished;
  }

  // The least step of a staircase: of all where their pairs fit, otherwise of those around the best width so far.
  void take_best_step() {
    constexpr double most_pairs = 1 << 22;
    BoxcarSteps staircase(regression_.prepared(), smoother_, parameters_.criterion, parameters_.loss);
    const double scale = range_.unit[0] * kernel_scale(smoother_.kernel, smoother_.scale_convention);
    double low = range_.lowest, high = range_.highest;
    const auto n = static_cast<double>(regression_.size());
    if (n * (n - 1) / 2 > most_pairs)
      for (double around = 1; staircase.count(scale * std::exp2(low), scale * std::exp2(high)) > most_pairs;
           around /= 2) {
        low = std::max(range_.lowest, best_[0] - around);
        high = std::min(range_.highest, best_[0] + around);
      }
    const BoxcarSteps::Step step = staircase.least(scale * std::exp2(low), scale * std::exp2(high));
    // The middle of the step, with as few digits as stay well inside.
    const double share = kernel_scale(smoother_.kernel, smoother_.scale_convention),
                 slack = 0.1 * (step.high - step.low);
    const double middle = 0.5 * (step.low + step.high) / share;
    double h = middle;
    for (int digits = 3; digits <= 17; ++digits) {
      h = rounded(middle, digits);
      if (h * share >= step.low + slack && h * share <= step.high - slack) break;
    }
    best_ = {std::log2(h / range_.unit[0])};
    take({h});
  }

  void take(const std::vector<double>& h) {
    best_widths_ = h;
    best_value_ = criterion_at(h);
    record(h, best_value_);
  }

  static double rounded(double x, int digits) {
    char text[32];
    const char* end = std::to_chars(text, text + sizeof text, x, std::chars_format::general, digits).ptr;
    std::from_chars(text, end, x);
    return x;
  }

  // More digits would depend on how the machine rounds.
  void round_best() {
    const bool polished = free_ == 1 && !is_large();
    if (polished) polish_best(0.02);
    std::vector<double> h;
    const double least = best_value_ + 1e-9 * std::abs(best_value_);
    // More digits where fewer fall off the edge of a leap.
    for (int digits = polished ? 9 : 7; digits <= 17; digits += 2) {
      h.clear();
      for (std::size_t j = 0; j < free_; ++j) h.push_back(rounded(range_.unit[j] * std::exp2(best_[j]), digits));
      if (is_large() || criterion_at(h) <= least) break;
    }
    take(h);
  }

  Selection selection(const std::vector<double>& steps) {
    Selection chosen;
    chosen.bandwidth = bandwidth_of(best_widths_);
    chosen.criterion = as_reported(best_value_);
    const double margin = 0.5 * (steps[1] - steps[0]);
    // A column among several that is smoothed away altogether may be.
    for (const double step : best_)
      chosen.at_border =
          chosen.at_border || step < range_.lowest + margin || (free_ == 1 && step > range_.highest - margin);
    Tensor curve(DType::f64, {evaluations_, free_ + 2});
    std::copy(curve_.begin(), curve_.end(), curve.data_as<double>());
    chosen.curve = curve.view("bandwidth-curve");
    return chosen;
  }

  const KernelRegression& regression_;
  const Smoother& smoother_;
  const SelectionParameters& parameters_;
  const Execution& execution_;
  std::size_t free_, evaluations_ = 0, planned_ = 0;
  const SearchRange range_;
  std::vector<double> best_, best_widths_, curve_;
  double best_value_ = infinity;
};

}  // namespace

Selection select_bandwidth(const KernelRegression& regression, const Smoother& smoother,
                           const SelectionParameters& parameters, const Execution& execution) {
  return Search(regression, smoother, parameters, execution).run();
}

}  // namespace attn
