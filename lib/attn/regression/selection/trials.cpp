#include <attn/regression/selection/trials.hpp>

#include <attn/core/from_chars.hpp>
#include <attn/regression/windows/moment_fits.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace attn {
namespace {

constexpr double rounding = 1e-9;  // of criteria, at most

}  // namespace

double minimise_on_line(const std::function<double(double)>& f, double low, double high, double tolerance) {
  constexpr double golden = 0.38196601125010515;
  double x = low + golden * (high - low), w = x, v = x, fx = f(x), fw = fx, fv = fx, move = 0, last = 0;
  for (int iteration = 0; iteration < 100; ++iteration) {
    const double middle = 0.5 * (low + high), near = tolerance;
    if (std::abs(x - middle) <= 2 * near - 0.5 * (high - low)) break;
    double p = 0, q = 0, r = 0;
    if (std::abs(last) > near) {
      r = (x - w) * (fx - fv);
      q = (x - v) * (fx - fw);
      p = (x - v) * q - (x - w) * r;
      q = 2 * (q - r);
      if (q > 0) p = -p;
      q = std::abs(q);
      r = last;
      last = move;
    }
    if (std::abs(p) < std::abs(0.5 * q * r) && p > q * (low - x) && p < q * (high - x)) {
      move = p / q;
      if (x + move - low < 2 * near || high - x - move < 2 * near) move = x < middle ? near : -near;
    } else {
      last = x < middle ? high - x : low - x;
      move = golden * last;
    }
    const double u = x + (std::abs(move) >= near ? move : move > 0 ? near : -near), fu = f(u);
    if (fu <= fx) {
      (u < x ? high : low) = x;
      v = w, fv = fw;
      w = x, fw = fx;
      x = u, fx = fu;
    } else {
      (u < x ? low : high) = u;
      if (fu <= fw || w == x) {
        v = w, fv = fw;
        w = u, fw = fu;
      } else if (fu <= fv || v == x || v == w) {
        v = u, fv = fu;
      }
    }
  }
  return x;
}

void minimise_by_simplex(const std::function<double(const std::vector<double>&)>& f, const std::vector<double>& start,
                         double value, const std::vector<double>& sides, double tolerance) {
  struct Corner {
    std::vector<double> at;
    double value;
  };
  const std::size_t d = start.size();
  std::vector<Corner> corners{{start, value}};
  for (std::size_t j = 0; j < d; ++j) {
    std::vector<double> at = start;
    at[j] += sides[j];
    corners.push_back({at, f(at)});
  }
  const auto blend = [&](const std::vector<double>& a, const std::vector<double>& b, double t) {
    std::vector<double> at(d);
    for (std::size_t j = 0; j < d; ++j) at[j] = a[j] + t * (b[j] - a[j]);
    return at;
  };
  for (std::size_t iteration = 0; iteration < 200 * d; ++iteration) {
    std::stable_sort(corners.begin(), corners.end(),
                     [](const Corner& a, const Corner& b) { return a.value < b.value; });
    double size = 0;
    for (std::size_t j = 0; j < d; ++j) size = std::max(size, std::abs(corners.back().at[j] - corners[0].at[j]));
    if (size < tolerance) return;
    std::vector<double> centre(d, 0.0);
    for (std::size_t i = 0; i < d; ++i)
      for (std::size_t j = 0; j < d; ++j) centre[j] += corners[i].at[j] / static_cast<double>(d);
    Corner& worst = corners.back();
    const auto trial = [&](double t) {
      Corner corner{blend(centre, worst.at, t), 0};
      corner.value = f(corner.at);
      return corner;
    };
    const Corner reflected = trial(-1);
    if (reflected.value < corners[0].value) {
      const Corner expanded = trial(-2);
      worst = expanded.value < reflected.value ? expanded : reflected;
    } else if (reflected.value < corners[d - 1].value) {
      worst = reflected;
    } else {
      const Corner contracted = trial(reflected.value < worst.value ? -0.5 : 0.5);
      if (contracted.value < std::min(reflected.value, worst.value)) {
        worst = contracted;
      } else {
        for (std::size_t i = 1; i <= d; ++i) {
          corners[i].at = blend(corners[0].at, corners[i].at, 0.5);
          corners[i].value = f(corners[i].at);
        }
      }
    }
  }
}

BandwidthTrials::BandwidthTrials(const KernelRegression& regression, const Smoother& smoother,
                                 const SelectionParameters& parameters, const Execution& execution)
    : regression_(regression),
      smoother_(smoother),
      parameters_(parameters),
      execution_(execution.without_progress()),
      progress_(execution.progress),
      free_((regression.prepared().has_numbers() ? (parameters.isotropic ? 1 : regression.prepared().d) : 0) +
            regression.prepared().categories.size()),
      range_(search_range(regression.prepared(), smoother, parameters.isotropic)) {}

double BandwidthTrials::cost() const {
  constexpr double point = 200, pair = 2, polynomial = 10;
  const KernelRegression::Prepared& p = samples();
  const auto n = static_cast<double>(p.n), degree = static_cast<double>(smoother_.degree);
  QueryPoints points;
  points.samples = &p;
  const bool on_line = parameters_.block > 1   ? false
                       : smoother_.degree == 0 ? p.d == 1 && !smoother_.causal && p.y_is_finite && p.has_sums()
                                               : choose_moments(p, points, smoother_).has_value();
  const auto cells = static_cast<double>(p.has_sums() ? cells_of_query(p) : 1);
  return on_line ? point * (1 + 2 * degree) * n * cells : pair * n * n * (smoother_.degree == 0 ? 1 : polynomial);
}

std::vector<double> BandwidthTrials::steps(double per_octave) const {
  const double low = range_.lowest, span = range_.highest - range_.lowest;
  const auto count = std::max<std::size_t>(4, static_cast<std::size_t>(std::ceil(span * per_octave)) + 1);
  std::vector<double> steps(count);
  for (std::size_t i = 0; i < count; ++i)
    steps[i] = low + span * static_cast<double>(i) / static_cast<double>(count - 1);
  return steps;
}

BandwidthTrials::Place BandwidthTrials::place(double step, double lambda) const {
  Place at(free_widths(), step);
  at.resize(free_, lambda);
  return at;
}

std::vector<double> BandwidthTrials::widths(const Place& at, int digits) const {
  const KernelRegression::Prepared& p = samples();
  const auto given = [&](double x) { return digits > 0 ? rounded(x, digits) : x; };
  std::vector<double> h(p.categories.empty() ? free_ : regression_.dimensions());
  for (std::size_t j = 0; j < h.size() - p.categories.size(); ++j) {
    const std::size_t from = parameters_.isotropic ? 0 : j;
    h[p.categories.empty() ? j : p.column(j)] = given(range_.width(from, at[from]));
  }
  for (std::size_t f = 0; f < p.categories.size(); ++f) {
    const double most = widest_lambda(smoother_.category_kernel, p.categories[f]);
    h[p.categories[f].column] = std::min(given(most * std::pow(at[free_widths() + f], 4)), most);
  }
  return h;
}

Bandwidth BandwidthTrials::bandwidth_of(const std::vector<double>& widths) const {
  return widths.size() == 1 ? Bandwidth::number(widths[0]) : Bandwidth::per_coordinate(widths);
}

bool BandwidthTrials::thins() const noexcept {
  const bool by_pairs = parameters_.block > 1 || !samples().periods.empty() || !smoother_.fits_means() ||
                        (smoother_.degree > 0 && samples().d > 1);
  return by_pairs && parameters_.criterion == Criterion::leave_one_out && regression_.size() >= 4 * enough;
}

void BandwidthTrials::use_all() {
  if (every_ == 1) return;
  every_ = 1;
  best_.clear();
  best_value_ = std::numeric_limits<double>::infinity();
}

double BandwidthTrials::criterion_at(const std::vector<double>& widths, std::size_t every) const {
  Smoother smoother = smoother_;
  smoother.bandwidth = bandwidth_of(widths);
  const double value = criterion_of(regression_, smoother, parameters_.criterion, parameters_.loss, execution_, every,
                                    parameters_.block);
  return std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
}

double BandwidthTrials::evaluate(const Place& at) {
  for (std::size_t j = 0; j < free_widths(); ++j)
    if (at[j] < range_.lowest || at[j] > range_.highest) return std::numeric_limits<double>::infinity();
  const std::vector<double> h = widths(at);
  if (has_best() && h == widths(best_)) return best_value_;
  const double value = criterion_at(h, every_);
  record(h, value, every_ == 1);
  if (value < best_value_) {
    best_value_ = value;
    best_ = at;
  }
  return value;
}

void BandwidthTrials::record(const std::vector<double>& widths, double value, bool is_exact) {
  ++evaluations_;
  if (progress_) progress_(evaluations_, std::max(planned_, evaluations_ + 1));
  if (!parameters_.curve) return;
  curve_.insert(curve_.end(), widths.begin(), widths.end());
  curve_.push_back(as_reported(samples(), parameters_.criterion, value));
  curve_.push_back(is_exact ? 1 : 0);
}

TensorView BandwidthTrials::curve() const {
  Tensor curve(DType::f64, {evaluations_, evaluations_ > 0 ? curve_.size() / evaluations_ : free_ + 2});
  std::copy(curve_.begin(), curve_.end(), curve.data_as<double>());
  return curve.view("bandwidth-curve");
}

FoundWidths widest(const BandwidthTrials& trials) {
  return {trials.widths(trials.place(trials.range().highest, 1), 7), std::nullopt, true, true, {}};
}

std::vector<std::size_t> minima_of(const std::vector<double>& values) {
  std::vector<std::size_t> minima;
  for (std::size_t i = 0; i < values.size(); ++i)
    if ((i == 0 || values[i] <= values[i - 1]) && (i + 1 == values.size() || values[i] < values[i + 1]))
      minima.push_back(i);
  std::sort(minima.begin(), minima.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  return minima;
}

double rounded(double x, int digits) {
  char text[32];
  const char* end = std::to_chars(text, text + sizeof text, x, std::chars_format::general, digits).ptr;
  from_chars(text, end, x);
  return x;
}

FoundWidths rounded_best(const BandwidthTrials& trials, int digits) {
  for (;; digits += 2) {
    const std::vector<double> h = trials.widths(trials.best(), digits);
    if (trials.is_large()) return {h};
    const double value = trials.criterion_at(h);
    if (digits >= 17 || is_no_better(trials.best_value(), value)) return {h, value};
  }
}

bool is_no_better(double best, double end) {
  return end <= best || (std::isfinite(best) && end - best <= rounding * std::abs(best));
}

}  // namespace attn
