#include <attn/regression/windows/fit.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attn {
namespace {

// sum_r l_r v[key_r], by blocks: the error grows with their number, not with the length.
double weighted_sum(const std::vector<double>& l, const std::vector<std::uint32_t>& key, const double* v) {
  constexpr std::size_t block = 128;
  double total = 0;
  for (std::size_t begin = 0; begin < l.size(); begin += block) {
    const std::size_t end = std::min(begin + block, l.size());
    double part = 0;
    for (std::size_t r = begin; r < end; ++r) part += l[r] * v[key[r]];
    total += part;
  }
  return total;
}

}  // namespace

WindowFitter::WindowFitter(const KernelRegression::Prepared& samples, const WeightRows& rows, const Smoother& smoother,
                           const Residuals& residuals)
    : samples_(samples),
      rows_(rows),
      smoother_(smoother),
      residuals_(residuals),
      polynomial_(samples, smoother.degree) {}

// sum_r l_r y_rc
double WindowFitter::sum_of_values(const std::vector<double>& l, std::size_t c) const {
  const double* y = samples_.y.column(c);
  if (samples_.y_is_finite) return weighted_sum(l, row_.key, y);
  double total = 0;
  for (std::size_t r = 0; r < l.size(); ++r)
    if (row_.weight[r] >= counts_ || !std::isnan(y[row_.key[r]])) total += l[r] * y[row_.key[r]];
  return total;
}

void WindowFitter::fit(const double* q, const WindowRequest& request, WindowFit& out) {
  rows_.find(q, request.leave_out_self ? request.self : WeightRows::no_self, request.slope, row_, scratch_);
  out.empty = row_.count() == 0;
  if (out.empty) {
    if (smoother_.empty != EmptyWindow::nearest) return;
    rows_.find_nearest(q, request.leave_out_self ? request.self : WeightRows::no_self, row_, scratch_);
    if (row_.count() == 0) return;
    row_.slope.assign(row_.count(), 0.0);
  }
  out.degree = polynomial_.solve(q, row_);
  const std::vector<double>& l = polynomial_.smoothing();
  if (!samples_.y_is_finite)
    counts_ = missing_counts(smoother_.degree, std::accumulate(row_.weight.begin(), row_.weight.end(), 0.0),
                             *std::max_element(row_.weight.begin(), row_.weight.end()));
  const std::size_t outputs = samples_.outputs;
  out.fit.resize(outputs);
  for (std::size_t c = 0; c < outputs; ++c) out.fit[c] = sum_of_values(l, c);
  double squares = 0;
  for (const double weight : l) squares += weight * weight;
  out.effective_size = 1 / squares;
  if (request.self != WeightRows::no_self) {
    const auto at = std::lower_bound(row_.key.begin(), row_.key.end(), request.self);
    out.self_weight =
        at != row_.key.end() && *at == request.self ? l[static_cast<std::size_t>(at - row_.key.begin())] : 0;
  }
  if (request.slope) {
    out.slope.resize(outputs * samples_.d);
    for (std::size_t j = 0; j < samples_.d; ++j) {
      polynomial_.slopes(q, row_, j, slopes_);
      for (std::size_t c = 0; c < outputs; ++c) out.slope[c * samples_.d + j] = sum_of_values(slopes_, c);
    }
  }
  if (residuals_.count() == 0) return;
  out.error.resize(outputs);
  for (std::size_t c = 0; c < outputs; ++c) {
    const double sum = weighted_sum(row_.weight, row_.key, residuals_.column(c));
    const double weight = weighted_sum(row_.weight, row_.key, residuals_.column(outputs + c));
    out.error[c] = std::sqrt(sum / weight * squares);
  }
}

}  // namespace attn
