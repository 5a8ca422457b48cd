#include <attn/regression/sums.hpp>

#include <algorithm>

namespace attn {

WeightRows::Parameters SumsProblem::row_parameters() const {
  WeightRows::Parameters parameters;
  parameters.kernel = kernel;
  parameters.metric.scale = scale;
  parameters.weight = weight;
  parameters.tolerance = tolerance;
  return parameters;
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
