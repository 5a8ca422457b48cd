#include <attn/regression/windows/moment_fits.hpp>

#include <attn/core/constants.hpp>
#include <attn/regression/sums/moments.hpp>
#include <attn/regression/sums/sums.hpp>
#include <attn/regression/windows/evaluation.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

namespace attn {
namespace {

using std::abs;  // and those of Extended
using std::sqrt;

// The error of a fit that moments may have, as a share of sum_i |l_i y_i|: means are promised more digits.
constexpr double lost_digits = 1e-10, lost_by_means = 1e-12;

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
        problem_(moments_problem(samples, points, smoother, request.leave_one_out)),
        lost_(smoother.degree == 0 ? lost_by_means : lost_digits) {
    widen_constant(problem_);
    add_columns();
    fits_.resize(points.count());
    values_ = Columns(1, points.count() * samples.outputs * 3);
  }

  RegressionResult run(const MethodChoice& choice, const Execution& execution) {
    const MomentsTaker take = [this](std::size_t point, const WindowMoments& moments) { fit(point, moments); };
    run_method(choice.method, problem_, execution, {nullptr, nullptr, &take});
    if (request_.effective_size || request_.standard_error || request_.slope_error) {
      SumsProblem squared = problem_;
      std::vector<double> weights;
      square(squared, weights);
      const MomentsTaker take_squares = [&](std::size_t point, const WindowMoments& moments) {
        add_squares(point, moments);
      };
      run_method(choice.method, squared, execution, {nullptr, nullptr, &take_squares});
      for (Fit& fit : fits_)
        fit.holds = fit.holds && fit.squares > 0 && (!request_.slope_error || fit.slope_squares > 0);
    }
    return collect(choice, execution);
  }

 private:
  struct Fit {
    bool holds = false;
    std::size_t degree = 0;
    double origin = 0, scale = 1, own_weight = 0, log_factor = 0;
    double squares = 0, slope_squares = 0;   // sum_i l_i^2, and of the slope; 0 if it may have lost digits
    Extended coefficient[3] = {}, size = 0;  // of the smoothing weights, see MomentPolynomial
    Extended slope_coefficient[3] = {}, slope_size = 0;
  };
  // Of output c: the fit, its slope, and the mean of the squared residuals.
  double* values_of(std::size_t point, std::size_t c) { return values_.column(0) + (point * samples_.outputs + c) * 3; }

  // Outputs whose values could be lost next to larger ones carry their sizes too.
  void add_columns() {
    const std::size_t outputs = samples_.outputs;
    std::vector<std::size_t> wide;
    for (std::size_t c = 0; c < outputs; ++c) {
      spread_.push_back(spread_of(problem_, c + 1));
      largest_.push_back(std::max(abs(samples_.y_low[c]), abs(samples_.y_high[c])));
      size_column_.push_back(spread_[c] > harmless_spread ? 1 + outputs + wide.size() : 0);
      if (size_column_[c] > 0) wide.push_back(c);
    }
    sizes_ = Columns(wide.size(), samples_.n);
    for (std::size_t k = 0; k < wide.size(); ++k) {
      for (std::size_t i = 0; i < samples_.n; ++i) sizes_.column(k)[i] = abs(samples_.y.column(wide[k])[i]);
      problem_.values.push_back(sizes_.column(k));
    }
    residual_column_ = problem_.columns();
    for (std::size_t c = 0; c < residuals_.count(); ++c) problem_.values.push_back(residuals_.column(c));
    for (std::size_t c = 0; c < problem_.columns(); ++c) offset_.push_back(problem_.offset(c));
  }

  void fit(std::size_t point, const WindowMoments& moments) {
    Fit& out = fits_[point];
    MomentPolynomial polynomial;
    // As many places as coefficients, at most.
    out.degree = std::min(problem_.degree, std::max<std::size_t>(moments.places, 1) - 1);
    const Extended z_query = (Extended(points_.x().column(0)[point]) - moments.origin) * moments.scale;
    if (!polynomial.find(moments, out.degree, z_query)) return;
    bool holds = true;
    for (std::size_t c = 0; c < samples_.outputs; ++c) {
      const std::size_t column = size_column_[c];
      const Extended size = column > 0 ? moments.sizes[column] : moments.sizes[0] * largest_[c];
      const Extended typical = column > 0 ? moments.sums[offset_[column]] / moments.sums[0] : largest_[c] / spread_[c];
      const MomentPolynomial::Fit found = polynomial.fit(moments.sums + offset_[1 + c], size);
      const Extended scale = std::max(abs(found.value), typical);
      holds = holds && found.value_error <= lost_ * scale;
      if (request_.derivative) holds = holds && found.slope_error <= lost_ * std::max(abs(found.slope), scale);
      double* values = values_of(point, c);
      values[0] = static_cast<double>(found.value);
      values[1] = static_cast<double>(found.slope * moments.scale);
      if (residuals_.count() > 0) {
        const std::size_t squares = residual_column_ + c, counted = squares + samples_.outputs;
        for (const std::size_t k : {squares, counted})
          holds = holds && moments.rounding * moments.sizes[k] <= lost_ * moments.sums[offset_[k]];
        values[2] = static_cast<double>(moments.sums[offset_[squares]] / moments.sums[offset_[counted]]);
      }
    }
    out.holds = holds;
    out.origin = moments.origin;
    out.scale = moments.scale;
    out.log_factor = moments.log_factor;
    out.own_weight = static_cast<double>(polynomial.own_weight() * weight_of(point));
    out.size = polynomial.size();
    for (std::size_t r = 0; r < 3; ++r) out.coefficient[r] = polynomial.coefficient(r);
    if (!request_.slope_error) return;
    out.slope_size = polynomial.slope_size();
    for (std::size_t r = 0; r < 3; ++r) out.slope_coefficient[r] = polynomial.slope_coefficient(r);
  }

  // sum_i l_i^2 from the moments of K^2, whose z is that of the fit over `ratio`.
  void add_squares(std::size_t point, const WindowMoments& moments) {
    Fit& fit = fits_[point];
    const double ratio = fit.scale > 0 ? fit.scale / moments.scale : 1;
    Extended sums[5] = {}, power = std::exp(moments.log_factor - 2 * fit.log_factor);
    for (std::size_t r = 0; r <= 2 * problem_.degree; ++r, power *= ratio) sums[r] = moments.sums[r] * power;
    shift_moments(sums, 2 * problem_.degree, (Extended(moments.origin) - fit.origin) * fit.scale);
    const auto sum_of = [&](const Extended(&a)[3], Extended size) {
      Extended total = 0;
      for (std::size_t r = 0; r <= problem_.degree; ++r)
        for (std::size_t k = 0; k <= problem_.degree; ++k) total += a[r] * a[k] * sums[r + k];
      return moments.rounding * moments.sizes[0] * size * size <= lost_ * total ? static_cast<double>(total) : 0.0;
    };
    fit.squares = sum_of(fit.coefficient, fit.size);
    if (request_.slope_error) fit.slope_squares = sum_of(fit.slope_coefficient, fit.slope_size) * fit.scale * fit.scale;
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
          one.slope_error = request_.slope_error;
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
    window.degree = fit.degree;
    window.effective_size = 1 / fit.squares;
    window.self_weight = request_.leave_one_out ? 0 : fit.own_weight;
    window.fit.resize(outputs);
    window.slope.resize(outputs);
    window.error.resize(outputs);
    window.slope_error.resize(outputs);
    for (std::size_t c = 0; c < outputs; ++c) {
      const double* values = values_of(point, c);
      window.fit[c] = values[0];
      window.slope[c] = values[1];
      window.error[c] = sqrt(values[2] * fit.squares);
      window.slope_error[c] = sqrt(values[2] * fit.slope_squares);
    }
  }

  const KernelRegression::Prepared& samples_;
  const QueryPoints& points_;
  const Smoother& smoother_;
  const RegressionRequest& request_;
  const Residuals& residuals_;
  SumsProblem problem_;
  double lost_;
  std::vector<double> spread_, largest_;  // of each output
  std::vector<std::size_t> size_column_;  // of each output; 0: none
  std::size_t residual_column_ = 0;
  std::vector<std::size_t> offset_;  // of each column's moments
  Columns sizes_, values_;
  std::vector<Fit> fits_;
};

/// A monomial by its exponents, three bits each; ascending codes are the order of add_moments(). The code of a product
/// is the sum of the codes.
using Monomial = std::uint32_t;

Monomial coordinate(std::size_t j, std::size_t d) { return Monomial{1} << (3 * (d - 1 - j)); }

std::vector<Monomial> monomials_up_to(std::size_t order, std::size_t d) {
  std::vector<Monomial> found;
  for (Monomial code = 0; code < coordinate(0, d + 1); ++code) {
    std::size_t sum = 0;
    for (std::size_t j = 0; j < d; ++j) sum += code / coordinate(j, d) % 8;
    if (sum <= order) found.push_back(code);
  }
  return found;
}

std::size_t place_of(Monomial code, const std::vector<Monomial>& all) {
  return static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), code) - all.begin());
}

}  // namespace

std::optional<MethodChoice> choose_moments(const KernelRegression::Prepared& samples, const QueryPoints& points,
                                           const Smoother& smoother, bool slopes) {
  const bool by_neighbours = smoother.bandwidth.kind == Bandwidth::Kind::neighbours;
  const bool is_served =
      samples.d == 1 && smoother.degree <= 2 && smoother.fits_means() && samples.y_is_finite && samples.n > 0 &&
      (by_neighbours ? smoother.kernel != Kernel::constant && samples.categories.empty() && samples.periods.empty() &&
                           smoother.decay == 0 && (smoother.degree > 0 || !slopes)
                     : smoother.degree > 0 && samples.has_sums() &&
                           !(smoother.causal && (smoother.decay != 0 || !is_compact(smoother.kernel))));
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

bool SpaceMoments::serves(const KernelRegression::Prepared& samples, const Smoother& smoother) {
  constexpr std::size_t fewest = 64;  // keys: rows keep a few more digits
  const bool is_served = samples.n >= fewest && samples.periods.empty() && samples.d >= 2 && samples.d <= 4 &&
                         samples.y_is_finite && smoother.degree > 0 && !smoother.causal;
  if (!is_served) return false;
  const QueryPoints none;
  const SumsProblem problem = sums_problem(samples, none, smoother, false);
  for (std::size_t c = 0; c < samples.outputs; ++c)
    if (spread_of(problem, c + 1) > harmless_spread) return false;
  return true;
}

SpaceMoments::SpaceMoments(const KernelRegression::Prepared& samples, const WeightRows& rows, const Smoother& smoother,
                           const Residuals& residuals, Isa isa)
    : samples_(samples),
      rows_(rows),
      residuals_(residuals),
      kernels_(simd::smoothing_kernels(isa)),
      kernel_(smoother.kernel),
      degree_(smoother.degree),
      x_(samples.x.pointers()),
      y_(samples.y.pointers()),
      residual_columns_(residuals.pointers()),
      fitter_(samples, rows, smoother, residuals) {
  const std::size_t d = samples.d;
  keys_.x = x_.data();
  keys_.d = d;
  keys_.weight = samples.weight();
  for (std::size_t j = 0; j < d; ++j) {
    const auto [low, high] = std::minmax_element(x_[j], x_[j] + samples.n);
    unit_.push_back(*high > *low ? 1 / (*high - *low) : 1);
  }
  keys_.values = y_.data();
  keys_.columns = samples.outputs;
  keys_.slack = metric_of(smoother, samples).slack();
  if (!samples.categories.empty()) factors_.resize(samples.n);
  std::vector<Monomial> terms;
  for (std::size_t j = 0; j < d; ++j) terms.push_back(coordinate(j, d));
  for (std::size_t j = 0; degree_ == 2 && j < d; ++j)
    for (std::size_t k = j; k < d; ++k) terms.push_back(coordinate(j, d) + coordinate(k, d));
  const std::vector<Monomial> of_weights = monomials_up_to(2 * degree_, d), of_values = monomials_up_to(degree_, d);
  terms_ = terms.size();
  of_weights_ = of_weights.size();
  length_ = of_weights_ + of_values.size();
  coefficients_.resize(of_values.size());
  for (std::size_t j = 0; j < terms_; ++j) {
    first_[j] = place_of(terms[j], of_weights);
    value_[j] = place_of(terms[j], of_values);
    for (std::size_t k = 0; k < terms_; ++k) product_[j][k] = place_of(terms[j] + terms[k], of_weights);
  }
}

void SpaceMoments::fit(const double* q, const WindowRequest& request, WindowFit& out) {
  if (!find(q, request, out)) fitter_.fit(q, request, out);
}

/// inverse_ becomes its inverse; false if a pivot could be rounding alone.
bool SpaceMoments::invert() {
  constexpr double least = 1e-10;
  double largest = 0;
  for (std::size_t j = 0; j < terms_; ++j) largest = std::max(largest, inverse_[j][j]);
  for (std::size_t p = 0; p < terms_; ++p) {  // Gauss and Jordan; positive definite, so without exchanges
    const double pivot = inverse_[p][p];
    if (!(pivot > least * largest)) return false;
    inverse_[p][p] = 1;
    for (std::size_t k = 0; k < terms_; ++k) inverse_[p][k] /= pivot;
    for (std::size_t j = 0; j < terms_; ++j) {
      if (j == p) continue;
      const double factor = inverse_[j][p];
      inverse_[j][p] = 0;
      for (std::size_t k = 0; k < terms_; ++k) inverse_[j][k] -= factor * inverse_[p][k];
    }
  }
  return true;
}

// The keys in reach, without the query's own sample if that is left out. False without any, or if all are at the query.
bool SpaceMoments::find_runs(const double* q, const WindowRequest& request, double log_share) {
  const std::size_t self = request.leave_out_self ? request.self : WeightRows::no_self;
  if (!rows_.find_reach(q, self, log_share, scale_, scratch_) || !std::isfinite(scale_[0])) return false;
  keys_.scale = scale_.data();
  // Along a column of infinite width, all are at the same distance and still apart.
  has_ends_ = is_compact(kernel_) && *std::min_element(scale_.begin(), scale_.end()) > 0;
  stretch_ = scale_;
  for (std::size_t j = 0; j < stretch_.size(); ++j)
    if (scale_[j] == 0) stretch_[j] = unit_[j];
  keys_.stretch = stretch_.data();
  runs_.clear();
  for (const KeyRun run : scratch_.runs) {
    const bool splits = run.begin <= self && self < run.end;
    runs_.insert(runs_.end(), {run.begin, splits ? static_cast<std::uint32_t>(self) : run.end});
    if (splits) runs_.insert(runs_.end(), {static_cast<std::uint32_t>(self) + 1, run.end});
    if (!factors_.empty()) rows_.find_factors(q, run, factors_.data());
  }
  if (!factors_.empty()) keys_.weight = factors_.data();
  return true;
}

// The moments of the keys in reach. False if weights are too small beside the largest possible one.
bool SpaceMoments::add_up(const double* q, const WindowRequest& request) {
  // What is out of reach of the Gaussian is small beside the nearest key with its full weight.
  double log_share = 0;
  for (int pass = 0; pass < 2; ++pass) {
    if (!find_runs(q, request, log_share)) return false;
    sums_.assign(samples_.outputs * length_, 0.0);
    for (std::size_t c = 0; c < samples_.outputs; ++c)
      kernels_.add_moments(keys_, kernel_, degree_, q, runs_.data(), runs_.size() / 2, c, sums_.data() + c * length_);
    if (is_compact(kernel_)) return sums_[0] > 0;
    if (!(sums_[0] > smallest_mass)) return false;
    log_share = std::log(sums_[0]) - kernel_log_weight(kernel_, scratch_.nearest);
    if (!rows_.has_factors() || kernel_ != Kernel::gaussian || log_share >= std::log(0.5)) return true;
  }
  return true;
}

bool SpaceMoments::find(const double* q, const WindowRequest& request, WindowFit& out) {
  const std::size_t d = samples_.d;
  if (!add_up(q, request)) return false;
  const double* const s = sums_.data();

  // Each phi_j is taken in units of its root mean square: wide windows have |z| much below 1, and kernels without
  // an end some above. Where no |z| is above 1, none are needed at degree 1.
  double unit[most_terms], first[most_terms], m[most_terms], g[most_terms] = {};
  for (std::size_t j = 0; j < terms_; ++j) {
    unit[j] = degree_ == 1 && has_ends_ ? 1 : 1 / sqrt(s[product_[j][j]] / s[0]);
    first[j] = s[first_[j]] * unit[j];
    m[j] = first[j] / s[0];
  }
  for (std::size_t j = 0; j < terms_; ++j)
    for (std::size_t k = j; k < terms_; ++k)
      inverse_[j][k] = inverse_[k][j] = s[product_[j][k]] * unit[j] * unit[k] - m[j] * first[k];
  for (std::size_t j = 0; j < terms_; ++j)
    if (!(inverse_[j][j] > lost_digits * s[0])) return false;
  if (!invert()) return false;
  for (std::size_t j = 0; j < terms_; ++j)
    for (std::size_t k = 0; k < terms_; ++k) g[j] += inverse_[j][k] * m[k];
  // See MomentPolynomial for the bound of the error.
  double a = 1 / s[0], size_of_a = 0;
  for (std::size_t j = 0; j < terms_; ++j) {
    a += m[j] * g[j];
    size_of_a += abs(g[j]);
  }
  size_of_a += abs(a);
  constexpr double rounding = 32 * std::numeric_limits<double>::epsilon();
  out.empty = false;
  out.degree = degree_;
  out.fit.resize(samples_.outputs);
  if (request.slope) out.slope.resize(samples_.outputs * d);
  for (std::size_t c = 0; c < samples_.outputs; ++c) {
    const double* const t = s + c * length_ + of_weights_;
    double fit = t[0] / s[0], size_of_slopes = 0, centred[most_terms], slope[most_terms] = {};
    for (std::size_t j = 0; j < terms_; ++j) {
      centred[j] = t[value_[j]] * unit[j] - m[j] * t[0];
      fit -= g[j] * centred[j];
    }
    for (std::size_t j = 0; j < terms_; ++j) {
      for (std::size_t k = 0; k < terms_; ++k) slope[j] += inverse_[j][k] * centred[k];
      size_of_slopes += abs(slope[j]);
    }
    const double largest = std::max(abs(samples_.y_low[c]), abs(samples_.y_high[c]));
    const double scale = std::max(abs(fit), largest / harmless_spread);
    const double change = rounding * s[0] * (largest + abs(fit) + size_of_slopes);
    if (!(change * size_of_a <= lost_digits * scale)) return false;
    out.fit[c] = fit;
    for (std::size_t j = 0; request.slope && j < d; ++j) {
      double size = abs(g[j]);
      for (std::size_t k = 0; k < terms_; ++k) size += abs(inverse_[j][k]);
      if (!(change * size <= lost_digits * std::max(scale, abs(slope[j])))) return false;
      out.slope[c * d + j] = slope[j] * unit[j] * stretch_[j];
    }
  }
  if (request.self != WeightRows::no_self)
    out.self_weight = request.leave_out_self ? 0 : a * (keys_.weight != nullptr ? keys_.weight[request.self] : 1);
  if (!request.squares) return true;
  coefficients_[0] = a;
  double change_of_a = abs(a);  // of all coefficients, by a rounding of every moment
  for (std::size_t j = 0; j < terms_; ++j) {
    coefficients_[value_[j]] = -g[j] * unit[j];
    change_of_a += 2 * abs(g[j]);
    for (std::size_t k = 0; k < terms_; ++k) change_of_a += abs(inverse_[j][k]);
  }
  const double squares = find_squares(q, rounding * s[0] * size_of_a * change_of_a);
  if (!(squares > 0)) return false;
  out.effective_size = 1 / squares;
  std::vector<double> slope_squares;
  for (std::size_t j = 0; request.slope_error && j < d; ++j) {
    const double to_x = unit[j] * stretch_[j];
    double size = abs(g[j]);
    coefficients_[0] = -g[j] * to_x;
    for (std::size_t k = 0; k < terms_; ++k) {
      coefficients_[value_[k]] = inverse_[j][k] * unit[k] * to_x;
      size += abs(inverse_[j][k]);
    }
    slope_squares.push_back(find_squares(q, rounding * s[0] * size * change_of_a * to_x));
    if (!(slope_squares.back() > 0)) return false;
  }
  add_errors(q, squares, slope_squares, out);
  return true;
}

// The sum of the squares of w_i a(z_i), with the coefficients of a, which may be off by `change`; 0 if it may have lost
// digits. It changes by 2 sum_i |l_i w_i phi_i . da| <= 2 da sqrt(sum_i l_i^2 S_0), since no weight is above 1 and the
// mean square of no phi_j is.
double SpaceMoments::find_squares(const double* q, double change) {
  const double squares =
      kernels_.sum_squares(keys_, kernel_, degree_, q, runs_.data(), runs_.size() / 2, coefficients_.data());
  return 2 * change * sqrt(sums_[0]) <= lost_digits * sqrt(squares) ? squares : 0;
}

// Standard errors, from the mean of the squared residuals in the window.
void SpaceMoments::add_errors(const double* q, double squares, const std::vector<double>& slope_squares,
                              WindowFit& out) {
  if (residuals_.count() == 0) return;
  const std::size_t outputs = samples_.outputs;
  simd::SmoothingKeys keys = keys_;
  keys.values = residual_columns_.data();
  keys.columns = residual_columns_.size();
  residual_sums_.assign(1 + keys.columns, 0.0);
  for (std::size_t r = 0; r < runs_.size() / 2; ++r)
    kernels_.add(keys, kernel_, q, 1, runs_[2 * r], runs_[2 * r + 1], residual_sums_.data());
  out.error.resize(outputs);
  out.slope_error.clear();
  for (std::size_t c = 0; c < outputs; ++c) {
    const double variance = residual_sums_[1 + c] / residual_sums_[1 + outputs + c];
    out.error[c] = sqrt(variance * squares);
    for (const double square : slope_squares) out.slope_error.push_back(sqrt(variance * square));
  }
}

}  // namespace attn
