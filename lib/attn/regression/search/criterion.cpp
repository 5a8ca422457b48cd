#include <attn/regression/search/criterion.hpp>

#include <attn/core/infinity.hpp>
#include <attn/regression/windows/evaluation.hpp>

#include <numeric>

namespace attn {
namespace {

using Prepared = KernelRegression::Prepared;

// sum_i w_i f(i, y_i, fit_i) / sum_i w_i over the samples of one output whose y is a number; fit (n, C) in prepared
// order.
template <class F>
double weighted_mean(const Prepared& p, std::size_t c, const double* fit, const Execution& execution, F f) {
  constexpr std::size_t block = 4096;
  std::vector<double> parts((p.n + block - 1) / block), masses(parts.size());
  execution.parallel(parts.size(), [&](std::size_t task, std::size_t) {
    double part = 0, mass = 0;
    for (std::size_t i = task * block; i < std::min(p.n, (task + 1) * block); ++i) {
      const double y = p.y.column(c)[i];
      if (std::isnan(y)) continue;
      part += weight_of(p, i) * f(i, y, fit[i * p.outputs + c]);
      mass += weight_of(p, i);
    }
    parts[task] = part;
    masses[task] = mass;
  });
  return std::accumulate(parts.begin(), parts.end(), 0.0) / std::accumulate(masses.begin(), masses.end(), 0.0);
}

// Criteria are found in the units of samples.y, which no y is too large or too small for.
double leave_one_out(const KernelRegression& regression, const Smoother& smoother, Loss loss,
                     const Execution& execution) {
  const Prepared& p = regression.prepared();
  Tensor fits = leave_one_out_fits(p, smoother, execution);
  const double* fit = fits.data_as<double>();
  double total = 0;
  for (std::size_t c = 0; c < p.outputs; ++c) {
    const Moments all = moments_of(p, c);
    const double mean = weighted_mean(p, c, fit, execution, [&](std::size_t i, double y, double value) {
      return loss_of(loss, y, std::isnan(value) ? all.mean_without(y, weight_of(p, i)) : value);
    });
    total += mean / unit_of_loss(loss, p.outputs, all);
  }
  return total;
}

double corrected_aic(const KernelRegression& regression, const Smoother& smoother, const Execution& execution) {
  const Prepared& p = regression.prepared();
  RegressionRequest request;
  request.self_weight = true;
  const RegressionResult result = regression.evaluate(smoother, request, execution);
  Tensor fits(DType::f64, {p.n, p.outputs});
  double* fit = fits.data_as<double>();
  const double* given = result.fit.contiguous_data<double>();
  for (std::size_t i = 0; i < p.n; ++i)
    for (std::size_t c = 0; c < p.outputs; ++c)
      fit[i * p.outputs + c] = given[p.order[i] * p.outputs + c] / p.y_scale[c];
  const double* self = result.self_weight->contiguous_data<double>();
  const double trace = std::accumulate(self, self + p.n, 0.0), n = static_cast<double>(p.counted());
  const double penalty = aicc_penalty(trace, n);
  if (penalty == infinity) return infinity;
  double total = 0;
  for (std::size_t c = 0; c < p.outputs; ++c) {
    const double variance = weighted_mean(p, c, fit, execution, [](std::size_t, double y, double value) {
      return std::isnan(value) ? 0.0 : (y - value) * (y - value);
    });
    total += std::log(variance) + penalty;
  }
  return total / static_cast<double>(p.outputs);
}

}  // namespace

Moments moments_of(const Prepared& p, std::size_t c) {
  Moments m;
  const double* y = p.y.column(c);
  for (std::size_t i = 0; i < p.n; ++i)
    if (!std::isnan(y[i])) {
      m.mass += weight_of(p, i);
      m.mean += weight_of(p, i) * y[i];
    }
  m.mean /= m.mass;
  for (std::size_t i = 0; i < p.n; ++i)
    if (!std::isnan(y[i])) m.variance += weight_of(p, i) * (y[i] - m.mean) * (y[i] - m.mean);
  m.variance /= m.mass;
  return m;
}

double criterion_of(const KernelRegression& regression, const Smoother& smoother, Criterion criterion, Loss loss,
                    const Execution& execution) {
  Smoother honest = smoother;
  honest.empty = EmptyWindow::nan;
  return criterion == Criterion::aicc ? corrected_aic(regression, honest, execution)
                                      : leave_one_out(regression, honest, loss, execution);
}

double as_reported(const Prepared& p, Criterion criterion, double value) {
  if (criterion == Criterion::aicc)
    for (const double scale : p.y_scale) value += 2 * std::log(scale) / static_cast<double>(p.outputs);
  return value;
}

double bandwidth_criterion(const KernelRegression& regression, const Smoother& smoother, Criterion criterion, Loss loss,
                           const Execution& execution) {
  return as_reported(regression.prepared(), criterion, criterion_of(regression, smoother, criterion, loss, execution));
}

double unit_of_criterion(const KernelRegression& regression, Criterion criterion, Loss loss) {
  const Prepared& p = regression.prepared();
  return criterion == Criterion::leave_one_out && loss == Loss::squared && p.outputs == 1 ? p.y_scale[0] : 1;
}

}  // namespace attn
