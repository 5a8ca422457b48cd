// The formulas, in the order they are written, with care for every digit. Nobody optimises this file.
#include "support/regression_twin.hpp"

#include "support/qr.hpp"

#include <attn/core/constants.hpp>
#include <attn/regression/windows/evaluation.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace support {
namespace {

using namespace attn;

struct Window {
  std::vector<std::size_t> key;
  std::vector<double> weight, scale;
};

bool takes_part(const KernelRegression::Prepared& samples, const Smoother& smoother, const double* q,
                const WindowRequest& request, std::size_t i) {
  if (request.leave_out_self && i == request.self) return false;
  if (smoother.causal && samples.x.column(0)[i] > q[0]) return false;
  return samples.weight() == nullptr || samples.weight()[i] > 0;
}

// Real: double, rounded as all engines round, so that they agree on the border of a boxcar; or long double, in which no
// square leaves the range.
template <class Real>
Real squared_distance(const KernelRegression::Prepared& samples, const std::vector<double>& scale, const double* q,
                      std::size_t i) {
  Real total = 0;
  for (std::size_t j = 0; j < samples.d; ++j) {
    const Real step = samples.x.column(j)[i] - q[j];
    const Real scaled = step == 0 ? 0 : step * scale[j];
    total += scaled * scaled;
  }
  return total;
}

// u_i^2 - u_k^2, written so that it keeps its digits far away from all keys.
long double difference_of_squares(const KernelRegression::Prepared& samples, const std::vector<double>& scale,
                                  const double* q, std::size_t i, std::size_t k) {
  long double total = 0;
  for (std::size_t j = 0; j < samples.d; ++j) {
    const long double x = samples.x.column(j)[i], x0 = samples.x.column(j)[k];
    if (x != x0) total += ((x - x0) * scale[j]) * (((x - q[j]) + (x0 - q[j])) * scale[j]);
  }
  return total;
}

std::vector<double> scale_at(const KernelRegression::Prepared& samples, const Smoother& smoother, const double* q,
                             const WindowRequest& request) {
  const Metric metric = metric_of(smoother, samples);
  if (metric.neighbours == 0) return metric.scale;
  std::vector<long double> distances;
  for (std::size_t i = 0; i < samples.n; ++i)
    if (takes_part(samples, smoother, q, request, i))
      distances.push_back(squared_distance<long double>(samples, metric.scale, q, i));
  if (distances.empty()) return metric.scale;
  std::sort(distances.begin(), distances.end());
  const auto distance = static_cast<double>(std::sqrt(distances[std::min(metric.neighbours, distances.size()) - 1]));
  return std::vector<double>(samples.d, distance > 0 ? 1 / (distance * metric.kernel_scale) : infinity);
}

Window find_window(const KernelRegression::Prepared& samples, const Smoother& smoother, const double* q,
                   const WindowRequest& request) {
  Window window;
  window.scale = scale_at(samples, smoother, q, request);
  const Metric metric = metric_of(smoother, samples);
  long double smallest = infinity;
  double newest = -infinity;
  std::vector<long double> squared;
  for (std::size_t i = 0; i < samples.n; ++i) {
    if (!takes_part(samples, smoother, q, request, i)) continue;
    if (is_compact(smoother.kernel)) {
      const double u2 = metric.snapped(squared_distance<double>(samples, window.scale, q, i));
      if (!(kernel_weight(smoother.kernel, std::sqrt(u2)) > 0)) continue;
      squared.push_back(u2);
    } else {
      squared.push_back(squared_distance<long double>(samples, window.scale, q, i));
    }
    window.key.push_back(i);
    smallest = std::min(smallest, squared.back());
    newest = std::max(newest, samples.x.column(0)[i]);
  }
  const auto nearest = static_cast<std::size_t>(std::min_element(squared.begin(), squared.end()) - squared.begin());
  std::vector<long double> beyond(squared.size());
  for (std::size_t r = 0; r < squared.size(); ++r)
    beyond[r] = difference_of_squares(samples, window.scale, q, window.key[r], window.key[nearest]);
  const long double least = beyond.empty() ? 0 : *std::min_element(beyond.begin(), beyond.end());
  for (std::size_t r = 0; r < window.key.size(); ++r) {
    const std::size_t i = window.key[r];
    long double weight = 1;
    if (is_compact(smoother.kernel))
      weight = kernel_weight(smoother.kernel, std::sqrt(static_cast<double>(squared[r])));
    else if (smallest == infinity || squared[r] == infinity)
      weight = squared[r] == smallest ? 1 : 0;
    else if (smoother.kernel == Kernel::gaussian)
      weight = std::exp(-0.5L * (beyond[r] - least));
    else if (smoother.kernel == Kernel::laplace && beyond[r] > least)
      weight = std::exp(-(beyond[r] - least) / (std::sqrt(smallest + beyond[r]) + std::sqrt(smallest + least)));
    if (samples.weight() != nullptr) weight *= samples.weight()[i];
    weight *= std::exp(smoother.decay * (samples.x.column(0)[i] - newest));
    window.weight.push_back(static_cast<double>(weight));
  }
  return window;
}

// The terms 1, t_j, t_j t_k (j <= k) of a window's polynomial, t = (x - q) / unit.
struct Terms {
  std::size_t count;
  std::vector<LongColumn> values;  // of each term, at each key
  LongColumn unit;                 // (d): the farthest key that counts
  LongColumn noise;                // of each term: what the rounding of coordinates can make of it
  std::vector<bool> counts;        // keys of less weight cannot carry a term
  bool carried = false;            // by keys in enough places, of which no term is as good as another
};

void find_out_whether_carried(const KernelRegression::Prepared& samples, const Window& window, Terms& terms) {
  std::set<std::vector<double>> places;
  std::vector<LongColumn> columns(terms.count);
  for (std::size_t r = 0; r < window.key.size(); ++r) {
    if (!terms.counts[r]) continue;
    std::vector<double> place;
    for (std::size_t j = 0; j < samples.d; ++j) place.push_back(samples.x.column(j)[window.key[r]]);
    places.insert(place);
    for (std::size_t t = 0; t < terms.count; ++t) columns[t].push_back(terms.values[t][r]);
  }
  if (places.size() < terms.count) return;
  const Factorisation places_alone(columns);
  for (std::size_t k = 0; k < terms.count; ++k) {
    const std::size_t t = places_alone.column(k);
    LongColumn unit(terms.count, 0.0L);
    unit[k] = places_alone.left(k);
    long double largest = 0, square = 0;
    for (const long double value : places_alone.times(unit)) largest = std::max(largest, std::abs(value));
    for (const long double value : columns[t]) square += value * value;
    // What the rounding of coordinates makes is nothing: of a coordinate itself, and of what is left where that is
    // little.
    const bool is_coordinate = t >= 1 && t <= samples.d;
    const bool could_be_rounding = is_coordinate || unit[k] * unit[k] <= 1e-5L * square;
    if (!(largest > 0) || (could_be_rounding && !(largest > terms.noise[t]))) return;
  }
  terms.carried = true;
}

Terms find_terms(const KernelRegression::Prepared& samples, const Window& window, const double* q, std::size_t degree) {
  const std::size_t count = window.key.size(), d = samples.d;
  Terms terms{1, {LongColumn(count, 1.0L)}, LongColumn(d, 0.0L), {0.0L}, std::vector<bool>(count)};
  const double heaviest = *std::max_element(window.weight.begin(), window.weight.end());
  for (std::size_t r = 0; r < count; ++r) terms.counts[r] = window.weight[r] >= 1e-24 * heaviest;
  for (std::size_t j = 0; degree >= 1 && j < d; ++j) {
    LongColumn term(count);
    long double largest = std::abs(q[j]);
    for (std::size_t r = 0; r < count; ++r) {
      const double x = samples.x.column(j)[window.key[r]];
      term[r] = static_cast<long double>(x) - q[j];
      if (!terms.counts[r]) continue;
      largest = std::max<long double>(largest, std::abs(x));
      terms.unit[j] = std::max(terms.unit[j], std::abs(term[r]));
    }
    if (terms.unit[j] == 0) return terms;
    for (long double& value : term) value /= terms.unit[j];
    terms.values.push_back(term);
    terms.noise.push_back(4e-16L * largest / terms.unit[j]);
  }
  for (std::size_t j = 0; degree >= 2 && j < d; ++j)
    for (std::size_t k = j; k < d; ++k) {
      LongColumn term(count);
      for (std::size_t r = 0; r < count; ++r) term[r] = terms.values[1 + j][r] * terms.values[1 + k][r];
      terms.values.push_back(term);
      terms.noise.push_back(terms.noise[1 + j] + terms.noise[1 + k]);
    }
  terms.count = terms.values.size();
  find_out_whether_carried(samples, window, terms);
  return terms;
}

/// All that are as near as the nearest one that takes part.
void take_nearest(const KernelRegression::Prepared& samples, const Smoother& smoother, const double* q,
                  const WindowRequest& request, Window& window) {
  const std::vector<double> scale = metric_of(smoother, samples).scale;
  for (std::size_t i = 0; i < samples.n; ++i) {
    if (!takes_part(samples, smoother, q, request, i)) continue;
    const long double beyond =
        window.key.empty() ? -1 : difference_of_squares(samples, scale, q, i, window.key.front());
    if (beyond > 0) continue;
    if (beyond < 0) window.key.clear();
    window.key.push_back(i);
  }
  for (const std::size_t i : window.key)
    window.weight.push_back(samples.weight() != nullptr ? samples.weight()[i] : 1.0);
}

/// The quotient rule on sum w y / sum w, whose value is `fit` and whose denominator is `total`. counts: whether a
/// missing y of a row of the window is missed.
void add_slope_of_quotient(const KernelRegression::Prepared& samples, const Smoother& smoother, const Window& window,
                           const double* q, long double total, const std::vector<bool>& counts, const LongColumn& fit,
                           LongColumn& slope) {
  for (std::size_t r = 0; r < window.key.size(); ++r) {
    const double u = std::sqrt(squared_distance<double>(samples, window.scale, q, window.key[r]));
    const long double falls = static_cast<long double>(window.weight[r]) * kernel_falloff(smoother.kernel, u) / total;
    for (std::size_t j = 0; j < samples.d; ++j) {
      if (window.scale[j] == infinity) continue;  // all keys are where the query is
      const long double change =
          falls * window.scale[j] * window.scale[j] * (samples.x.column(j)[window.key[r]] - q[j]);
      for (std::size_t c = 0; c < samples.outputs; ++c)
        if (counts[r] || !std::isnan(samples.y.column(c)[window.key[r]]))
          slope[c * samples.d + j] += change * (samples.y.column(c)[window.key[r]] - fit[c]);
    }
  }
}

void fit_window(const KernelRegression::Prepared& samples, const Smoother& smoother, const Residuals& residuals,
                const double* q, const WindowRequest& request, WindowFit& out) {
  Window window = find_window(samples, smoother, q, request);
  out.empty = window.key.empty();
  if (out.empty && smoother.empty == EmptyWindow::nearest) take_nearest(samples, smoother, q, request, window);
  if (window.key.empty()) return;
  Terms terms;
  out.degree = smoother.degree + 1;
  do terms = find_terms(samples, window, q, --out.degree);
  while (!terms.carried && out.degree > 0);
  // Of A = diag(sqrt w) terms, l = diag(sqrt w) A (A^T A)^-1 b: b the terms at q for the fit, or their derivatives.
  const std::size_t count = window.key.size(), outputs = samples.outputs, d = samples.d;
  for (LongColumn& term : terms.values)
    for (std::size_t r = 0; r < count; ++r) term[r] *= std::sqrt(static_cast<long double>(window.weight[r]));
  const Factorisation weighted(terms.values);
  const auto weigh = [&](std::size_t term, long double value) {
    LongColumn b(terms.count, 0.0L);
    b[term] = value;
    LongColumn l = weighted.solve(b);
    for (std::size_t r = 0; r < count; ++r) l[r] *= std::sqrt(static_cast<long double>(window.weight[r]));
    return l;
  };
  const LongColumn smoothing = weigh(0, 1);
  std::vector<LongColumn> slopes;
  for (std::size_t j = 0; out.degree > 0 && j < d; ++j) slopes.push_back(weigh(1 + j, 1 / terms.unit[j]));
  out.fit.assign(outputs, 0);
  out.slope.assign(outputs * d, 0);
  out.error.assign(outputs, 0);
  out.self_weight = 0;
  long double squares = 0, total = 0;
  for (const double weight : window.weight) total += weight;
  const double heaviest = *std::max_element(window.weight.begin(), window.weight.end());
  std::vector<bool> counts(count);
  for (std::size_t r = 0; r < count; ++r)
    counts[r] = window.weight[r] >= missing_counts(smoother.degree, static_cast<double>(total), heaviest);
  LongColumn fit(outputs), slope(outputs * d), variance(outputs), counted(outputs);
  for (std::size_t r = 0; r < count; ++r) {
    const long double l = smoothing[r];
    squares += l * l;
    if (window.key[r] == request.self) out.self_weight = static_cast<double>(l);
    for (std::size_t c = 0; c < outputs; ++c) {
      if (!counts[r] && std::isnan(samples.y.column(c)[window.key[r]])) continue;
      fit[c] += l * samples.y.column(c)[window.key[r]];
      if (out.degree > 0)
        for (std::size_t j = 0; j < d; ++j) slope[c * d + j] += slopes[j][r] * samples.y.column(c)[window.key[r]];
      if (residuals.count() == 0) continue;
      variance[c] += static_cast<long double>(window.weight[r]) * residuals.column(c)[window.key[r]];
      counted[c] += static_cast<long double>(window.weight[r]) * residuals.column(outputs + c)[window.key[r]];
    }
  }
  out.effective_size = static_cast<double>(1 / squares);
  if (out.degree == 0 && request.slope && !out.empty)
    add_slope_of_quotient(samples, smoother, window, q, total, counts, fit, slope);
  for (std::size_t c = 0; c < outputs; ++c) {
    out.fit[c] = static_cast<double>(fit[c]);
    // What nearest samples are taken for has no slope, but a missing y is missed in that too.
    for (std::size_t j = 0; j < d; ++j)
      out.slope[c * d + j] = std::isnan(out.fit[c]) ? out.fit[c] : static_cast<double>(slope[c * d + j]);
    if (residuals.count() != 0) out.error[c] = static_cast<double>(std::sqrt(variance[c] / counted[c] * squares));
  }
}

RegressionResult evaluate(const KernelRegression::Prepared& samples, const QueryPoints& points,
                          const Smoother& smoother, const RegressionRequest& request, const Residuals& residuals) {
  const auto make_fit = [&]() -> FitWindow {
    return [&](const double* q, const WindowRequest& one, WindowFit& out) {
      fit_window(samples, smoother, residuals, q, one, out);
    };
  };
  return evaluate_windows(samples, points, smoother, request, make_fit, {}, {});
}

/// As find_residuals() of the library, of the fits here.
Residuals residuals_of(const KernelRegression::Prepared& samples, Smoother smoother) {
  QueryPoints points;
  points.samples = &samples;
  RegressionRequest left_out;
  left_out.leave_one_out = true;
  smoother.empty = EmptyWindow::nan;
  const TensorView fits = evaluate(samples, points, smoother, left_out, {}).fit;
  const std::size_t outputs = samples.outputs;
  Residuals residuals(2 * outputs, samples.n);
  for (std::size_t i = 0; i < samples.n; ++i)
    for (std::size_t c = 0; c < outputs; ++c) {
      const double fit = fits.contiguous_data<double>()[samples.order[i] * outputs + c] / samples.y_scale[c];
      const double e = samples.y.column(c)[i] - fit;
      residuals.column(c)[i] = std::isnan(e) ? 0 : e * e;
      residuals.column(outputs + c)[i] = std::isnan(e) ? 0 : 1;
    }
  return residuals;
}

RegressionResult evaluate(const KernelRegression::Prepared& samples, const QueryPoints& points,
                          const Smoother& smoother, const RegressionRequest& request) {
  Residuals residuals;
  if (request.standard_error) residuals = residuals_of(samples, smoother);
  return evaluate(samples, points, smoother, request, residuals);
}

}  // namespace

RegressionResult twin(const KernelRegression& regression, const TensorView& queries, const Smoother& smoother,
                      const RegressionRequest& request) {
  const KernelRegression::Prepared& samples = regression.prepared();
  return evaluate(samples, query_points(queries, samples, {}), smoother, request);
}

RegressionResult twin(const KernelRegression& regression, const Smoother& smoother, const RegressionRequest& request) {
  QueryPoints points;
  points.samples = &regression.prepared();
  return evaluate(regression.prepared(), points, smoother, request);
}

}  // namespace support
