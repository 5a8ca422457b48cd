#include <attn/regression/windows/space_moments.hpp>

#include <attn/regression/sums/sums.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn {
namespace {

constexpr double lost = 1e-10;

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

bool SpaceMoments::serves(const KernelRegression::Prepared& samples, const Smoother& smoother) {
  const bool is_served = samples.d >= 2 && samples.d <= 4 && samples.categories.empty() && samples.y_is_finite &&
                         smoother.degree > 0 && is_compact(smoother.kernel) && !smoother.causal &&
                         smoother.bandwidth.kind != Bandwidth::Kind::neighbours;
  if (!is_served) return false;
  const QueryPoints none;
  const SumsProblem problem = sums_problem(samples, none, smoother, false);
  if (*std::min_element(problem.scale.begin(), problem.scale.end()) == 0) return false;  // z is x / h
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
      scale_(metric_of(smoother, samples).scale),
      x_(samples.x.pointers()),
      y_(samples.y.pointers()),
      residual_columns_(residuals.pointers()),
      fitter_(samples, rows, smoother, residuals) {
  const std::size_t d = samples.d;
  keys_.x = x_.data();
  keys_.d = d;
  keys_.scale = scale_.data();
  keys_.weight = samples.weight();
  keys_.values = y_.data();
  keys_.columns = samples.outputs;
  keys_.slack = Metric::border_slack(d);
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

// The keys in reach, without the query's own sample if that is left out.
void SpaceMoments::find_runs(const double* q, const WindowRequest& request) {
  const std::size_t self = request.leave_out_self ? request.self : WeightRows::no_self;
  rows_.find_reach(q, self, scratch_);
  runs_.clear();
  for (const KeyRun run : scratch_.runs) {
    const bool splits = run.begin <= self && self < run.end;
    runs_.insert(runs_.end(), {run.begin, splits ? static_cast<std::uint32_t>(self) : run.end});
    if (splits) runs_.insert(runs_.end(), {static_cast<std::uint32_t>(self) + 1, run.end});
  }
}

bool SpaceMoments::find(const double* q, const WindowRequest& request, WindowFit& out) {
  const std::size_t d = samples_.d;
  find_runs(q, request);
  sums_.assign(samples_.outputs * length_, 0.0);
  for (std::size_t c = 0; c < samples_.outputs; ++c)
    kernels_.add_moments(keys_, kernel_, degree_, q, runs_.data(), runs_.size() / 2, c, sums_.data() + c * length_);
  const double* const s = sums_.data();
  if (!(s[0] > 0)) return false;

  // At degree 2 each phi_j is taken in units of its root mean square: wide windows have |u| much below 1.
  double unit[most_terms], first[most_terms], m[most_terms], g[most_terms] = {};
  for (std::size_t j = 0; j < terms_; ++j) {
    unit[j] = degree_ == 1 ? 1 : 1 / std::sqrt(s[product_[j][j]] / s[0]);
    first[j] = s[first_[j]] * unit[j];
    m[j] = first[j] / s[0];
  }
  for (std::size_t j = 0; j < terms_; ++j)
    for (std::size_t k = j; k < terms_; ++k)
      inverse_[j][k] = inverse_[k][j] = s[product_[j][k]] * unit[j] * unit[k] - m[j] * first[k];
  for (std::size_t j = 0; j < terms_; ++j)
    if (!(inverse_[j][j] > lost * s[0])) return false;
  if (!invert()) return false;
  for (std::size_t j = 0; j < terms_; ++j)
    for (std::size_t k = 0; k < terms_; ++k) g[j] += inverse_[j][k] * m[k];
  // See MomentPolynomial for the bound of the error.
  double a = 1 / s[0], size_of_a = 0;
  for (std::size_t j = 0; j < terms_; ++j) {
    a += m[j] * g[j];
    size_of_a += std::abs(g[j]);
  }
  size_of_a += std::abs(a);
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
      size_of_slopes += std::abs(slope[j]);
    }
    const double largest = std::max(std::abs(samples_.y_low[c]), std::abs(samples_.y_high[c]));
    const double scale = std::max(std::abs(fit), largest / harmless_spread);
    const double change = rounding * s[0] * (largest + std::abs(fit) + size_of_slopes);
    if (!(change * size_of_a <= lost * scale)) return false;
    out.fit[c] = fit;
    for (std::size_t j = 0; request.slope && j < d; ++j) {
      double size = std::abs(g[j]);
      for (std::size_t k = 0; k < terms_; ++k) size += std::abs(inverse_[j][k]);
      if (!(change * size <= lost * std::max(scale, std::abs(slope[j])))) return false;
      out.slope[c * d + j] = slope[j] * unit[j] * scale_[j];
    }
  }
  if (request.self != WeightRows::no_self)
    out.self_weight = request.leave_out_self ? 0 : a * (keys_.weight != nullptr ? keys_.weight[request.self] : 1);
  if (!request.squares) return true;
  coefficients_[0] = a;
  double change_of_a = std::abs(a);  // of all coefficients, by a rounding of every moment
  for (std::size_t j = 0; j < terms_; ++j) {
    coefficients_[value_[j]] = -g[j] * unit[j];
    change_of_a += 2 * std::abs(g[j]);
    for (std::size_t k = 0; k < terms_; ++k) change_of_a += std::abs(inverse_[j][k]);
  }
  return add_squares(q, rounding * s[0] * size_of_a * change_of_a, out);
}

// sum_i l_i^2 changes by 2 sum_i |l_i w_i phi_i . da| <= 2 da sqrt(sum_i l_i^2 S_0), since no weight is above 1 and the
// mean square of no phi_j is.
bool SpaceMoments::add_squares(const double* q, double change_of_a, WindowFit& out) {
  const std::size_t runs = runs_.size() / 2, outputs = samples_.outputs;
  const double squares = kernels_.sum_squares(keys_, kernel_, degree_, q, runs_.data(), runs, coefficients_.data());
  if (!(2 * change_of_a * std::sqrt(sums_[0]) <= lost * std::sqrt(squares))) return false;
  out.effective_size = 1 / squares;
  if (residuals_.count() == 0) return true;
  simd::SmoothingKeys keys = keys_;
  keys.values = residual_columns_.data();
  keys.columns = residual_columns_.size();
  residual_sums_.assign(1 + keys.columns, 0.0);
  for (std::size_t r = 0; r < runs; ++r)
    kernels_.add(keys, kernel_, q, 1, runs_[2 * r], runs_[2 * r + 1], residual_sums_.data());
  out.error.resize(outputs);
  for (std::size_t c = 0; c < outputs; ++c)
    out.error[c] = std::sqrt(residual_sums_[1 + c] / residual_sums_[1 + outputs + c] * squares);
  return true;
}

}  // namespace attn
