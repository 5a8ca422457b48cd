#include <attn/core/error.hpp>
#include <attn/regression/evaluation.hpp>

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

[[noreturn]] void refuse(const char* what, const char* why, const char* fix = "") {
  throw Error(ErrorKind::usage, what, why, fix);
}

void check_request(const KernelRegression::Prepared& samples, const QueryPoints& points, const Smoother& smoother,
                   const RegressionRequest& request) {
  check_bandwidth(smoother.bandwidth, samples.d, samples.n);
  if (smoother.degree > 2) refuse("degree", "is more than 2", "give 0, 1 or 2");
  if (!(smoother.decay >= 0) || !std::isfinite(smoother.decay)) refuse("decay", "is not a number from 0 on");
  if (smoother.decay != 0 && !smoother.causal) refuse("decay", "needs a direction of time", "ask for causal too");
  if (!(smoother.tolerance >= 0 && smoother.tolerance < 1)) refuse("tolerance", "is not in [0, 1)");
  const bool at_samples = points.samples != nullptr;
  if (request.leave_one_out && !at_samples) refuse("leave one out", "is for the samples themselves", "give no queries");
  if (request.self_weight && !at_samples) refuse("self weight", "is for the samples themselves", "give no queries");
}

// Every query has its own window; what a worker needs it keeps from one to the next.
RegressionResult evaluate_windows(const KernelRegression::Prepared& samples, const QueryPoints& points,
                                  const Smoother& smoother, const RegressionRequest& request,
                                  const Residuals& residuals, bool restricted, const Execution& execution) {
  const bool naive = execution.engine == Engine::reference;
  const WeightRows rows(samples, smoother, restricted);
  ResultParts parts(samples, points, smoother, request);
  std::vector<std::unique_ptr<WindowFitter>> fitters(execution.threads());
  constexpr std::size_t block = 64;  // queries of a task
  const std::size_t m = points.count(), d = samples.d;
  execution.parallel((m + block - 1) / block, [&](std::size_t task, std::size_t worker) {
    if (!fitters[worker]) fitters[worker] = std::make_unique<WindowFitter>(samples, rows, smoother, residuals);
    WindowFit window;
    std::vector<double> q(d);
    for (std::size_t point = task * block; point < std::min(m, (task + 1) * block); ++point) {
      for (std::size_t j = 0; j < d; ++j) q[j] = points.x().column(j)[point];
      if (!std::all_of(q.begin(), q.end(), [](double value) { return std::isfinite(value); })) {
        parts.store_nan(point);
        continue;
      }
      WindowRequest one;
      one.slope = request.derivative;
      one.self = points.samples != nullptr ? point : WeightRows::no_self;
      one.leave_out_self = request.leave_one_out;
      window.fit.clear();
      if (naive)
        fit_window_reference(samples, smoother, residuals, q.data(), one, window);
      else
        fitters[worker]->fit(q.data(), one, window);
      parts.store(point, window);
    }
  });
  return parts.finish(restricted ? Method::tree : Method::direct, "");
}

}  // namespace

Residuals find_residuals(const KernelRegression::Prepared& samples, const Smoother& smoother,
                         const Execution& execution) {
  QueryPoints points;
  points.samples = &samples;
  Smoother same = smoother;
  if (same.empty == EmptyWindow::error || same.empty == EmptyWindow::zero) same.empty = EmptyWindow::nan;
  RegressionRequest request;
  request.leave_one_out = true;
  const RegressionResult left_out = evaluate_points(samples, points, same, request, execution);
  const double* fit = left_out.fit.contiguous_data<double>();
  Residuals residuals(2 * samples.outputs, samples.n);
  for (std::size_t c = 0; c < samples.outputs; ++c)
    for (std::size_t i = 0; i < samples.n; ++i) {
      const double e = samples.y.column(c)[i] - fit[samples.order[i] * samples.outputs + c];
      const bool counts = !std::isnan(e);
      residuals.column(c)[i] = counts ? e * e : 0;
      residuals.column(samples.outputs + c)[i] = counts ? 1 : 0;
    }
  return residuals;
}

RegressionResult evaluate_points(const KernelRegression::Prepared& samples, const QueryPoints& points,
                                 const Smoother& smoother, const RegressionRequest& request,
                                 const Execution& execution) {
  check_request(samples, points, smoother, request);
  if (smoother.bandwidth.kind == Bandwidth::Kind::matrix)
    return evaluate_with_matrix(samples, points, smoother, request, execution);
  Residuals residuals;
  if (request.standard_error) residuals = find_residuals(samples, smoother, execution);
  return evaluate_windows(samples, points, smoother, request, residuals, smoother.method != Method::direct, execution);
}

RegressionResult KernelRegression::evaluate(const TensorView& queries, const Smoother& smoother,
                                            const RegressionRequest& request, const Execution& execution) const {
  return evaluate_points(*prepared_, query_points(queries, prepared_->d), smoother, request, execution);
}

RegressionResult KernelRegression::evaluate(const Smoother& smoother, const RegressionRequest& request,
                                            const Execution& execution) const {
  QueryPoints points;
  points.samples = prepared_.get();
  return evaluate_points(*prepared_, points, smoother, request, execution);
}

}  // namespace attn
