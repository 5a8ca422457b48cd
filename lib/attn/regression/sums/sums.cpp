#include <attn/regression/sums/sums.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn {

WeightRows::Parameters SumsProblem::row_parameters() const {
  WeightRows::Parameters parameters;
  parameters.kernel = kernel;
  parameters.metric.scale = scale;
  parameters.weight = weight;
  parameters.tolerance = tolerance;
  parameters.categories = categories;
  return parameters;
}

SumsProblem sums_problem(const KernelRegression::Prepared& samples, const QueryPoints& points, const Smoother& smoother,
                         bool leave_one_out) {
  SumsProblem problem{samples,          points,
                      smoother.kernel,  metric_of(smoother, samples).scale,
                      samples.weight(), samples.y.pointers(),
                      leave_one_out,    smoother.tolerance};
  problem.categories = CategoryWeights(samples, smoother);
  return problem;
}

bool square(SumsProblem& problem, std::vector<double>& weights) {
  switch (problem.kernel) {
    case Kernel::boxcar:
    case Kernel::constant: break;
    case Kernel::parabolic: problem.kernel = Kernel::biweight; break;
    case Kernel::gaussian:
      for (double& scale : problem.scale) scale *= std::sqrt(2.0);
      break;
    case Kernel::laplace:
      for (double& scale : problem.scale) scale *= 2;
      break;
    default:
      if (problem.degree == 0) return false;
      problem.squared = true;
  }
  if (problem.weight != nullptr) {
    weights.assign(problem.weight, problem.weight + problem.samples.n);
    for (double& weight : weights) weight *= weight;
    problem.weight = weights.data();
  }
  problem.values.clear();
  problem.fitted = 0;
  problem.categories.square();
  return true;
}

double spread_of(const SumsProblem& problem, std::size_t column) {
  constexpr std::size_t parts = 64, looks = 32;
  const std::size_t n = problem.samples.n;
  const double *values = column > 0 ? problem.values[column - 1] : nullptr, *weight = problem.weight;
  if (values == nullptr && weight == nullptr) return 1;
  const auto size = [&](std::size_t i) {
    return std::abs(values != nullptr ? values[i] : 1.0) * (weight != nullptr ? weight[i] : 1.0);
  };
  double largest = 0, usual = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, size(i));
  std::vector<double> sizes;
  for (std::size_t part = 0; part < parts; ++part) {
    const std::size_t begin = n * part / parts, end = n * (part + 1) / parts;
    sizes.clear();
    for (std::size_t i = begin; i < end; i += std::max<std::size_t>(1, (end - begin) / looks))
      if (size(i) > 0) sizes.push_back(size(i));
    if (sizes.empty()) continue;
    const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
    std::nth_element(sizes.begin(), middle, sizes.end());
    usual = std::min(usual, *middle);
  }
  return largest > usual ? largest / usual : 1;
}

ExactSums::ExactSums(const SumsProblem& problem)
    : problem_(problem), rows_(problem.samples, problem.row_parameters()) {}

double ExactSums::find(const double* q, std::size_t self, double* sums) {
  rows_.find(q, self, false, row_, scratch_);
  std::fill_n(sums, problem_.columns(), 0.0);
  for (std::size_t r = 0; r < row_.count(); ++r) {
    sums[0] += row_.weight[r];
    for (std::size_t c = 1; c < problem_.columns(); ++c)
      sums[c] += row_.weight[r] * problem_.values[c - 1][row_.key[r]];
  }
  return row_.log_factor;
}

}  // namespace attn
