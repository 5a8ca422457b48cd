#include <attn/regression/selection/criterion.hpp>

#include <attn/core/constants.hpp>
#include <attn/core/error.hpp>
#include <attn/regression/windows/evaluation.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace attn {
namespace {

using Prepared = KernelRegression::Prepared;

// sum_i w_i f(i, y_i, fit_i) and sum_i w_i over the samples of each leaf whose y is a number; fit (n, C) in prepared
// order.
template <class F>
LeafSums leaf_sums(const Prepared& p, std::size_t c, const double* fit, const LeafRange& leaves, std::size_t every,
                   const Execution& execution, F f) {
  const std::size_t count = std::min(leaves.last, leaves_of(p.n)) - leaves.first;
  LeafSums sums{std::vector<double>(count), std::vector<double>(count)};
  execution.parallel(count, [&](std::size_t leaf, std::size_t) {
    const std::size_t begin = (leaves.first + leaf) * leaf_keys;
    for (std::size_t i = begin; i < std::min(p.n, begin + leaf_keys); ++i) {
      const double y = p.y.column(c)[i];
      if (std::isnan(y) || i % every != 0) continue;
      sums.loss[leaf] += weight_of(p, i) * f(i, y, fit[i * p.outputs + c]);
      sums.weight[leaf] += weight_of(p, i);
    }
  });
  return sums;
}

double mean_of(const LeafSums& sums) { return tree_sum(sums.loss) / tree_sum(sums.weight); }

// The criteria of the fits themselves: aicc or gcv.
double criterion_of_fits(const KernelRegression& regression, const Smoother& smoother, Criterion criterion,
                         const Execution& execution) {
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
  if (criterion == Criterion::aicc && penalty == infinity) return infinity;
  double total = 0;
  for (std::size_t c = 0; c < p.outputs; ++c) {
    const LeafSums squares = leaf_sums(p, c, fit, all_leaves, 1, execution, [](std::size_t, double y, double value) {
      return std::isnan(value) ? 0.0 : (y - value) * (y - value);
    });
    total += criterion == Criterion::aicc
                 ? std::log(mean_of(squares)) + penalty
                 : generalised(mean_of(squares), trace, n) / unit_of_loss(Loss::squared, p.outputs, moments_of(p, c));
  }
  return criterion == Criterion::aicc ? total / static_cast<double>(p.outputs) : total;
}

using Prepared = KernelRegression::Prepared;

struct Weighted {
  double value, weight;
};

// The least value that `share` of the weight does not exceed.
double quantile(std::vector<Weighted>& sample, double share) {
  std::sort(sample.begin(), sample.end(), [](const Weighted& a, const Weighted& b) { return a.value < b.value; });
  double total = 0, passed = 0;
  for (const Weighted& one : sample) total += one.weight;
  for (const Weighted& one : sample)
    if ((passed += one.weight) >= share * total) return one.value;
  return sample.back().value;
}

// A part of many samples is enough for quantiles.
std::size_t stride_of(std::size_t n) { return std::max<std::size_t>(1, n / 32768); }

// For sorted samples: the first quartile of the spacing of distinct neighbours.
double spacing(const Prepared& p) {
  const double* x = p.x.column(0);
  std::vector<Weighted> gaps;
  const auto look = [&](std::size_t stride) {
    std::size_t before = p.n;
    for (std::size_t i = 0; i < p.n; ++i) {
      if (weight_of(p, i) == 0) continue;
      if (before < p.n && x[i] > x[before] && i % stride == 1 % stride)
        gaps.push_back({x[i] - x[before], std::min(weight_of(p, i), weight_of(p, before))});
      before = i;
    }
  };
  look(stride_of(p.n));
  // Where most samples are in one place, those looked at may all be.
  if (gaps.empty()) look(1);
  return quantile(gaps, 0.25);
}

// The extent of a coordinate over all samples that count; 0 without any.
double extent_of(const Prepared& p, std::size_t j) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (std::size_t i = 0; i < p.n; ++i) {
    if (weight_of(p, i) == 0) continue;
    low = std::min(low, p.x.column(j)[i]);
    high = std::max(high, p.x.column(j)[i]);
  }
  return high > low ? high - low : 0;
}

// The extent of the middle half of a coordinate; of more than that where half the samples are in one place.
double middle_extent(const Prepared& p, std::size_t j) {
  std::vector<Weighted> places;
  for (std::size_t i = 0; i < p.n; i += stride_of(p.n)) places.push_back({p.x.column(j)[i], weight_of(p, i)});
  for (const double outside : {0.25, 0.05, 0.005, 0.0}) {
    const double extent = quantile(places, 1 - outside) - quantile(places, outside);
    if (extent > 0) return extent;
  }
  return extent_of(p, j);
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

namespace {

// Criteria are found in the units of samples.y, which no y is too large or too small for.
std::vector<LeafSums> loss_of_some(const KernelRegression& regression, const Smoother& smoother, Loss loss,
                                   const LeafRange& leaves, std::size_t every, std::size_t block,
                                   const Execution& execution) {
  const Prepared& p = regression.prepared();
  Smoother honest = smoother;
  honest.empty = EmptyWindow::nan;
  Tensor fits = leave_one_out_fits(p, honest, execution, leaves, every, block);
  std::vector<LeafSums> outputs;
  for (std::size_t c = 0; c < p.outputs; ++c) {
    const Moments all = moments_of(p, c);
    const double unit = unit_of_loss(loss, p.outputs, all);
    outputs.push_back(
        leaf_sums(p, c, fits.data_as<double>(), leaves, every, execution, [&](std::size_t i, double y, double value) {
          return loss_of(smoother, loss, y, std::isnan(value) ? all.mean_without(y, weight_of(p, i)) : value);
        }));
    for (double& sum : outputs.back().loss) sum /= unit;
  }
  return outputs;
}

}  // namespace

std::vector<LeafSums> leave_one_out_loss(const KernelRegression& regression, const Smoother& smoother, Loss loss,
                                         const LeafRange& leaves, const Execution& execution) {
  return loss_of_some(regression, smoother, loss, leaves, 1, 1, execution);
}

double criterion_of(const KernelRegression& regression, const Smoother& smoother, Criterion criterion, Loss loss,
                    const Execution& execution, std::size_t every, std::size_t block) {
  if (criterion != Criterion::leave_one_out) return criterion_of_fits(regression, smoother, criterion, execution);
  double total = 0;
  for (const LeafSums& sums : loss_of_some(regression, smoother, loss, all_leaves, every, block, execution))
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
  return criterion != Criterion::aicc && loss == Loss::squared && p.outputs == 1 ? p.y_scale[0] : 1;
}

SearchRange search_range(const Prepared& p, const Smoother& smoother, bool isotropic) {
  const std::size_t count = p.counted();
  if (count < 3)
    throw Error(ErrorKind::data, "x",
                "has " + std::to_string(count) + (count == 1 ? " row" : " rows") +
                    (count < p.n ? " with a weight above 0" : "") + ", too few to choose a bandwidth",
                "give the bandwidth");
  SearchRange range;
  if (!p.has_numbers()) return range;
  double widest = 0;  // extents in units
  for (std::size_t j = 0; j < p.d; ++j) {
    const double extent = extent_of(p, j);
    if (!(extent > 0) || !std::isfinite(extent))
      throw Error(ErrorKind::data, "x",
                  "column " + std::to_string(p.column(j)) + " is constant, so no bandwidth can be chosen for it",
                  "drop the column or give the bandwidth");
    range.unit.push_back(p.d == 1 ? spacing(p) : middle_extent(p, j));
    widest = std::max(widest, extent / range.unit.back());
  }
  if (isotropic) range.unit.assign(p.d, *std::max_element(range.unit.begin(), range.unit.end()));
  // Compact kernels need more than the Gaussian's standard deviation to reach as far.
  const double reach = (is_compact(smoother.kernel) ? 2 : 1) / kernel_scale(smoother.kernel, smoother.scale_convention);
  const auto n = static_cast<double>(count), d = static_cast<double>(p.d);
  range.lowest = std::log2((p.d == 1 ? 0.25 : 1.0 / 64 / std::max(2.0, std::pow(n, 1 / d))) * reach);
  // Laplace weights of neighbours fade as slowly as the width does.
  if (smoother.kernel == Kernel::laplace) range.lowest -= 2;
  range.highest = std::log2(4 * widest * reach) + 1;
  return range;
}

}  // namespace attn
