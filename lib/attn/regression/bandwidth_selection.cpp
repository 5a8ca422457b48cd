#include <attn/core/error.hpp>
#include <attn/regression/bandwidth_selection.hpp>
#include <attn/regression/search/estimate.hpp>
#include <attn/regression/search/trials.hpp>
#include <attn/regression/windows/evaluation.hpp>

#include <algorithm>
#include <cmath>

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

}  // namespace attn
