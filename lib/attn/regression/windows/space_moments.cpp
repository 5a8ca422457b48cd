#include <attn/regression/windows/space_moments.hpp>

#include <attn/regression/sums/sums.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn {
namespace {

constexpr double lost = 1e-10;

const Residuals no_residuals;

}  // namespace

bool SpaceMoments::serves(const KernelRegression::Prepared& samples, const Smoother& smoother,
                          const RegressionRequest& request) {
  const bool is_served = samples.d >= 2 && samples.d <= 4 && samples.categories.empty() && samples.y_is_finite &&
                         smoother.degree == 1 && is_compact(smoother.kernel) && !smoother.causal &&
                         smoother.bandwidth.kind != Bandwidth::Kind::neighbours && !request.standard_error &&
                         !request.effective_size;
  if (!is_served) return false;
  const QueryPoints none;
  const SumsProblem problem = sums_problem(samples, none, smoother, false);
  for (std::size_t c = 0; c < samples.outputs; ++c)
    if (spread_of(problem, c + 1) > harmless_spread) return false;
  return true;
}

SpaceMoments::SpaceMoments(const KernelRegression::Prepared& samples, const WeightRows& rows, const Smoother& smoother,
                           Isa isa)
    : samples_(samples),
      rows_(rows),
      kernels_(simd::smoothing_kernels(isa)),
      kernel_(smoother.kernel),
      scale_(metric_of(smoother, samples).scale),
      x_(samples.x.pointers()),
      y_(samples.y.pointers()),
      fitter_(samples, rows, smoother, no_residuals) {
  keys_.x = x_.data();
  keys_.d = samples.d;
  keys_.scale = scale_.data();
  keys_.weight = samples.weight();
  keys_.values = y_.data();
  keys_.columns = samples.outputs;
  keys_.slack = Metric::border_slack(samples.d);
}

void SpaceMoments::fit(const double* q, const WindowRequest& request, WindowFit& out) {
  if (!find(q, request, out)) fitter_.fit(q, request, out);
}

/// inverse_ becomes its inverse; false if a pivot could be rounding alone.
bool SpaceMoments::invert(std::size_t d) {
  constexpr double least = 1e-10;
  double largest = 0;
  for (std::size_t j = 0; j < d; ++j) largest = std::max(largest, inverse_[j][j]);
  for (std::size_t p = 0; p < d; ++p) {  // Gauss and Jordan; positive definite, so without exchanges
    const double pivot = inverse_[p][p];
    if (!(pivot > least * largest)) return false;
    inverse_[p][p] = 1;
    for (std::size_t k = 0; k < d; ++k) inverse_[p][k] /= pivot;
    for (std::size_t j = 0; j < d; ++j) {
      if (j == p) continue;
      const double factor = inverse_[j][p];
      inverse_[j][p] = 0;
      for (std::size_t k = 0; k < d; ++k) inverse_[j][k] -= factor * inverse_[p][k];
    }
  }
  return true;
}

bool SpaceMoments::find(const double* q, const WindowRequest& request, WindowFit& out) {
  const std::size_t d = samples_.d, seconds = 1 + d, values = seconds + d * (d + 1) / 2, length = values + 1 + d;
  const std::size_t self = request.leave_out_self ? request.self : WeightRows::no_self;
  rows_.find_reach(q, self, scratch_);
  runs_.clear();
  for (const KeyRun run : scratch_.runs) {
    const bool splits = run.begin <= self && self < run.end;
    runs_.insert(runs_.end(), {run.begin, splits ? static_cast<std::uint32_t>(self) : run.end});
    if (splits) runs_.insert(runs_.end(), {static_cast<std::uint32_t>(self) + 1, run.end});
  }
  sums_.assign(samples_.outputs * length, 0.0);
  for (std::size_t c = 0; c < samples_.outputs; ++c)
    kernels_.add_moments(keys_, kernel_, q, runs_.data(), runs_.size() / 2, c, sums_.data() + c * length);
  const double* const s = sums_.data();
  if (!(s[0] > 0)) return false;

  double m[4], g[4] = {};
  for (std::size_t j = 0; j < d; ++j) m[j] = s[1 + j] / s[0];
  for (std::size_t j = 0, at = seconds; j < d; ++j)
    for (std::size_t k = j; k < d; ++k, ++at) inverse_[j][k] = inverse_[k][j] = s[at] - m[j] * s[1 + k];
  for (std::size_t j = 0; j < d; ++j)
    if (!(inverse_[j][j] > lost * s[0])) return false;
  if (!invert(d)) return false;
  for (std::size_t j = 0; j < d; ++j)
    for (std::size_t k = 0; k < d; ++k) g[j] += inverse_[j][k] * m[k];
  // The smoothing weights are w (a + sum_j a_j u_j), a_j = -g_j; see MomentPolynomial for the bound of the error.
  double a = 1 / s[0], size_of_a = 0;
  for (std::size_t j = 0; j < d; ++j) {
    a += m[j] * g[j];
    size_of_a += std::abs(g[j]);
  }
  size_of_a += std::abs(a);
  constexpr double rounding = 32 * std::numeric_limits<double>::epsilon();
  out.empty = false;
  out.degree = 1;
  out.fit.resize(samples_.outputs);
  if (request.slope) out.slope.resize(samples_.outputs * d);
  for (std::size_t c = 0; c < samples_.outputs; ++c) {
    const double* const t = s + c * length + values;
    double fit = t[0] / s[0], size_of_slopes = 0, slope[4] = {};
    for (std::size_t j = 0; j < d; ++j) fit -= g[j] * (t[1 + j] - m[j] * t[0]);
    for (std::size_t j = 0; j < d; ++j) {
      for (std::size_t k = 0; k < d; ++k) slope[j] += inverse_[j][k] * (t[1 + k] - m[k] * t[0]);
      size_of_slopes += std::abs(slope[j]);
    }
    const double largest = std::max(std::abs(samples_.y_low[c]), std::abs(samples_.y_high[c]));
    const double scale = std::max(std::abs(fit), largest / harmless_spread);
    const double change = rounding * s[0] * (largest + std::abs(fit) + size_of_slopes);
    if (!(change * size_of_a <= lost * scale)) return false;
    out.fit[c] = fit;
    for (std::size_t j = 0; request.slope && j < d; ++j) {
      double size = std::abs(g[j]);
      for (std::size_t k = 0; k < d; ++k) size += std::abs(inverse_[j][k]);
      if (!(change * size <= lost * std::max(scale, std::abs(slope[j])))) return false;
      out.slope[c * d + j] = slope[j] * scale_[j];
    }
  }
  if (request.self != WeightRows::no_self)
    out.self_weight = request.leave_out_self ? 0 : a * (keys_.weight != nullptr ? keys_.weight[request.self] : 1);
  return true;
}

}  // namespace attn
