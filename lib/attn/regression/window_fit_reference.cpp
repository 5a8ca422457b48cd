// The formulas, in the order they are written. Nobody optimises this file.
#include <attn/regression/window_fit.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace attn {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

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
  const Metric metric = metric_of(smoother, samples.d);
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
  const Metric metric = metric_of(smoother, samples.d);
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

// Orthonormal polynomials by Gram and Schmidt (twice) under the window's weights, in long double: the coefficients of a
// least squares fit are inner products with them. Column t of `basis` holds term t at the keys, then at q, then its
// derivatives by q_j at q.
struct Orthonormal {
  std::vector<std::vector<long double>> basis;
  bool independent = true;
};

Orthonormal orthonormal_basis(const KernelRegression::Prepared& samples, const Window& window, const double* q,
                              std::size_t degree) {
  const std::size_t count = window.key.size(), d = samples.d, length = count + 1 + d;
  const auto coordinate = [&](std::size_t r, std::size_t j) {
    return static_cast<long double>(samples.x.column(j)[window.key[r]]) - q[j];
  };
  // Keys of less weight cannot carry a term.
  double heaviest = 0;
  for (const double weight : window.weight) heaviest = std::max(heaviest, weight);
  const auto counts = [&](std::size_t r) { return window.weight[r] >= 1e-24 * heaviest; };
  // What the rounding of the coordinates can make of each term.
  std::vector<long double> noise(1, 0.0L), farthest(d, 0.0L);
  for (std::size_t j = 0; j < d; ++j) {
    long double largest = std::abs(q[j]);
    for (std::size_t r = 0; r < count; ++r) {
      if (!counts(r)) continue;
      largest = std::max<long double>(largest, std::abs(samples.x.column(j)[window.key[r]]));
      farthest[j] = std::max(farthest[j], std::abs(coordinate(r, j)));
    }
    noise.push_back(4e-16L * largest);
  }
  for (std::size_t j = 0; j < d; ++j)
    for (std::size_t k = j; k < d; ++k) noise.push_back(noise[1 + j] * farthest[k] + noise[1 + k] * farthest[j]);
  std::vector<std::vector<long double>> terms(1, std::vector<long double>(length, 1.0L));
  std::fill(terms[0].end() - static_cast<std::ptrdiff_t>(d), terms[0].end(), 0.0L);
  for (std::size_t j = 0; degree >= 1 && j < d; ++j) {
    std::vector<long double> term(length, 0.0L);
    for (std::size_t r = 0; r < count; ++r) term[r] = coordinate(r, j);
    term[count + 1 + j] = 1;
    terms.push_back(term);
  }
  for (std::size_t j = 0; degree >= 2 && j < d; ++j)
    for (std::size_t k = j; k < d; ++k) {
      std::vector<long double> term(length, 0.0L);
      for (std::size_t r = 0; r < count; ++r) term[r] = coordinate(r, j) * coordinate(r, k);
      terms.push_back(term);
    }
  std::set<std::vector<double>> places;
  for (std::size_t r = 0; r < count; ++r) {
    std::vector<double> place(d);
    for (std::size_t j = 0; j < d; ++j) place[j] = samples.x.column(j)[window.key[r]];
    if (counts(r)) places.insert(place);
  }
  const auto dot = [&](const auto& a, const auto& b) {
    long double total = 0;
    for (std::size_t r = 0; r < count; ++r) total += window.weight[r] * a[r] * b[r];
    return total;
  };
  Orthonormal result;
  result.independent = places.size() >= terms.size();
  if (!result.independent) return result;
  for (auto& term : terms) {
    // The pivot rule of the engine: what is left of a term after its weighted mean, then after all terms before it.
    long double centred = 0;
    for (int pass = 0; pass < 2; ++pass)
      for (std::size_t t = 0; t < result.basis.size(); ++t) {
        const long double share = dot(term, result.basis[t]);
        for (std::size_t r = 0; r < length; ++r) term[r] -= share * result.basis[t][r];
        if (t == 0) centred = std::max(centred, dot(term, term));
      }
    const long double left = dot(term, term);
    // And its rule that what the rounding of coordinates makes is nothing: of a coordinate itself, and of what is left
    // where that is little.
    const std::size_t order = result.basis.size();
    long double largest = 0;
    for (std::size_t r = 0; r < count; ++r)
      if (counts(r)) largest = std::max(largest, std::abs(term[r]));
    if (order >= 1 && order <= d && farthest[order - 1] == 0) largest = 0;
    const bool could_be_rounding = order == 1 || left <= 1e-5L * centred;
    if (order > 0 && ((could_be_rounding && !(largest > noise[order])) || !(left > 0))) {
      result.independent = false;
      return result;
    }
    const long double norm = std::sqrt(left);
    for (long double& value : term) value /= norm;
    result.basis.push_back(term);
  }
  return result;
}

}  // namespace

void fit_window_reference(const KernelRegression::Prepared& samples, const Smoother& smoother,
                          const Residuals& residuals, const double* q, const WindowRequest& request, WindowFit& out) {
  Window window = find_window(samples, smoother, q, request);
  out.empty = window.key.empty();
  if (out.empty && smoother.empty == EmptyWindow::nearest) {
    const std::vector<double> scale = metric_of(smoother, samples.d).scale;
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
  if (window.key.empty()) return;
  Orthonormal polynomial;
  out.degree = smoother.degree + 1;
  do polynomial = orthonormal_basis(samples, window, q, --out.degree);
  while (!polynomial.independent);
  // l_r = sum_t w_r P_t(x_r) P_t(q)
  const std::size_t count = window.key.size(), outputs = samples.outputs, d = samples.d;
  const auto smoothing = [&](std::size_t r, std::size_t at) {
    long double total = 0;
    for (const auto& term : polynomial.basis) total += term[r] * term[at];
    return total * window.weight[r];
  };
  out.fit.assign(outputs, 0);
  out.slope.assign(outputs * d, 0);
  out.error.assign(outputs, 0);
  out.self_weight = 0;
  long double squares = 0, total = 0;
  for (const double weight : window.weight) total += weight;
  const auto counts = [&](std::size_t r) {
    return window.weight[r] >= missing_counts * total || std::abs(smoothing(r, count)) >= missing_counts;
  };
  std::vector<long double> fit(outputs), slope(outputs * d), variance(outputs), counted(outputs);
  for (std::size_t r = 0; r < count; ++r) {
    const long double l = smoothing(r, count);
    squares += l * l;
    if (window.key[r] == request.self) out.self_weight = static_cast<double>(l);
    for (std::size_t c = 0; c < outputs; ++c) {
      if (!counts(r) && std::isnan(samples.y.column(c)[window.key[r]])) continue;
      fit[c] += l * samples.y.column(c)[window.key[r]];
      if (out.degree > 0)
        for (std::size_t j = 0; j < d; ++j)
          slope[c * d + j] += smoothing(r, count + 1 + j) * samples.y.column(c)[window.key[r]];
      if (residuals.count() == 0) continue;
      variance[c] += static_cast<long double>(window.weight[r]) * residuals.column(c)[window.key[r]];
      counted[c] += static_cast<long double>(window.weight[r]) * residuals.column(outputs + c)[window.key[r]];
    }
  }
  out.effective_size = static_cast<double>(1 / squares);
  if (out.degree == 0 && request.slope && !out.empty) {
    // The quotient rule on sum w y / sum w.
    for (std::size_t r = 0; r < count; ++r) {
      const double u = std::sqrt(squared_distance<double>(samples, window.scale, q, window.key[r]));
      const long double falls = static_cast<long double>(window.weight[r]) * kernel_falloff(smoother.kernel, u) / total;
      for (std::size_t j = 0; j < d; ++j) {
        if (window.scale[j] == infinity) continue;  // all keys are where the query is
        const long double change =
            falls * window.scale[j] * window.scale[j] * (samples.x.column(j)[window.key[r]] - q[j]);
        for (std::size_t c = 0; c < outputs; ++c)
          if (counts(r) || !std::isnan(samples.y.column(c)[window.key[r]]))
            slope[c * d + j] += change * (samples.y.column(c)[window.key[r]] - fit[c]);
      }
    }
  }
  for (std::size_t c = 0; c < outputs; ++c) {
    out.fit[c] = static_cast<double>(fit[c]);
    // What nearest samples are taken for has no slope, but a missing y is missed in that too.
    for (std::size_t j = 0; j < d; ++j)
      out.slope[c * d + j] = std::isnan(out.fit[c]) ? out.fit[c] : static_cast<double>(slope[c * d + j]);
    if (residuals.count() != 0) out.error[c] = static_cast<double>(std::sqrt(variance[c] / counted[c] * squares));
  }
}

}  // namespace attn
