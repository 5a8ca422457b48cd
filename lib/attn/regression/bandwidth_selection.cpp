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

}  // namespace

Selection select_bandwidth(const KernelRegression& regression, const Smoother& smoother,
                           const SelectionParameters& parameters, const Execution& execution) {
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
  if (found.widths.empty())
    throw Error(ErrorKind::data, "bandwidth", "no width in the range searched has a finite criterion",
                "give the bandwidth");
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
