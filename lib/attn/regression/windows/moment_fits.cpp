#include <attn/regression/windows/moment_fits.hpp>

#include <attn/core/infinity.hpp>
#include <attn/regression/sums/moments.hpp>
#include <attn/regression/windows/evaluation.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>

namespace attn {
namespace {

constexpr double lost_digits = 1e-10;

SumsProblem moments_problem(const KernelRegression::Prepared& samples, const QueryPoints& points,
                            const Smoother& smoother, bool leave_one_out) {
  SumsProblem problem = sums_problem(samples, points, smoother, leave_one_out);
  problem.degree = smoother.degree;
  problem.fitted = samples.outputs;
  problem.causal = smoother.causal;
  return problem;
}

// The constant kernel is a boxcar that reaches every sample from every query.
void widen_constant(SumsProblem& problem) {
  if (problem.kernel != Kernel::constant) return;
  problem.kernel = Kernel::boxcar;
  double low = infinity, high = -infinity;
  for (const Columns* x : {&problem.samples.x, &problem.points.x()})
    for (std::size_t i = 0; i < x->rows(); ++i)
      if (std::isfinite(x->column(0)[i])) {
        low = std::min(low, x->column(0)[i]);
        high = std::max(high, x->column(0)[i]);
      }
  problem.scale = {high > low ? 0.5 / (high - low) : 1};
}

class MomentFits {
 public:
  MomentFits(const KernelRegression::Prepared& samples, const QueryPoints& points, const Smoother& smoother,
             const RegressionRequest& request, const Residuals& residuals)
      : samples_(samples),
        points_(points),
        smoother_(smoother),
        request_(request),
        residuals_(residuals),
        problem_(moments_problem(samples, points, smoother, request.leave_one_out)) {
    widen_constant(problem_);
    add_columns();
    fits_.resize(points.count());
    values_ = Columns(1, points.count() * samples.outputs * 3);
  }

  RegressionResult run(const MethodChoice& choice, const Execution& execution) {
    const MomentsTaker take = [this](std::size_t point, const WindowMoments& moments) { fit(point, moments); };
    run_method(choice.method, problem_, execution, {nullptr, nullptr, &take});
    if (request_.effective_size || request_.standard_error) {
      SumsProblem squared = problem_;
      std::vector<double> weights;
      square(squared, weights);
      const double ratio = problem_.scale[0] / squared.scale[0];
      const MomentsTaker take_squares = [&](std::size_t point, const WindowMoments& moments) {
        add_squares(point, moments, ratio);
      };
      run_method(choice.method, squared, execution, {nullptr, nullptr, &take_squares});
      for (Fit& fit : fits_) fit.holds = fit.holds && fit.squares > 0;
    }
    return collect(choice, execution);
  }

 private:
  struct Fit {
    bool holds = false;
    double origin = 0, own_weight = 0, log_factor = 0;
    double squares = 0;                         // sum_i l_i^2; 0 if it may have lost digits
    long double coefficient[3] = {}, size = 0;  // of the smoothing weights, see MomentPolynomial
  };
  // Of output c: the fit, its slope, and the mean of the squared residuals.
  double* values_of(std::size_t point, std::size_t c) { return values_.column(0) + (point * samples_.outputs + c) * 3; }

  // Outputs whose values could be lost next to larger ones carry their sizes too.
  void add_columns() {
    const std::size_t outputs = samples_.outputs;
    std::vector<std::size_t> wide;
    for (std::size_t c = 0; c < outputs; ++c) {
      spread_.push_back(spread_of(problem_, c + 1));
      largest_.push_back(std::max(std::abs(samples_.y_low[c]), std::abs(samples_.y_high[c])));
      size_column_.push_back(spread_[c] > harmless_spread ? 1 + outputs + wide.size() : 0);
      if (size_column_[c] > 0) wide.push_back(c);
    }
    sizes_ = Columns(wide.size(), samples_.n);
    for (std::size_t k = 0; k < wide.size(); ++k) {
      for (std::size_t i = 0; i < samples_.n; ++i) sizes_.column(k)[i] = std::abs(samples_.y.column(wide[k])[i]);
      problem_.values.push_back(sizes_.column(k));
    }
    residual_column_ = problem_.columns();
    for (std::size_t c = 0; c < residuals_.count(); ++c) problem_.values.push_back(residuals_.column(c));
    for (std::size_t c = 0; c < problem_.columns(); ++c) offset_.push_back(problem_.offset(c));
  }

  long double z_of(double x, double origin) const { return (static_cast<long double>(x) - origin) * problem_.scale[0]; }

  void fit(std::size_t point, const WindowMoments& moments) {
    Fit& out = fits_[point];
    MomentPolynomial polynomial;
    if (!polynomial.find(moments, problem_.degree, z_of(points_.x().column(0)[point], moments.origin))) return;
    bool holds = true;
    for (std::size_t c = 0; c < samples_.outputs; ++c) {
      const std::size_t column = size_column_[c];
      const long double size = column > 0 ? moments.sizes[column] : moments.sizes[0] * largest_[c];
      const long double typical =
          column > 0 ? moments.sums[offset_[column]] / moments.sums[0] : largest_[c] / spread_[c];
      const MomentPolynomial::Fit found = polynomial.fit(moments.sums + offset_[1 + c], size);
      const long double scale = std::max(std::abs(found.value), typical);
      holds = holds && found.value_error <= lost_digits * scale;
      if (request_.derivative)
        holds = holds && found.slope_error <= lost_digits * std::max(std::abs(found.slope), scale);
      double* values = values_of(point, c);
      values[0] = static_cast<double>(found.value);
      values[1] = static_cast<double>(found.slope * problem_.scale[0]);
      if (residuals_.count() > 0) {
        const std::size_t squares = residual_column_ + c, counted = squares + samples_.outputs;
        for (const std::size_t k : {squares, counted})
          holds = holds && moments.rounding * moments.sizes[k] <= lost_digits * moments.sums[offset_[k]];
        values[2] = static_cast<double>(moments.sums[offset_[squares]] / moments.sums[offset_[counted]]);
      }
    }
    out.holds = holds;
    out.origin = moments.origin;
    out.log_factor = moments.log_factor;
    out.own_weight = static_cast<double>(polynomial.own_weight() * weight_of(point));
    out.size = polynomial.size();
    for (std::size_t r = 0; r < 3; ++r) out.coefficient[r] = polynomial.coefficient(r);
  }

  // sum_i l_i^2 from the moments of K^2, whose z is that of the fit over ratio.
  void add_squares(std::size_t point, const WindowMoments& moments, double ratio) {
    Fit& fit = fits_[point];
    long double sums[5], power = std::exp(moments.log_factor - 2 * fit.log_factor);
    for (std::size_t r = 0; r <= 2 * problem_.degree; ++r, power *= ratio) sums[r] = moments.sums[r] * power;
    shift_moments(sums, 2 * problem_.degree, z_of(moments.origin, fit.origin));
    long double total = 0;
    for (std::size_t r = 0; r <= problem_.degree; ++r)
      for (std::size_t k = 0; k <= problem_.degree; ++k) total += fit.coefficient[r] * fit.coefficient[k] * sums[r + k];
    if (moments.rounding * moments.sizes[0] * fit.size * fit.size <= lost_digits * total)
      fit.squares = static_cast<double>(total);
  }

  double weight_of(std::size_t point) const {
    return points_.samples != nullptr && samples_.weight() != nullptr ? samples_.weight()[point] : 1.0;
  }

  RegressionResult collect(const MethodChoice& choice, const Execution& execution) {
    const WeightRows rows(samples_, row_parameters(samples_, smoother_, true));
    ResultParts parts(samples_, points_, smoother_, request_);
    std::vector<std::unique_ptr<WindowFitter>> fitters(execution.threads());
    std::atomic<std::size_t> from_rows{0};
    constexpr std::size_t block = 256;
    const std::size_t m = points_.count();
    execution.parallel_with_progress((m + block - 1) / block, [&](std::size_t task, std::size_t worker) {
      if (!fitters[worker]) fitters[worker] = std::make_unique<WindowFitter>(samples_, rows, smoother_, residuals_);
      WindowFit window;
      std::vector<double> q(samples_.query_length());
      for (std::size_t point = task * block; point < std::min(m, (task + 1) * block); ++point) {
        if (!parts.needs(point)) continue;
        for (std::size_t j = 0; j < q.size(); ++j) q[j] = points_.x().column(j)[point];
        if (!std::all_of(q.begin(), q.end(), [](double value) { return std::isfinite(value); })) {
          parts.store_nan(point);
          continue;
        }
        if (fits_[point].holds) {
          fill(point, window);
        } else {
          WindowRequest one;
          one.slope = request_.derivative;
          one.self = points_.samples != nullptr ? point : WeightRows::no_self;
          one.leave_out_self = request_.leave_one_out;
          window.fit.clear();
          fitters[worker]->fit(q.data(), one, window);
          ++from_rows;
        }
        parts.store(point, window);
      }
    });
    return parts.finish(choice.method, choice.reason + "; " + std::to_string(from_rows) + " of " + std::to_string(m) +
                                           " windows from rows of weights");
  }

  void fill(std::size_t point, WindowFit& window) {
    const Fit& fit = fits_[point];
    const std::size_t outputs = samples_.outputs;
    window.empty = false;
    window.degree = problem_.degree;
    window.effective_size = 1 / fit.squares;
    window.self_weight = request_.leave_one_out ? 0 : fit.own_weight;
    window.fit.resize(outputs);
    window.slope.resize(outputs);
    window.error.resize(outputs);
    for (std::size_t c = 0; c < outputs; ++c) {
      const double* values = values_of(point, c);
      window.fit[c] = values[0];
      window.slope[c] = values[1];
      window.error[c] = std::sqrt(values[2] * fit.squares);
    }
  }

  const KernelRegression::Prepared& samples_;
  const QueryPoints& points_;
  const Smoother& smoother_;
  const RegressionRequest& request_;
  const Residuals& residuals_;
  SumsProblem problem_;
  std::vector<double> spread_, largest_;  // of each output
  std::vector<std::size_t> size_column_;  // of each output; 0: none
  std::size_t residual_column_ = 0;
  std::vector<std::size_t> offset_;  // of each column's moments
  Columns sizes_, values_;
  std::vector<Fit> fits_;
};

}  // namespace

std::optional<MethodChoice> choose_moments(const KernelRegression::Prepared& samples, const QueryPoints& points,
                                           const Smoother& smoother) {
  const bool is_served = samples.d == 1 && smoother.degree > 0 && samples.y_is_finite && samples.n > 0 &&
                         smoother.bandwidth.kind != Bandwidth::Kind::neighbours && samples.has_sums() &&
                         !(smoother.causal && (smoother.decay != 0 || !is_compact(smoother.kernel)));
  const bool is_wanted =
      smoother.method == Method::automatic || smoother.method == Method::window || smoother.method == Method::series;
  if (!is_served || !is_wanted) return std::nullopt;
  return choose_moments_method(moments_problem(samples, points, smoother, false), smoother.method);
}

RegressionResult evaluate_moments(const MethodChoice& choice, const KernelRegression::Prepared& samples,
                                  const QueryPoints& points, const Smoother& smoother, const RegressionRequest& request,
                                  const Residuals& residuals, const Execution& execution) {
  return MomentFits(samples, points, smoother, request, residuals).run(choice, execution);
}

}  // namespace attn
