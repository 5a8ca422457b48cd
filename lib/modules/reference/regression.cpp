// Local polynomials as the textbooks write them: with the terms T = (1, t_j, t_j t_k) of t = (x - q) / unit,
//
//     fit(q) = e_0^T (T^T W T)^-1 T^T W y        degree 0: sum_i w_i y_i / sum_i w_i
//
// Nobody optimises this file. Letters: n samples, d coordinates, C outputs. Source: Fan and Gijbels 1996, section 3.2.
#include <attn/core/api.hpp>
#include "kernels.hpp"
#include "matrix.hpp"

#include <attn/regression/windows/reference_module.hpp>

#include <new>
#include <numeric>

namespace attn::reference {
namespace {

// Squares of distances stay in range, and far queries keep the differences between them.
using Wide = xt::xtensor<long double, 1>;

template <class T>
xt::xtensor<T, 1> row(const T* data, std::size_t n) {
  return xt::adapt(data, n, xt::no_ownership(), std::array<std::size_t, 1>{n});
}

/// Samples of a window, the heaviest first.
struct Window {
  std::vector<std::size_t> key;
  xt::xtensor<double, 1> weight;    // the largest is 1
  xt::xtensor<double, 1> distance;  // u
  xt::xtensor<double, 1> scale;     // (d)
  bool empty = false;
};

/// u^2 = |(x - q) scale|^2, (n).
Wide squared_distances(const Matrix& x, const Query& query, const xt::xtensor<double, 1>& scale, bool as_rounded) {
  Wide total = xt::zeros<long double>({x.shape(1)});
  for (std::size_t j = 0; j < x.shape(0); ++j) {
    const xt::xtensor<double, 1> step = xt::row(x, j) - query.q[j];
    const xt::xtensor<double, 1> rounded = xt::where(xt::equal(step, 0.0), 0.0, step * scale(j));
    const Wide exact = xt::where(xt::equal(step, 0.0), 0.0L, xt::cast<long double>(step) * scale(j));
    total += xt::square(as_rounded ? Wide(xt::cast<long double>(rounded)) : exact);
  }
  return total;
}

Window window_of(const Samples& samples, const Smoothing& rule, const Query& query) {
  const Matrix x = matrix(samples.x, samples.d, samples.n);
  const bool is_compact =
      rule.kernel != Kernel::gaussian && rule.kernel != Kernel::laplace && rule.kernel != Kernel::constant;
  const xt::xtensor<double, 1> observed = samples.weights == nullptr
                                              ? xt::xtensor<double, 1>(xt::ones<double>({samples.n}))
                                              : row(samples.weights, samples.n);
  xt::xtensor<bool, 1> part = row(query.part, samples.n) && observed > 0.0;
  if (rule.causal) part = part && xt::row(x, 0) <= query.q[0];
  constexpr long double far = std::numeric_limits<long double>::infinity();
  const auto of_part = [&](const Wide& u2) -> Wide { return xt::where(part, u2, far); };

  Window window;
  window.scale = row(rule.scale, samples.d);
  if (rule.neighbours > 0 && xt::any(part)) {
    const Wide sorted = xt::sort(of_part(squared_distances(x, query, window.scale, false)));
    const auto k = std::min(rule.neighbours, static_cast<std::size_t>(xt::sum(xt::cast<std::size_t>(part))()));
    const auto distance = static_cast<double>(std::sqrt(sorted(k - 1)));
    window.scale /= distance * rule.kernel_scale;
  }
  const Wide u2 = of_part(squared_distances(x, query, window.scale, is_compact));
  const long double nearest = xt::amin(u2)();
  Wide weight = xt::zeros_like(u2);
  switch (rule.kernel) {
    case Kernel::gaussian: weight = xt::exp(-(u2 - nearest) / 2); break;
    case Kernel::laplace: weight = xt::exp(-(xt::sqrt(u2) - std::sqrt(nearest))); break;
    default: weight = kernel_of<Wide>(rule.kernel, xt::sqrt(Wide(xt::where(xt::abs(u2 - 1) <= rule.slack, 1.0L, u2))));
  }
  part = part && (is_compact ? xt::xtensor<bool, 1>(weight > 0) : part);
  window.empty = !xt::any(part);
  if (window.empty && rule.takes_nearest) {
    part = xt::equal(u2, nearest) && u2 < far;
    weight = xt::ones_like(weight);
  }
  if (!xt::any(part)) return window;
  weight *= observed;
  const long double newest = xt::amax(xt::where(part, xt::row(x, 0), -infinity))();
  if (rule.decay != 0 && !window.empty) weight *= xt::exp(rule.decay * (xt::cast<long double>(xt::row(x, 0)) - newest));
  weight = xt::where(part, weight, 0.0L) / xt::amax(xt::where(part, weight, 0.0L))();

  for (std::size_t i = 0; i < samples.n; ++i)
    if (part(i)) window.key.push_back(i);
  std::stable_sort(window.key.begin(), window.key.end(),
                   [&](std::size_t a, std::size_t b) { return weight(a) > weight(b); });
  window.weight = xt::view(weight, xt::keep(window.key));
  window.distance = xt::sqrt(xt::view(u2, xt::keep(window.key)));
  return window;
}

/// The terms (rows, terms) of a polynomial at the samples of a window.
struct Terms {
  Matrix values;
  xt::xtensor<double, 1> unit;  // (d): the farthest sample that counts
  bool carried = true;          // by samples in enough places
};

Terms terms_of(const Matrix& x, const double* q, const Window& window, std::size_t degree) {
  const std::size_t d = x.shape(0), rows = x.shape(1), linear = degree > 0 ? d : 0, square = degree > 1 ? d : 0;
  Terms terms{xt::ones<double>({rows, 1 + linear + square * (square + 1) / 2}), xt::ones<double>({d}), true};
  const xt::xtensor<bool, 1> counts = window.weight >= OrthonormalPolynomials::least_share;
  double noise = 0;  // what the rounding of coordinates can make of a term
  for (std::size_t j = 0; j < linear; ++j) {
    const xt::xtensor<double, 1> step = xt::row(x, j) - q[j];
    terms.unit(j) = xt::amax(xt::where(counts, xt::abs(step), 0.0))();
    if (terms.unit(j) == 0) return {{}, {}, false};
    xt::col(terms.values, 1 + j) = step / terms.unit(j);
    noise = std::max(noise, 1e-15 * (std::abs(q[j]) + terms.unit(j)) / terms.unit(j));
  }
  std::size_t next = 1 + linear;
  for (std::size_t j = 0; j < square; ++j)
    for (std::size_t k = j; k < square; ++k)
      xt::col(terms.values, next++) = xt::col(terms.values, 1 + j) * xt::col(terms.values, 1 + k);
  if (degree == 0) return terms;
  const Matrix counting = xt::where(xt::view(counts, xt::all(), xt::newaxis()), terms.values, 0.0);
  const xt::xtensor<double, 1> singular = std::get<1>(xt::linalg::svd(counting, false));
  terms.carried = rows >= next && xt::amin(singular)() > noise * xt::amax(singular)();
  return terms;
}

/// l (rows, 1 + d): smoothing weights of the fit, and of its slopes for degrees above 0.
Matrix smoothing_weights(const Terms& terms, const Window& window, std::size_t degree) {
  const std::size_t slopes = degree > 0 ? terms.unit.size() : 0;
  const Matrix root = xt::sqrt(xt::view(window.weight, xt::all(), xt::newaxis()));
  if (degree == 0) return xt::square(root) / xt::sum(window.weight)();
  // W^1/2 T = Q R: l = W^1/2 Q R^-T b, b the terms at q or their derivatives. The heaviest rows come first, which
  // leaves the light ones their digits: Cox and Higham 1998.
  const auto [q, r] = xt::linalg::qr(Matrix(root * terms.values));
  Matrix b = xt::zeros<double>({terms.values.shape(1), 1 + slopes});
  b(0, 0) = 1;
  for (std::size_t j = 0; j < slopes; ++j) b(1 + j, 1 + j) = 1 / terms.unit(j);
  const Matrix of_terms = xt::linalg::solve(Matrix(xt::transpose(r)), b);
  return root * product(Matrix(q), Matrix(xt::transpose(of_terms)));
}

/// By the quotient rule: sum_i w_i falloff_i (x_i - q) / h^2 (y_i - fit) / sum_i w_i, (C, d).
Matrix slope_of_quotient(const Matrix& x, const double* q, const Matrix& y, const Matrix& fit, const Window& window,
                         Kernel kernel) {
  const xt::xtensor<double, 1> change =
      window.weight * falloff_of<xt::xtensor<double, 1>>(kernel, window.distance) / xt::sum(window.weight)();
  Matrix step = x;  // (d, rows), in units of h
  for (std::size_t j = 0; j < x.shape(0); ++j)
    xt::row(step, j) = (xt::row(x, j) - q[j]) * (std::isinf(window.scale(j)) ? 0 : window.scale(j) * window.scale(j));
  return product(change * (y - fit), step);
}

bool fit(const Samples& samples, const Smoothing& rule, const Query& query, Fit& out) noexcept try {
  const Window window = window_of(samples, rule, query);
  out.empty = window.empty;
  out.found = !window.key.empty();
  if (!out.found) return true;
  const auto of_window = [&](const double* columns, std::size_t count) -> Matrix {
    return xt::view(matrix(columns, count, samples.n), xt::all(), xt::keep(window.key));
  };
  const Matrix x = of_window(samples.x, samples.d), given = of_window(samples.y, samples.C);  // (d, rows), (C, rows)
  out.degree = rule.degree;
  Terms terms = terms_of(x, query.q, window, out.degree);
  while (!terms.carried) terms = terms_of(x, query.q, window, --out.degree);
  const Matrix l = smoothing_weights(terms, window, out.degree);

  // A missing y of no weight is not missed.
  const double least = missing_counts(rule.degree, xt::sum(window.weight)(), 1);
  const Matrix y = xt::where(xt::isnan(given) && window.weight < least, 0.0, given);
  const Matrix fits = product(y, Matrix(xt::transpose(l)));  // (C, 1 + d)
  const auto smoothing = xt::col(l, 0);
  const double squares = xt::sum(xt::square(smoothing))();
  out.effective_size = 1 / squares;
  const auto self = std::find(window.key.begin(), window.key.end(), query.self);
  out.self_weight = self == window.key.end() ? 0 : smoothing(self - window.key.begin());
  const Matrix value = xt::view(fits, xt::all(), xt::range(0, 1));
  std::copy(value.begin(), value.end(), out.fit);
  if (query.slope) {
    Matrix slope = xt::zeros<double>({samples.C, samples.d});
    if (out.degree > 0)
      slope = xt::view(fits, xt::all(), xt::range(1, 1 + samples.d));
    else if (!window.empty)
      slope = slope_of_quotient(x, query.q, y, value, window, rule.kernel);
    slope += 0 * value;  // NaN where the fit is
    std::copy(slope.begin(), slope.end(), out.slope);
  }
  if (samples.residuals == nullptr) return true;
  const Matrix residuals = of_window(samples.residuals, 2 * samples.C);
  const xt::xtensor<double, 1> sums = xt::sum(residuals * window.weight, {1});
  for (std::size_t c = 0; c < samples.C; ++c) out.error[c] = std::sqrt(sums(c) / sums(samples.C + c) * squares);
  return true;
} catch (const std::bad_alloc&) {
  return false;
}

}  // namespace

extern "C" ATTN_API const RegressionFunctions attn_reference_regression{fit};

}  // namespace attn::reference
