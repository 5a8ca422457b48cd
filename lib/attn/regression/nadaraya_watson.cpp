#include <attn/regression/nadaraya_watson.hpp>

#include <attn/core/constants.hpp>
#include <attn/core/error.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/regression/samples/categories.hpp>
#include <attn/regression/sums/sums.hpp>
#include <attn/regression/windows/evaluation.hpp>
#include <attn/regression/windows/local_loss.hpp>
#include <attn/regression/windows/moment_fits.hpp>
#include <attn/regression/windows/reference_module.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace attn {
namespace {

[[noreturn]] void refuse(const char* what, const char* why, const char* fix = "") {
  throw Error(ErrorKind::usage, what, why, fix);
}

void check_request(const KernelRegression::Prepared& samples, const QueryPoints& points, const Smoother& smoother,
                   const RegressionRequest& request) {
  check_bandwidth(samples, smoother, request.leave_one_out);
  if (smoother.degree > (samples.d == 1 ? 4 : 2))
    refuse("degree", samples.d == 1 ? "is more than 4" : "is more than 2", "give a lower one");
  if (!(smoother.decay >= 0) || !std::isfinite(smoother.decay)) refuse("decay", "is not a number of at least 0");
  if (smoother.decay != 0 && !smoother.causal) refuse("decay", "needs a direction in time", "give causal too");
  if (!(smoother.tolerance >= 0 && smoother.tolerance < 1)) refuse("tol", "is not in [0, 1)");
  if (!samples.has_numbers() && (smoother.degree > 0 || request.derivative || smoother.causal))
    refuse("x", "has categories alone, and degree, derivative and causal are for numbers");
  if (smoother.causal && !samples.periods.empty() && samples.periods[0] > 0)
    refuse("causal", "is for time that goes on, and the first column of x comes round", "give it no period");
  if (smoother.quantile && !(*smoother.quantile > 0 && *smoother.quantile < 1))
    refuse("quantile", "is not between 0 and 1");
  if (smoother.quantile && smoother.family != Family::gaussian)
    refuse("quantile", "does not go with a family", "give one of them");
  for (std::size_t c = 0; smoother.family == Family::binomial && c < samples.outputs; ++c)
    if (samples.y_low[c] < 0 || samples.y_high[c] * samples.y_scale[c] > 1)
      throw Error(ErrorKind::data, "y",
                  "goes from " + three_digits(samples.y_low[c] * samples.y_scale[c]) + " to " +
                      three_digits(samples.y_high[c] * samples.y_scale[c]) +
                      ", and the binomial family takes shares from 0 to 1",
                  "divide counts by their trials, and give those as weights");
  if (!smoother.fits_means() && (request.derivative || request.effective_size || request.self_weight))
    refuse("slopes, effective sizes and own weights", "are those of least squares", "request the fit alone");
  if (smoother.quantile && request.standard_error)
    refuse("standard error", "is that of a mean, not of a quantile", "request the fit alone");
  const bool at_samples = points.samples != nullptr;
  if (request.leave_one_out && !at_samples)
    refuse("leave one out", "applies only to the samples themselves", "give no queries");
  if (request.self_weight && !at_samples)
    refuse("self weight", "applies only to the samples themselves", "give no queries");
  if (request.block > 1 && (samples.d != 1 || !samples.periods.empty()))
    refuse("block", "needs samples in one order: one column of x that does not come round", "leave out one by one");
}

// By windows of their own; what a worker needs it keeps from one to the next.
RegressionResult evaluate_rows(const KernelRegression::Prepared& samples, const QueryPoints& points,
                               const Smoother& smoother, const RegressionRequest& request, const Residuals& residuals,
                               const Execution& execution) {
  if (execution.engine == Engine::reference) {
    if (!samples.periods.empty()) refuse("engine reference", "has no periods", "omit --engine");
    if (!smoother.fits_means()) refuse("engine reference", "fits least squares alone", "omit --engine");
    if (smoother.degree > 2) refuse("engine reference", "has degrees up to 2", "omit --engine");
    if (request.block > 1) refuse("engine reference", "leaves out one sample at a time", "omit --engine");
    if (request.slope_error) refuse("engine reference", "has no errors of slopes", "omit --engine");
    const ReferenceFitter formula(samples, smoother, residuals);
    const auto make_fit = [&]() -> FitWindow {
      return [&](const double* q, const WindowRequest& one, WindowFit& out) { formula.fit(q, one, out); };
    };
    return evaluate_windows(samples, points, smoother, request, make_fit, {Method::direct, "the formula"}, execution);
  }
  const MethodChoice choice = choose_row_method(samples, smoother);
  WeightRows::Parameters parameters = row_parameters(samples, smoother, choice.method == Method::tree);
  parameters.before = request.block / 2;
  parameters.after = (request.block - 1) / 2;
  const WeightRows rows(samples, std::move(parameters));
  if (!smoother.fits_means()) {
    const auto make_loss = [&]() -> FitWindow {
      const auto fitter = std::make_shared<LossFitter>(samples, rows, smoother);
      return [fitter](const double* q, const WindowRequest& one, WindowFit& out) { fitter->fit(q, one, out); };
    };
    return evaluate_windows(samples, points, smoother, request, make_loss, choice, execution);
  }
  if (smoother.method != Method::direct && SpaceMoments::serves(samples, smoother)) {
    const auto make_moments = [&]() -> FitWindow {
      const auto fitter = std::make_shared<SpaceMoments>(samples, rows, smoother, residuals, execution.isa);
      return [fitter](const double* q, const WindowRequest& one, WindowFit& out) { fitter->fit(q, one, out); };
    };
    return evaluate_windows(samples, points, smoother, request, make_moments, choice, execution);
  }
  const auto make_fit = [&]() -> FitWindow {
    const auto fitter = std::make_shared<WindowFitter>(samples, rows, smoother, residuals);
    return [fitter](const double* q, const WindowRequest& one, WindowFit& out) { fitter->fit(q, one, out); };
  };
  return evaluate_windows(samples, points, smoother, request, make_fit, choice, execution);
}

// Regressions that are quotients of sums: degree 0 with a fixed bandwidth.
bool is_quotient(const KernelRegression::Prepared& samples, const Smoother& smoother,
                 const RegressionRequest& request) {
  return smoother.degree == 0 && smoother.fits_means() && !request.derivative && !smoother.causal &&
         request.block <= 1 && samples.y_is_finite && smoother.bandwidth.kind != Bandwidth::Kind::neighbours &&
         samples.has_sums();
}

struct Sums {
  Columns totals;  // rows of columns, every one of which is filled
  std::vector<double> log_factor;
  const double* row(std::size_t point, std::size_t columns) const { return totals.column(0) + point * columns; }
};
Sums find_sums(const SumsProblem& problem, Method method, bool with_factor, const Execution& execution) {
  Sums sums;
  sums.totals = Columns(1, problem.points.count() * problem.columns());
  if (with_factor) sums.log_factor.assign(problem.points.count(), 0.0);
  run_method(method, problem, execution, {sums.totals.column(0), with_factor ? sums.log_factor.data() : nullptr});
  return sums;
}

// Does sum w^2 / (sum w)^2 from sums over keys keep its digits? The squares of smaller weights underflow, and the
// difference of the logarithms of larger factors has their rounding error, except for Laplace, where the factors are
// equal.
bool squares_hold(Kernel kernel, double sum, double log_factor) {
  return sum >= 1e-100 && (kernel != Kernel::gaussian || log_factor > -1000);
}

// All windows at once, from sums over keys. Falls back on rows where the square of the kernel would be needed and is
// not one of the kernels.
std::optional<RegressionResult> evaluate_quotients(const KernelRegression::Prepared& samples, const QueryPoints& points,
                                                   const Smoother& smoother, const RegressionRequest& request,
                                                   const Residuals& residuals, const Execution& execution) {
  SumsProblem problem = sums_problem(samples, points, smoother, request.leave_one_out);
  const std::size_t outputs = samples.outputs, m = points.count();
  for (std::size_t c = 0; c < residuals.count(); ++c) problem.values.push_back(residuals.column(c));
  const bool needs_squares = request.effective_size || request.standard_error;
  SumsProblem squared = problem;
  std::vector<double> squared_weights;
  if (needs_squares && !square(squared, squared_weights)) return std::nullopt;
  const MethodChoice choice = choose_method(problem, smoother.method);
  const bool with_factor = needs_squares && !is_compact(smoother.kernel);
  const Sums sums = find_sums(problem, choice.method, with_factor, execution);
  const Sums squares = needs_squares ? find_sums(squared, choice.method, with_factor, execution) : Sums{};
  ResultParts parts(samples, points, smoother, request);
  const WeightRows rows(samples, problem.row_parameters());
  constexpr std::size_t block = 4096;
  execution.parallel((m + block - 1) / block, [&](std::size_t task, std::size_t) {
    WindowFitter fitter(samples, rows, smoother, residuals);
    WindowFit window;
    std::vector<double> q(samples.query_length());
    const bool only_fit = parts.wants_only_fit();
    for (std::size_t point = task * block; point < std::min(m, (task + 1) * block); ++point) {
      if (!parts.needs(point)) continue;
      const double* row = sums.row(point, problem.columns());
      if (only_fit && row[0] > 0) {
        parts.store_quotient(point, row + 1, row[0]);
        continue;
      }
      if (std::isnan(row[0])) {
        parts.store_nan(point);
        continue;
      }
      window.empty = !(row[0] > 0);
      window.fit.clear();
      if (window.empty ||
          (needs_squares && !squares_hold(smoother.kernel, row[0], with_factor ? sums.log_factor[point] : 0))) {
        WindowRequest one;
        one.self = points.samples != nullptr ? point : WeightRows::no_self;
        one.leave_out_self = request.leave_one_out;
        for (std::size_t j = 0; j < q.size(); ++j) q[j] = points.x().column(j)[point];
        if (!window.empty || smoother.empty == EmptyWindow::nearest) fitter.fit(q.data(), one, window);
        parts.store(point, window);
        continue;
      }
      for (std::size_t c = 0; c < outputs; ++c) window.fit.push_back(row[1 + c] / row[0]);
      if (request.self_weight && !request.leave_one_out)
        window.self_weight = (samples.weight() != nullptr ? samples.weight()[point] : 1.0) / row[0];
      if (needs_squares) {
        // sum w^2 / (sum w)^2, each with its own factor taken out.
        const double ratio = *squares.row(point, 1) / row[0] / row[0];
        const double share =
            with_factor ? ratio * std::exp(squares.log_factor[point] - 2 * sums.log_factor[point]) : ratio;
        window.effective_size = 1 / share;
        window.error.clear();
        for (std::size_t c = 0; c < residuals.count() / 2; ++c)
          window.error.push_back(std::sqrt(row[1 + outputs + c] / row[1 + 2 * outputs + c] * share));
      }
      parts.store(point, window);
    }
  });
  return parts.finish(choice.method, choice.reason);
}

// Additions and multiplications, about: of each pair, or where one dimension is gone through in order, of each sample
// and query.
double operations_of(const KernelRegression::Prepared& samples, const QueryPoints& points, const Smoother& smoother,
                     const RegressionRequest& request, const Execution& execution) {
  Method method = Method::direct;
  if (execution.engine != Engine::reference) {
    if (const auto choice = choose_moments(samples, points, smoother, request.derivative))
      method = choice->method;
    else if (is_quotient(samples, smoother, request))
      method = choose_method(sums_problem(samples, points, smoother, request.leave_one_out), smoother.method).method;
  }
  const auto n = static_cast<double>(samples.n), m = static_cast<double>(points.count());
  const bool is_in_order = method == Method::window || method == Method::series;
  const auto sums = static_cast<double>(1 + 2 * smoother.degree + samples.outputs * (1 + smoother.degree));
  return (is_in_order ? n + m : n * m) * (static_cast<double>(3 * samples.d) + 2 * sums + 1);
}

// The mean of the two in the middle of an even number of values.
double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return 0.5 * (*middle + *std::max_element(values.begin(), middle));
}

double bisquare(double share) {
  if (share <= 0.001) return 1;
  if (share > 0.999) return 0;
  return (1 - share * share) * (1 - share * share);
}

}  // namespace

RegressionResult evaluate_windows(const KernelRegression::Prepared& samples, const QueryPoints& points,
                                  const Smoother& smoother, const RegressionRequest& request,
                                  const std::function<FitWindow()>& make_fit, const MethodChoice& choice,
                                  const Execution& execution) {
  ResultParts parts(samples, points, smoother, request);
  std::vector<FitWindow> fits(execution.threads());
  constexpr std::size_t block = 64;  // queries of a task
  const std::size_t first = points.first, m = points.end() - first;
  execution.parallel_with_progress((m + block - 1) / block, [&](std::size_t task, std::size_t worker) {
    if (!fits[worker]) fits[worker] = make_fit();
    WindowFit window;
    std::vector<double> q(samples.query_length());
    for (std::size_t point = first + task * block; point < first + std::min(m, (task + 1) * block); ++point) {
      if (!parts.needs(point)) continue;
      for (std::size_t j = 0; j < q.size(); ++j) q[j] = points.x().column(j)[point];
      if (!std::all_of(q.begin(), q.end(), [](double value) { return std::isfinite(value); })) {
        parts.store_nan(point);
        continue;
      }
      WindowRequest one;
      one.slope = request.derivative;
      one.slope_error = request.slope_error;
      one.squares = request.standard_error || request.slope_error || request.effective_size;
      one.self = points.samples != nullptr ? point : WeightRows::no_self;
      one.leave_out_self = request.leave_one_out;
      window.fit.clear();
      fits[worker](q.data(), one, window);
      parts.store(point, window);
    }
  });
  return parts.finish(choice.method, choice.reason);
}

void check_bandwidth(const KernelRegression::Prepared& samples, const Smoother& smoother, bool leave_one_out) {
  std::size_t candidates = samples.n;
  if (smoother.bandwidth.kind == Bandwidth::Kind::neighbours && samples.n > 0)
    candidates = samples.neighbours_of_others() + (leave_one_out ? 0 : 1);
  const char* what = leave_one_out ? "other samples" : "samples";
  if (samples.categories.empty()) return check_bandwidth(smoother.bandwidth, samples.d, candidates, what);
  check_widths_and_lambdas(samples, smoother);
}

Tensor leave_one_out_fits(const KernelRegression::Prepared& samples, const Smoother& given, const Execution& execution,
                          const LeafRange& leaves, std::size_t every, std::size_t block) {
  const Smoother smoother = without_infinite_widths(given, samples);
  QueryPoints points;
  points.samples = &samples;
  points.first = std::min(leaves.first * leaf_keys, samples.n);
  points.last = std::min(leaves.last, leaves_of(samples.n)) * leaf_keys;
  points.every = every;
  RegressionRequest request;
  request.leave_one_out = true;
  request.block = block;
  Tensor fits(DType::f64, {samples.n, samples.outputs});
  double* fit = fits.data_as<double>();
  if (execution.engine != Engine::reference && is_quotient(samples, smoother, request)) {
    check_request(samples, points, smoother, request);
    if (smoother.bandwidth.kind != Bandwidth::Kind::matrix) {
      const SumsProblem problem = sums_problem(samples, points, smoother, request.leave_one_out);
      const Sums sums = find_sums(problem, choose_method(problem, smoother.method).method, false, execution);
      const std::size_t first = points.first, m = points.end() - first;
      execution.parallel(leaves_of(m), [&](std::size_t task, std::size_t) {
        for (std::size_t i = first + task * leaf_keys; i < first + std::min(m, (task + 1) * leaf_keys); ++i) {
          const double* row = sums.row(i, problem.columns());
          for (std::size_t c = 0; c < samples.outputs; ++c)
            fit[i * samples.outputs + c] =
                row[0] > 0 ? samples.within(c, row[1 + c] / row[0]) : std::numeric_limits<double>::quiet_NaN();
        }
      });
      return fits;
    }
  }
  Smoother honest = smoother;
  honest.empty = EmptyWindow::nan;
  const RegressionResult left_out = evaluate_points(samples, points, honest, request, execution);
  const double* from = left_out.fit.contiguous_data<double>();
  for (std::size_t i = points.first; i < points.end(); ++i)
    for (std::size_t c = 0; c < samples.outputs && i % every == 0; ++c)
      fit[i * samples.outputs + c] = from[samples.order[i] * samples.outputs + c] / samples.y_scale[c];
  return fits;
}

Residuals find_residuals(const KernelRegression::Prepared& samples, const Smoother& smoother,
                         const Execution& execution) {
  Smoother others = smoother;
  if (smoother.bandwidth.kind == Bandwidth::Kind::neighbours) {
    const std::size_t most = samples.neighbours_of_others();
    // A sample that is alone has no residual, whatever the width.
    others.bandwidth =
        most > 0 ? Bandwidth::nearest(std::min(smoother.bandwidth.neighbours, most)) : Bandwidth::number(1);
  }
  Tensor fits = leave_one_out_fits(samples, others, execution);
  const double* fit = fits.data_as<double>();
  Residuals residuals(2 * samples.outputs, samples.n);
  for (std::size_t c = 0; c < samples.outputs; ++c)
    for (std::size_t i = 0; i < samples.n; ++i) {
      const double e = samples.y.column(c)[i] - fit[i * samples.outputs + c];
      const bool counts = !std::isnan(e);
      residuals.column(c)[i] = counts ? e * e : 0;
      residuals.column(samples.outputs + c)[i] = counts ? 1 : 0;
    }
  return residuals;
}

RegressionResult evaluate_points(const KernelRegression::Prepared& samples, const QueryPoints& points,
                                 const Smoother& given, const RegressionRequest& request, const Execution& execution) {
  const Smoother smoother = without_infinite_widths(given, samples);
  check_request(samples, points, smoother, request);
  if (smoother.bandwidth.kind == Bandwidth::Kind::matrix)
    return evaluate_with_matrix(samples, points, smoother, request, execution);
  if (execution.dry_run != nullptr) {
    execution.only_counts(operations_of(samples, points, smoother, request, execution));
    return ResultParts(samples, points, smoother, request).zeros();
  }
  Residuals residuals;
  if (smoother.fits_means() && (request.standard_error || request.slope_error)) {
    Smoother of_residuals = smoother;
    of_residuals.degree = request.residual_degree.value_or(smoother.degree);
    residuals = find_residuals(samples, of_residuals, execution);
  }
  if (execution.engine != Engine::reference && is_quotient(samples, smoother, request))
    if (auto result = evaluate_quotients(samples, points, smoother, request, residuals, execution))
      return std::move(*result);
  if (execution.engine != Engine::reference && request.block <= 1)
    if (const auto choice = choose_moments(samples, points, smoother, request.derivative))
      return evaluate_moments(*choice, samples, points, smoother, request, residuals, execution);
  return evaluate_rows(samples, points, smoother, request, residuals, execution);
}

RegressionResult KernelRegression::evaluate(const TensorView& queries, const Smoother& smoother,
                                            const RegressionRequest& request, const Execution& execution) const {
  QueryPoints points = query_points(queries, *prepared_, execution);
  if (points.order.empty()) points.first = request.first, points.last = request.last;
  return evaluate_points(*prepared_, points, smoother, request, execution);
}

RegressionResult KernelRegression::evaluate(const Smoother& smoother, const RegressionRequest& request,
                                            const Execution& execution) const {
  QueryPoints points;
  points.samples = prepared_.get();
  return evaluate_points(*prepared_, points, smoother, request, execution);
}

Samples robust_samples(const Samples& samples, const Smoother& smoother, std::size_t iterations,
                       const Execution& execution) {
  if (samples.y.rank() == 2 && samples.y.shape[1] != 1)
    throw Error(ErrorKind::usage, "robust", "is for one column of y, y has " + std::to_string(samples.y.shape[1]),
                "fit the columns one by one");
  Samples robust = samples;
  const TensorView numbers = contiguous(cast(samples.y, DType::f64));
  const double* y = numbers.contiguous_data<double>();
  const std::size_t n = numbers.size();
  for (std::size_t iteration = 0; iteration < iterations; ++iteration) {
    const RegressionResult result = KernelRegression(robust, execution).evaluate(smoother, {}, execution);
    const double* fit = result.fit.contiguous_data<double>();
    std::vector<double> sizes;
    double mean = 0;
    for (std::size_t i = 0; i < n; ++i)
      if (const double size = std::abs(y[i] - fit[i]); !std::isnan(size)) {
        sizes.push_back(size);
        mean += size / static_cast<double>(n);
      }
    const double limit = 6 * median(std::move(sizes));
    if (!(limit > 1e-7 * mean)) break;
    Tensor robustness(DType::f64, {n});
    for (std::size_t i = 0; i < n; ++i) {
      const double share = std::abs(y[i] - fit[i]) / limit;
      robustness.data_as<double>()[i] = std::isnan(share) ? 1 : bisquare(share);
    }
    robust.robustness = robustness.view("robustness");
  }
  return robust;
}

}  // namespace attn
