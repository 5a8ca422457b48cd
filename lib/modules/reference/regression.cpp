// Local polynomials as the textbooks write them: with the terms T = (1, t_j, t_j t_k) of t = (x - q) / unit,
//
//     fit(q) = e_0^T (T^T W T)^-1 T^T W y        degree 0: sum_i w_i y_i / sum_i w_i
//
// Nobody optimises this file. Letters: n samples, d coordinates, C outputs. Source: Fan and Gijbels 1996, section 3.2.
#include <attn/core/export.hpp>
#include "kernels.hpp"
#include "matrix.hpp"

#include <attn/regression/windows/reference_module.hpp>

#include <new>
#include <numeric>

namespace attn::reference {
namespace {

// Squares of distances stay in range, and far queries keep the differences between them.
using Wide = Array<long double, 1>;
using Numbers = Array<double, 1>;

template <class T>
Array<T, 1> row(const T* data, std::size_t n) {
  return xt::adapt(data, n, xt::no_ownership(), std::array<std::size_t, 1>{n});
}
Numbers row(const Matrix& x, std::size_t i) { return xt::row(x, i); }
Wide wide(const Numbers& x) { return xt::cast<long double>(x); }

/// Samples of a window, the heaviest first.
struct Window {
  std::vector<std::size_t> key;
  Numbers weight;    // the largest is 1
  Numbers distance;  // u
  Numbers scale;     // (d)
  bool empty = false;
};

/// u^2 = |(x - q) scale|^2, (n).
Wide squared_distances(const Matrix& x, const Query& query, const Numbers& scale, bool as_rounded) {
  Wide total({x.shape(1)}, 0);
  for (std::size_t j = 0; j < x.shape(0); ++j) {
    const Numbers step = row(x, j) - query.q[j];
    const Numbers rounded = where(equal(step, 0.0), 0.0, step * scale(j));
    const Wide exact = where(equal(step, 0.0), 0.0L, wide(step) * static_cast<long double>(scale(j)));
    total = total + square(as_rounded ? wide(rounded) : exact);
  }
  return total;
}

Window window_of(const Samples& samples, const Smoothing& rule, const Query& query) {
  const Matrix x = matrix(samples.x, samples.d, samples.n);
  const bool is_compact =
      rule.kernel != Kernel::gaussian && rule.kernel != Kernel::laplace && rule.kernel != Kernel::constant;
  const auto weights_or_1 = [&](const double* weights) {
    return weights == nullptr ? Numbers({samples.n}, 1.0) : row(weights, samples.n);
  };
  Array<bool, 1> asked = row(query.part, samples.n);
  if (rule.causal) asked = asked && row(x, 0) <= query.q[0];
  const Array<bool, 1> neighbours = asked && weights_or_1(samples.neighbours) > 0.0;
  const Numbers observed = weights_or_1(samples.weights);
  Array<bool, 1> part = asked && observed > 0.0;
  constexpr long double far = std::numeric_limits<long double>::infinity();

  Window window;
  window.scale = row(rule.scale, samples.d);
  if (rule.neighbours > 0 && xt::any(neighbours)) {
    const Wide sorted = xt::sort(where(neighbours, squared_distances(x, query, window.scale, false), far));
    const auto k = std::min(rule.neighbours, static_cast<std::size_t>(xt::sum(xt::cast<std::size_t>(neighbours))()));
    const auto distance = static_cast<double>(std::sqrt(sorted(k - 1)));
    window.scale /= distance * rule.kernel_scale;
  }
  const Wide u2 = where(part, squared_distances(x, query, window.scale, is_compact), far);
  const long double nearest = xt::amin(u2)();
  Wide weight(u2.shape(), 0);
  switch (rule.kernel) {
    case Kernel::gaussian: weight = exp(-(u2 - nearest) / 2.0L); break;
    case Kernel::laplace: weight = exp(-(sqrt(u2) - std::sqrt(nearest))); break;
    default:
      weight =
          kernel_of<Wide>(rule.kernel, sqrt(where(abs(u2 - 1.0L) <= static_cast<long double>(rule.slack), 1.0L, u2)));
  }
  part = part && (is_compact ? weight > 0.0L : part);
  window.empty = !xt::any(part);
  if (window.empty && rule.takes_nearest) {
    part = equal(u2, nearest) && u2 < far;
    weight = Wide(weight.shape(), 1);
  }
  if (!xt::any(part)) return window;
  weight = weight * wide(observed);
  const long double newest = xt::amax(where(part, row(x, 0), -infinity))();
  if (rule.decay != 0 && !window.empty)
    weight = weight * exp(static_cast<long double>(rule.decay) * (wide(row(x, 0)) - newest));
  weight = where(part, weight, 0.0L) / xt::amax(where(part, weight, 0.0L))();

  for (std::size_t i = 0; i < samples.n; ++i)
    if (part(i)) window.key.push_back(i);
  std::stable_sort(window.key.begin(), window.key.end(),
                   [&](std::size_t a, std::size_t b) { return weight(a) > weight(b); });
  window.weight = xt::view(weight, xt::keep(window.key));
  window.distance = xt::view(Wide(sqrt(u2)), xt::keep(window.key));
  return window;
}

/// The terms (rows, terms) of a polynomial at the samples of a window.
struct Terms {
  Matrix values;
  Numbers unit;         // (d): the farthest sample that counts
  bool carried = true;  // by samples in enough places
};

Terms terms_of(const Matrix& x, const double* q, const Window& window, std::size_t degree) {
  const std::size_t d = x.shape(0), rows = x.shape(1), linear = degree > 0 ? d : 0, square = degree > 1 ? d : 0;
  Terms terms{Matrix({rows, 1 + linear + square * (square + 1) / 2}, 1.0), Numbers({d}, 1.0), true};
  const Array<bool, 1> counts = window.weight >= OrthonormalPolynomials::least_share;
  double noise = 0;  // what the rounding of coordinates can make of a term
  for (std::size_t j = 0; j < linear; ++j) {
    const Numbers step = row(x, j) - q[j];
    terms.unit(j) = xt::amax(where(counts, abs(step), 0.0))();
    if (terms.unit(j) == 0) return {{}, {}, false};
    xt::col(terms.values, 1 + j) = step / terms.unit(j);
    noise = std::max(noise, 1e-15 * (std::abs(q[j]) + terms.unit(j)) / terms.unit(j));
  }
  std::size_t next = 1 + linear;
  for (std::size_t j = 0; j < square; ++j)
    for (std::size_t k = j; k < square; ++k)
      xt::col(terms.values, next++) = xt::col(terms.values, 1 + j) * xt::col(terms.values, 1 + k);
  if (degree == 0) return terms;
  const Matrix counting = where(expand_dims(counts, 1), terms.values, 0.0);
  const Numbers singular = std::get<1>(xt::linalg::svd(counting, false));
  terms.carried = rows >= next && xt::amin(singular)() > noise * xt::amax(singular)();
  return terms;
}

/// l (rows, 1 + d): smoothing weights of the fit, and of its slopes for degrees above 0.
Matrix smoothing_weights(const Terms& terms, const Window& window, std::size_t degree) {
  const std::size_t slopes = degree > 0 ? terms.unit.size() : 0;
  const Matrix root = sqrt(expand_dims(window.weight, 1));
  if (degree == 0) return square(root) / xt::sum(window.weight)();
  // W^1/2 T = Q R: l = W^1/2 Q R^-T b, b the terms at q or their derivatives. The heaviest rows come first, which
  // leaves the light ones their digits: Cox and Higham 1998.
  const auto [q, r] = xt::linalg::qr(root * terms.values);
  Matrix b({terms.values.shape(1), 1 + slopes}, 0.0);
  b(0, 0) = 1;
  for (std::size_t j = 0; j < slopes; ++j) b(1 + j, 1 + j) = 1 / terms.unit(j);
  const Matrix of_terms = xt::linalg::solve(transpose(r), b);
  return root * product(q, transpose(of_terms));
}

/// By the quotient rule: sum_i w_i falloff_i (x_i - q) / h^2 (y_i - fit) / sum_i w_i, (C, d).
Matrix slope_of_quotient(const Matrix& x, const double* q, const Matrix& y, const Matrix& fit, const Window& window,
                         Kernel kernel) {
  const Numbers change = window.weight * falloff_of<Numbers>(kernel, window.distance) / xt::sum(window.weight)();
  Matrix step = x;  // (d, rows), in units of h
  for (std::size_t j = 0; j < x.shape(0); ++j)
    xt::row(step, j) = (row(x, j) - q[j]) * (std::isinf(window.scale(j)) ? 0 : window.scale(j) * window.scale(j));
  return product(expand_dims(change, 0) * (y - fit), step);
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
  const Matrix y = where(isnan(given) && expand_dims(window.weight, 0) < least, 0.0, given);
  const Matrix fits = product(y, transpose(l));  // (C, 1 + d)
  const Numbers smoothing = xt::col(l, 0);
  const double squares = xt::sum(square(smoothing))();
  out.effective_size = 1 / squares;
  const auto self = std::find(window.key.begin(), window.key.end(), query.self);
  out.self_weight = self == window.key.end() ? 0 : smoothing(self - window.key.begin());
  const Matrix value = columns(fits, 0, 1);
  write(value, out.fit);
  if (query.slope) {
    Matrix slope({samples.C, samples.d}, 0.0);
    if (out.degree > 0)
      slope = columns(fits, 1, 1 + samples.d);
    else if (!window.empty)
      slope = slope_of_quotient(x, query.q, y, value, window, rule.kernel);
    slope = slope + 0.0 * value;  // NaN where the fit is
    write(slope, out.slope);
  }
  if (samples.residuals == nullptr) return true;
  const Matrix residuals = of_window(samples.residuals, 2 * samples.C);
  const Numbers sums = sum_over(residuals * expand_dims(window.weight, 0), 1);
  for (std::size_t c = 0; c < samples.C; ++c) out.error[c] = std::sqrt(sums(c) / sums(samples.C + c) * squares);
  return true;
} catch (const std::bad_alloc&) {
  return false;
}

}  // namespace

extern "C" ATTN_API const RegressionFunctions attn_reference_regression{fit};

}  // namespace attn::reference
