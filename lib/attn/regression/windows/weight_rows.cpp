#include <attn/regression/windows/weight_rows.hpp>

#include <attn/core/infinity.hpp>

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

double total(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

}  // namespace

WeightRows::Parameters row_parameters(const KernelRegression::Prepared& samples, const Smoother& smoother,
                                      bool restricted) {
  return {smoother.kernel, metric_of(smoother, samples), samples.weight(), smoother.causal, smoother.decay,
          // With missing values, dropped weights are no longer negligible.
          samples.y_is_finite ? smoother.tolerance : 0,
          // Keys of 1e-24 of the weight can determine a slope; dropped weights must be small compared with those.
          smoother.degree == 0 ? 0x1p-54 : 0x1p-136, restricted, CategoryWeights(samples, smoother),
          samples.neighbour_weight()};
}

WeightRows::WeightRows(const KernelRegression::Prepared& samples, Parameters parameters)
    : samples_(samples), parameters_(std::move(parameters)), x_(samples.x.pointers()) {}

// Runs of candidate keys; log_share: a lower bound of the total weight relative to the full weight of the nearest key.
void WeightRows::candidates(const double* q, std::size_t self, double log_share, const std::vector<double>& scale,
                            Scratch& scratch) const {
  const auto n = static_cast<std::uint32_t>(samples_.n);
  scratch.runs.assign(1, {0, n});
  scratch.nearest = 0;
  const bool compact = is_compact(parameters_.kernel);
  if (n == 0) return;
  if (parameters_.restricted &&
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
        double gap = infinity;
        // The nearest other key is one of the two on either side. Under `causal` equal keys to the right count as well.
        for (std::size_t i = right < 2 ? 0 : right - 2; i < std::min<std::size_t>(n, right + 2); ++i)
          if (i != self && !(parameters_.causal && x[i] > q[0])) gap = std::min(gap, std::abs(x[i] - q[0]) * scale[0]);
        nearest = gap * gap;
      }
      scratch.nearest = nearest;
      const double tolerance = std::max(parameters_.tolerance, parameters_.rounding / samples_.y_spread);
      radius = std::sqrt(nearest - 2 * (std::log(tolerance / n) + log_share));
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
  candidates(q, self, 0, parameters_.metric.scale, scratch);
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

void WeightRows::find(const double* q, std::size_t self, bool slopes, WeightRow& row, Scratch& scratch) const {
  row.key.clear();
  row.weight.clear();
  row.slope.clear();
  row.log_factor = row.falloff = 0;
  if (!adapt(q, self, row, scratch)) return;
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

}  // namespace attn
