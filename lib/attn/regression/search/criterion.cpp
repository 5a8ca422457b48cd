#include <attn/regression/search/criterion.hpp>

#include <attn/core/infinity.hpp>
#include <attn/regression/windows/evaluation.hpp>

#include <numeric>

namespace attn {
namespace {

using Prepared = KernelRegression::Prepared;

// sum_i w_i f(i, y_i, fit_i) and sum_i w_i over the samples of each leaf whose y is a number; fit (n, C) in prepared
// order.
template <class F>
LeafSums leaf_sums(const Prepared& p, std::size_t c, const double* fit, const LeafRange& leaves,
                   const Execution& execution, F f) {
  const std::size_t count = std::min(leaves.last, leaves_of(p.n)) - leaves.first;
  LeafSums sums{std::vector<double>(count), std::vector<double>(count)};
  execution.parallel(count, [&](std::size_t leaf, std::size_t) {
    const std::size_t begin = (leaves.first + leaf) * leaf_keys;
    for (std::size_t i = begin; i < std::min(p.n, begin + leaf_keys); ++i) {
      const double y = p.y.column(c)[i];
      if (std::isnan(y)) continue;
      sums.loss[leaf] += weight_of(p, i) * f(i, y, fit[i * p.outputs + c]);
      sums.weight[leaf] += weight_of(p, i);
    }
  });
  return sums;
}

double mean_of(const LeafSums& sums) { return tree_sum(sums.loss) / tree_sum(sums.weight); }

double corrected_aic(const KernelRegression& regression, const Smoother& smoother, const Execution& execution) {
  const Prepared& p = regression.prepared();
  RegressionRequest request;
  request.self_weight = true;
  Smoother honest = smoother;
  honest.empty = EmptyWindow::nan;
  const RegressionResult result = regression.evaluate(honest, request, execution);
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
    const LeafSums squares = leaf_sums(p, c, fit, all_leaves, execution, [](std::size_t, double y, double value) {
      return std::isnan(value) ? 0.0 : (y - value) * (y - value);
    });
    total += std::log(mean_of(squares)) + penalty;
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

// Criteria are found in the units of samples.y, which no y is too large or too small for.
std::vector<LeafSums> leave_one_out_loss(const KernelRegression& regression, const Smoother& smoother, Loss loss,
                                         const LeafRange& leaves, const Execution& execution) {
  const Prepared& p = regression.prepared();
  Smoother honest = smoother;
  honest.empty = EmptyWindow::nan;
  Tensor fits = leave_one_out_fits(p, honest, execution, leaves);
  std::vector<LeafSums> outputs;
  for (std::size_t c = 0; c < p.outputs; ++c) {
    const Moments all = moments_of(p, c);
    const double unit = unit_of_loss(loss, p.outputs, all);
    outputs.push_back(
        leaf_sums(p, c, fits.data_as<double>(), leaves, execution, [&](std::size_t i, double y, double value) {
          return loss_of(loss, y, std::isnan(value) ? all.mean_without(y, weight_of(p, i)) : value);
        }));
    for (double& sum : outputs.back().loss) sum /= unit;
  }
  return outputs;
}

double criterion_of(const KernelRegression& regression, const Smoother& smoother, Criterion criterion, Loss loss,
                    const Execution& execution) {
  if (criterion == Criterion::aicc) return corrected_aic(regression, smoother, execution);
  double total = 0;
  for (const LeafSums& sums : leave_one_out_loss(regression, smoother, loss, all_leaves, execution))
    total += mean_of(sums);
  return total;
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
