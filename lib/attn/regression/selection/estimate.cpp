#include <attn/core/memory.hpp>
#include <attn/regression/selection/criterion.hpp>
#include <attn/regression/selection/estimate.hpp>

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

using Prepared = KernelRegression::Prepared;

constexpr double narrowness = 16;        // width over the extent of narrow groups
constexpr std::size_t fewest = 1 << 13;  // samples, that it is worth while for
constexpr std::size_t fewest_groups = 64;

std::size_t bytes_of_group(std::size_t outputs) { return (6 + 3 * outputs) * sizeof(double); }

// Samples [begin, end) that have a weight, each a group of its own.
SampleGroups single_samples(const Prepared& p, std::size_t begin, std::size_t end) {
  SampleGroups groups;
  const double* x = p.x.column(0);
  for (std::size_t i = begin; i < end; ++i) {
    const double w = p.weight() != nullptr ? p.weight()[i] : 1.0;
    if (w == 0) continue;
    groups.x.push_back(x[i]);
    groups.weight.push_back(w);
    groups.squared_weight.push_back(w * w);
    for (std::size_t c = 0; c < p.outputs; ++c) groups.y.push_back(p.y.column(c)[i]);
  }
  groups.first = groups.last = groups.x;
  groups.xx.assign(groups.count(), 0.0);
  groups.yy = groups.xy = std::vector<double>(groups.y.size(), 0.0);
  return groups;
}

// Adds group `from` of fine to the last of coarse.
void join(const SampleGroups& fine, std::size_t from, std::size_t outputs, SampleGroups& coarse) {
  const std::size_t to = coarse.count() - 1;
  const double weight = coarse.weight[to] + fine.weight[from], share = fine.weight[from] / weight;
  const double both = coarse.weight[to] * share, dx = fine.x[from] - coarse.x[to];
  for (std::size_t c = 0; c < outputs; ++c) {
    const std::size_t a = to * outputs + c, b = from * outputs + c;
    const double dy = fine.y[b] - coarse.y[a];
    coarse.yy[a] += fine.yy[b] + both * dy * dy;
    coarse.xy[a] += fine.xy[b] + both * dx * dy;
    coarse.y[a] += share * dy;
  }
  coarse.xx[to] += fine.xx[from] + both * dx * dx;
  coarse.x[to] += share * dx;
  coarse.weight[to] = weight;
  coarse.squared_weight[to] += fine.squared_weight[from];
  coarse.last[to] = fine.last[from];
}

// Appends the groups of fine, joined while they stay narrow, to those of coarse.
void coarsen(const SampleGroups& fine, double extent, std::size_t outputs, SampleGroups& coarse) {
  coarse.extent = extent;
  for (std::size_t g = 0; g < fine.count(); ++g) {
    if (coarse.count() > 0 && fine.last[g] - coarse.first.back() <= extent) {
      join(fine, g, outputs, coarse);
      continue;
    }
    coarse.first.push_back(fine.first[g]);
    coarse.last.push_back(fine.last[g]);
    coarse.x.push_back(fine.x[g]);
    coarse.weight.push_back(fine.weight[g]);
    coarse.squared_weight.push_back(fine.squared_weight[g]);
    coarse.xx.push_back(fine.xx[g]);
    for (std::size_t c = 0; c < outputs; ++c) {
      coarse.y.push_back(fine.y[g * outputs + c]);
      coarse.yy.push_back(fine.yy[g * outputs + c]);
      coarse.xy.push_back(fine.xy[g * outputs + c]);
    }
  }
}

// How many there would be of what begins and ends there.
std::size_t count_groups(const double* first, const double* last, std::size_t n, double extent) {
  std::size_t count = 0;
  for (std::size_t i = 0, begin = 0; i < n; ++i)
    if (count == 0 || last[i] - first[begin] > extent) begin = i, ++count;
  return count;
}

std::size_t count_groups(const Prepared& p, double extent) {
  return count_groups(p.x.column(0), p.x.column(0), p.n, extent);
}

// The finest groups: a quarter as many as samples, or fewer; of very many an eighth, for memory.
double finest_extent(const Prepared& p, double unit) {
  const std::size_t most = p.n / (p.n < std::size_t{4} << 20 ? 4 : 8);
  double extent = 0;
  while (count_groups(p, extent) > most) extent = extent > 0 ? 2 * extent : unit;
  return extent;
}

// A part at a time, so that memory is that of the groups.
SampleGroups groups_of(const Prepared& p, double extent) {
  constexpr std::size_t part = 1 << 14;
  SampleGroups groups;
  groups.reserve(count_groups(p, extent), p.outputs);
  for (std::size_t begin = 0; begin < p.n; begin += part)
    coarsen(single_samples(p, begin, std::min(p.n, begin + part)), extent, p.outputs, groups);
  return groups;
}

TensorView as_tensor(const std::vector<double>& values, Shape shape) {
  Tensor tensor(DType::f64, std::move(shape));
  std::copy(values.begin(), values.end(), tensor.data_as<double>());
  return tensor.view("groups");
}

KernelRegression regression_of(const SampleGroups& groups, std::size_t outputs, const Execution& execution) {
  const std::size_t count = groups.count();
  return KernelRegression(
      {as_tensor(groups.x, {count}), as_tensor(groups.y, {count, outputs}), as_tensor(groups.weight, {count})},
      execution);
}

// Runs of neighbours, evenly over the samples, a sixteenth of all, but enough for an estimate.
KernelRegression runs_of(const Prepared& p, const Execution& execution) {
  constexpr std::size_t enough = 4096;
  const std::size_t length = std::max<std::size_t>(256, p.n / 1024), runs = std::max(enough, p.n / 16) / length;
  const std::size_t count = runs * length;
  Tensor x(DType::f64, {count}), y(DType::f64, {count, p.outputs}), weights(DType::f64, {count});
  for (std::size_t run = 0; run < runs; ++run)
    for (std::size_t k = 0; k < length; ++k) {
      const std::size_t from = (p.n - length) * (2 * run + 1) / (2 * runs) + k, to = run * length + k;
      x.data_as<double>()[to] = p.x.column(0)[from];
      for (std::size_t c = 0; c < p.outputs; ++c) y.data_as<double>()[to * p.outputs + c] = p.y.column(c)[from];
      weights.data_as<double>()[to] = p.weight() != nullptr ? p.weight()[from] : 1.0;
    }
  Samples samples{x.view("x"), y.view("y"), std::nullopt};
  if (p.weight() != nullptr) samples.weights = weights.view("weights");
  return KernelRegression(samples, execution);
}

}  // namespace

void SampleGroups::reserve(std::size_t groups, std::size_t outputs) {
  counted = memory_account().take(groups * bytes_of_group(outputs), "bandwidth");
  for (auto* column : {&first, &last, &x, &weight, &squared_weight, &xx}) column->reserve(groups);
  for (auto* column : {&y, &yy, &xy}) column->reserve(groups * outputs);
}

bool RoughCriterion::serves(const Prepared& p, const Smoother& smoother, Loss loss) {
  return p.d == 1 && smoother.fits_means() && p.periods.empty() && p.n >= fewest && loss == Loss::squared &&
         !smoother.causal && p.y_is_finite && smoother.kernel != Kernel::constant;
}

RoughCriterion::RoughCriterion(const Prepared& samples, const Smoother& smoother, Criterion criterion,
                               const SearchRange& range, const Execution& execution)
    : samples_(samples),
      smoother_(smoother),
      criterion_(criterion),
      execution_(execution),
      unit_(range.unit[0]),
      width_scale_(kernel_scale(smoother.kernel, smoother.scale_convention)),
      runs_(runs_of(samples, execution)) {
  smoother_.method = Method::automatic;
  smoother_.empty = EmptyWindow::nan;
  const SampleGroups all = groups_of(samples, samples.x.column(0)[samples.n - 1] - samples.x.column(0)[0]);
  mean_ = all.y;
  for (const double yy : all.yy) variance_.push_back(yy / all.weight[0]);
  add_level(groups_of(samples, finest_extent(samples, unit_)));
}

void RoughCriterion::add_level(SampleGroups groups) {
  KernelRegression regression = regression_of(groups, samples_.outputs, execution_);
  levels_.push_back({std::move(groups), std::move(regression)});
}

bool RoughCriterion::is_wide(double h) const noexcept {
  return h * width_scale_ >= narrowness * levels_[0].groups.extent;
}

// The coarsest groups that are narrow compared with the width.
const RoughCriterion::Level& RoughCriterion::level_for(double h) {
  const double most = h * width_scale_ / narrowness;
  while (levels_.back().groups.count() > fewest_groups) {
    const double next = std::max(2 * levels_.back().groups.extent, unit_);
    if (next > most) break;
    const SampleGroups& fine = levels_.back().groups;
    SampleGroups groups;
    groups.reserve(count_groups(fine.first.data(), fine.last.data(), fine.count(), next), samples_.outputs);
    coarsen(fine, next, samples_.outputs, groups);
    add_level(std::move(groups));
  }
  std::size_t at = levels_.size() - 1;
  while (at > 0 && levels_[at].groups.extent > most) --at;
  return levels_[at];
}

double RoughCriterion::at(double h) {
  if (is_wide(h)) return at_level(level_for(h), h);
  smoother_.bandwidth = Bandwidth::number(h);
  const double unit = unit_of_criterion(runs_, criterion_, Loss::squared);
  return bandwidth_criterion(runs_, smoother_, criterion_, Loss::squared, execution_) * unit * unit;
}

double RoughCriterion::at_level(const Level& level, double h) const {
  const SampleGroups& groups = level.groups;
  Smoother smoother = smoother_;
  smoother.bandwidth = Bandwidth::number(h);
  RegressionRequest request;
  request.self_weight = true;
  const RegressionResult result = level.regression.evaluate(smoother, request, execution_);
  const double* fit = result.fit.contiguous_data<double>();
  const double* self = result.self_weight->contiguous_data<double>();
  const std::size_t count = groups.count(), outputs = samples_.outputs;
  std::vector<double> squares(outputs, 0.0);
  double mass = 0, trace = 0;
  for (std::size_t g = 0; g < count; ++g) {
    const std::size_t before = g > 0 ? g - 1 : g, after = g + 1 < count ? g + 1 : g;
    const double weight = groups.weight[g], step = groups.x[after] - groups.x[before];
    // The share of a sample in the fit at itself.
    const double own = self[g] * groups.squared_weight[g] / (weight * weight);
    mass += weight;
    trace += self[g];
    for (std::size_t c = 0; c < outputs; ++c) {
      const std::size_t at = g * outputs + c;
      double slope = step > 0 ? (fit[after * outputs + c] - fit[before * outputs + c]) / step : 0;
      double value = fit[at], factor = 1;
      if (criterion_ == Criterion::leave_one_out) {
        const bool is_alone = !(own < 1 - 1e-9);
        if (is_alone) value = mean_[c], slope = 0;
        factor = is_alone ? 1 : 1 / ((1 - own) * (1 - own));
      }
      const double off = groups.y[at] - value;
      squares[c] +=
          factor * (groups.yy[at] - 2 * slope * groups.xy[at] + slope * slope * groups.xx[g] + weight * off * off);
    }
  }
  double total = 0;
  if (criterion_ == Criterion::aicc) {
    const auto n = static_cast<double>(samples_.counted());
    const double left = 1 - (trace + 2) / n;
    for (const double square : squares) total += std::log(square / mass) + (1 + trace / n) / left;
    return left > 0 ? total / static_cast<double>(outputs) : std::numeric_limits<double>::infinity();
  }
  for (std::size_t c = 0; c < outputs; ++c)
    total +=
        (criterion_ == Criterion::gcv ? generalised(squares[c] / mass, trace, static_cast<double>(samples_.counted()))
                                      : squares[c] / mass) /
        (outputs > 1 && variance_[c] > 0 ? variance_[c] : 1);
  return total;
}

}  // namespace attn
