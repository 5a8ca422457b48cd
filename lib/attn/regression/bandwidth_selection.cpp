#include <attn/regression/bandwidth_selection.hpp>

#include <attn/core/error.hpp>
#include <attn/regression/selection/criterion.hpp>
#include <attn/regression/selection/estimate.hpp>
#include <attn/regression/selection/trials.hpp>
#include <attn/regression/windows/evaluation.hpp>

#include <algorithm>
#include <cmath>
#include <map>

namespace attn {
namespace {

bool is_constant(const KernelRegression::Prepared& samples) {
  for (std::size_t c = 0; c < samples.outputs; ++c)
    if (samples.y_low[c] < samples.y_high[c]) return false;
  return true;
}

/// Does the smoother predict each sample from the others to rounding? Then the criterion is noise.
bool predicts_exactly(const KernelRegression::Prepared& samples, const Smoother& smoother, const Execution& execution) {
  Tensor fits = leave_one_out_fits(samples, smoother, execution);
  const double* fit = fits.data_as<double>();
  for (std::size_t c = 0; c < samples.outputs; ++c) {
    const double rounding = 1e-13 * std::max(std::abs(samples.y_low[c]), std::abs(samples.y_high[c]));
    const double* y = samples.y.column(c);
    for (std::size_t i = 0; i < samples.n; ++i)
      if (!std::isnan(y[i]) && !(std::abs(fit[i * samples.outputs + c] - y[i]) <= rounding)) return false;
  }
  return true;
}

Error no_width(const char* where) {
  return {ErrorKind::data, "bandwidth", std::string("no width ") + where + " has a finite criterion",
          "give the bandwidth"};
}

Selection select_from_grid(const KernelRegression& regression, const Smoother& smoother,
                           const SelectionParameters& parameters, const Execution& execution) {
  const Execution quiet = execution.without_progress();
  Tensor curve(DType::f64, {parameters.grid.size(), 3});
  double* row = curve.data_as<double>();
  Smoother trial = smoother;
  Selection chosen;
  for (const double h : parameters.grid) {
    trial.bandwidth = Bandwidth::number(h);
    *row++ = h;
    *row++ = bandwidth_criterion(regression, trial, parameters.criterion, parameters.loss, quiet);
    *row++ = 1;
    ++chosen.evaluations;
    if (execution.progress) execution.progress(chosen.evaluations, parameters.grid.size());
  }
  const std::optional<std::size_t> best = least_of_curve(curve.view());
  if (!best) throw no_width("of the grid");
  chosen.bandwidth = Bandwidth::number(parameters.grid[*best]);
  chosen.criterion = curve.data_as<double>()[3 * *best + 1];
  chosen.curve = curve.view("bandwidth-curve");
  return chosen;
}

/// The criterion of each number that was tried, in the order of the trials.
class CountTrials {
 public:
  CountTrials(const KernelRegression& regression, const Smoother& smoother, Loss loss, const Execution& execution)
      : regression_(regression),
        smoother_(smoother),
        loss_(loss),
        execution_(execution.without_progress()),
        progress_(execution.progress) {}

  double evaluate(std::size_t count) {
    const auto known = values_.find(count);
    if (known != values_.end()) return known->second;
    Smoother smoother = smoother_;
    smoother.bandwidth = Bandwidth::nearest(count);
    const double value = criterion_of(regression_, smoother, Criterion::leave_one_out, loss_, execution_);
    tried_.push_back(count);
    work_ += count;
    if (progress_) progress_(tried_.size(), std::max(planned_, tried_.size() + 1));
    return values_[count] = std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
  }
  void plan(std::size_t evaluations) noexcept { planned_ = evaluations; }

  /// Of all that were tried, a sum over the neighbours.
  std::size_t work() const noexcept { return work_; }

  /// The middle of the gap between tried numbers where the least criterion may be: the lesser one of its ends, less
  /// half the largest bend of the curve around it. 0: all gaps are closed. beside_best: only those next to the best
  /// number.
  std::size_t middle_of_gap(bool beside_best) const {
    const std::vector<std::pair<std::size_t, double>> at(values_.begin(), values_.end());
    const std::size_t best = this->best();
    const auto bend = [&](std::size_t i) {
      if (i == 0 || i + 1 >= at.size()) return 0.0;
      const double left = static_cast<double>(at[i].first - at[i - 1].first),
                   right = static_cast<double>(at[i + 1].first - at[i].first);
      const double line = (at[i - 1].second * right + at[i + 1].second * left) / (left + right);
      return std::isfinite(at[i].second - line) ? std::abs(at[i].second - line) : 0;
    };
    std::size_t middle = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i + 1 < at.size(); ++i) {
      if (at[i + 1].first - at[i].first < 2 || (beside_best && at[i].first != best && at[i + 1].first != best))
        continue;
      double bends = 0;
      for (std::size_t k = i > 0 ? i - 1 : 0; k < i + 3; ++k) bends = std::max(bends, bend(k));
      const double possible = std::min(at[i].second, at[i + 1].second) - 0.5 * bends;
      if (middle > 0 && !(possible < least)) continue;
      middle = (at[i].first + at[i + 1].first) / 2;
      least = possible;
    }
    return middle;
  }

  std::size_t best() const {
    const auto least = [](const auto& a, const auto& b) { return a.second < b.second; };
    return std::min_element(values_.begin(), values_.end(), least)->first;
  }
  std::size_t evaluations() const noexcept { return tried_.size(); }
  TensorView curve() const {
    Tensor curve(DType::f64, {tried_.size(), 3});
    for (std::size_t i = 0; i < tried_.size(); ++i) {
      double* row = curve.data_as<double>() + 3 * i;
      row[0] = static_cast<double>(tried_[i]);
      row[1] = values_.at(tried_[i]);
      row[2] = 1;
    }
    return curve.view("bandwidth-curve");
  }

 private:
  const KernelRegression& regression_;
  const Smoother& smoother_;
  Loss loss_;
  const Execution execution_;
  const ProgressHook progress_;
  std::map<std::size_t, double> values_;
  std::vector<std::size_t> tried_;
  std::size_t planned_ = 0, work_ = 0;
};

// All numbers of few samples; of more, eight an octave beyond the first.
std::vector<std::size_t> ladder(std::size_t most) {
  constexpr std::size_t few = 256, first = 32;
  std::vector<std::size_t> counts;
  for (std::size_t count = 1; count <= (most <= few ? most : first); ++count) counts.push_back(count);
  for (double octave = 1.0 / 8; counts.back() < most; octave += 1.0 / 8)
    counts.push_back(std::min(most, static_cast<std::size_t>(static_cast<double>(first) * std::exp2(octave))));
  return counts;
}

}  // namespace

std::vector<double> width_grid(double low, double high, std::size_t count) {
  std::vector<double> widths(count, low);
  for (std::size_t i = 1; i < count; ++i)
    widths[i] = i + 1 == count
                    ? high
                    : rounded(low * std::pow(high / low, static_cast<double>(i) / static_cast<double>(count - 1)), 9);
  return widths;
}

std::optional<std::size_t> least_of_curve(const TensorView& curve) {
  const auto* row = curve.contiguous_data<double>();
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < curve.shape[0]; ++i)
    if (std::isfinite(row[3 * i + 1]) && (!best || row[3 * i + 1] < row[3 * *best + 1])) best = i;
  return best;
}

Selection select_bandwidth(const KernelRegression& regression, const Smoother& smoother,
                           const SelectionParameters& parameters, const Execution& execution) {
  if (smoother.degree > 2) throw Error(ErrorKind::usage, "degree", "is more than 2", "give 0, 1 or 2");
  if (!parameters.grid.empty()) return select_from_grid(regression, smoother, parameters, execution);
  BandwidthTrials trials(regression, smoother, parameters, execution);
  const KernelRegression::Prepared& samples = regression.prepared();
  Selection chosen;
  chosen.is_constant = is_constant(samples);
  Smoother wide = smoother;
  wide.bandwidth = trials.bandwidth_of(widest(trials).widths);
  chosen.is_polynomial = smoother.degree > 0 && !chosen.is_constant && predicts_exactly(samples, wide, execution);
  const FoundWidths found = chosen.is_constant || chosen.is_polynomial         ? widest(trials)
                            : trials.free() == 1 && samples.categories.empty() ? search_on_line(trials)
                                                                               : search_in_space(trials);
  if (found.widths.empty()) throw no_width("in the range searched");
  const double value = found.criterion ? *found.criterion : trials.criterion_at(found.widths);
  trials.record(found.widths, value, true);
  chosen.bandwidth = trials.bandwidth_of(found.widths);
  chosen.criterion = as_reported(samples, parameters.criterion, value);
  chosen.at_border = found.at_border;
  chosen.is_widest = found.is_widest;
  chosen.smoothed_away = found.smoothed_away;
  chosen.evaluations = trials.evaluations();
  if (parameters.curve) chosen.curve = trials.curve();
  return chosen;
}

std::optional<double> correlation_of_neighbours(const KernelRegression& regression) {
  constexpr std::size_t fewest = 50;
  const KernelRegression::Prepared& samples = regression.prepared();
  if (samples.d != 1 || !samples.has_numbers() || !samples.categories.empty() || samples.outputs != 1)
    return std::nullopt;
  std::vector<double> x, y, weight;
  double total_weight = 0, squares = 0;
  for (std::size_t i = 0; i < samples.n; ++i)
    if (weight_of(samples, i) > 0 && !std::isnan(samples.y.column(0)[i])) {
      x.push_back(samples.x.column(0)[i]);
      y.push_back(samples.y.column(0)[i]);
      weight.push_back(weight_of(samples, i));
      total_weight += weight.back();
      squares += weight.back() * weight.back();
    }
  const std::size_t n = x.size();
  const double counted = total_weight * total_weight / squares;  // n, without weights
  if (!(counted >= fewest)) return std::nullopt;
  // Q(k) / 1.5
  const auto mean_square = [&](std::size_t k) {
    double total = 0, mass = 0;
    for (std::size_t i = k; i + k < n; ++i) {
      const double apart = x[i + k] - x[i - k], left = apart > 0 ? (x[i + k] - x[i]) / apart : 0.5, right = 1 - left;
      const double rest = y[i] - left * y[i - k] - right * y[i + k];
      const double least = std::min({weight[i - k], weight[i], weight[i + k]});
      total += least * rest * rest / (1 + left * left + right * right);
      mass += least;
    }
    return total / mass;
  };
  const double one = mean_square(1), four = mean_square(4), eight = mean_square(8);
  const double quotient = one / (four - std::max(0.0, eight - four) / 15);
  // The logarithm of the quotient of independent normal errors has a variance of about 7 / n.
  const double least = std::min(0.75, std::exp(-2.6 * std::sqrt(7 / counted)));
  if (!(quotient > 0 && quotient < least)) return std::nullopt;
  return 2 - std::sqrt(1 + 3 * quotient);
}

Selection select_neighbours(const KernelRegression& regression, const Smoother& smoother, Loss loss,
                            const Execution& execution) {
  const std::size_t most = regression.prepared().neighbours_of_others();
  if (most < 2)
    throw Error(ErrorKind::data, "x", "has too few samples to choose the number of neighbours", "give it as knn:K");
  CountTrials trials(regression, smoother, loss, execution);
  const std::vector<std::size_t> counts = ladder(most);
  trials.plan(3 * counts.size());
  for (const std::size_t count : counts) trials.evaluate(count);
  // Wherever a lesser one may be for as much work again, or a tenth of a second; then beside the best.
  constexpr std::size_t pairs = 10000000;
  const std::size_t enough = std::max(2 * trials.work(), pairs / regression.size());
  while (const std::size_t count = trials.middle_of_gap(trials.work() >= enough)) trials.evaluate(count);
  Selection chosen;
  chosen.bandwidth = Bandwidth::nearest(trials.best());
  chosen.criterion = trials.evaluate(trials.best());
  chosen.evaluations = trials.evaluations();
  chosen.curve = trials.curve();
  return chosen;
}

}  // namespace attn
