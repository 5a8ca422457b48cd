#include <attn/regression/sums/moments.hpp>

#include <algorithm>
#include <cmath>

namespace attn {

using std::abs;  // and those of Extended

MomentParts::MomentParts(const SumsProblem& problem) : problem_(problem) {
  for (auto& sums : sums_) sums.resize(problem.length());
  for (std::size_t c = 0; c < problem.columns(); ++c) offset_.push_back(problem.offset(c));
}

Extended* MomentParts::add(double origin) {
  origin_[parts_] = origin;
  return sums_[parts_++].data();
}

bool MomentParts::join(WindowMoments& out) {
  const Extended scale = problem_.scale[0];
  Extended mass = 0, first = 0;  // about the origin of part 0
  for (std::size_t part = 0; part < parts_; ++part) {
    const Extended away = (Extended(origin_[part]) - origin_[0]) * scale;
    mass += sums_[part][0];
    first += sums_[part][1] + away * sums_[part][0];
  }
  if (!(mass > 0)) return false;
  out.origin = static_cast<double>(origin_[0] + first / mass / scale);
  for (std::size_t part = 0; part < parts_; ++part) {
    const Extended step = (Extended(origin_[part]) - out.origin) * scale;
    for (std::size_t c = 0; c < offset_.size(); ++c)
      shift_moments(sums_[part].data() + offset_[c], problem_.order(c), step);
    if (part > 0)
      for (std::size_t k = 0; k < sums_[0].size(); ++k) sums_[0][k] += sums_[part][k];
  }
  out.scale = problem_.scale[0];
  out.sums = sums_[0].data();
  return true;
}

void MomentParts::take(std::size_t point, double rounding, const MomentsTaker& taker, double log_factor) {
  WindowMoments moments;
  if (!join(moments)) return;
  sizes_.resize(offset_.size());
  for (std::size_t c = 0; c < offset_.size(); ++c) sizes_[c] = moments.sums[offset_[c]];
  moments.sizes = sizes_.data();
  moments.rounding = rounding;
  moments.log_factor = log_factor;
  taker(point, moments);
}

bool MomentPolynomial::find(const WindowMoments& moments, std::size_t degree, Extended z_query) {
  // Below this share of the squares of the extent, what a term adds could be rounding alone.
  constexpr Extended least = 1e-10;
  const Extended* s = moments.sums;
  degree_ = degree;
  extent_ = moments.extent;
  mass_ = moments.sizes[0];
  rounding_ = moments.rounding;
  z_query_ = z_query;
  norm_[0] = s[0];
  value_[0] = 1;
  slope_[0] = 0;
  if (degree == 0) return finish();
  m_ = s[1] / s[0];
  norm_[1] = s[2] - m_ * s[1];
  const Extended unit = extent_ * extent_;
  if (!(norm_[1] > least * s[0] * unit)) return false;
  value_[1] = z_query - m_;
  slope_[1] = 1;
  if (degree > 1) {
    const Extended cubic = s[3] - m_ * s[2];
    c1_ = cubic / norm_[1];
    c0_ = s[2] / s[0];
    norm_[2] = s[4] - c0_ * s[2] - c1_ * cubic;
    if (!(norm_[2] > least * s[0] * unit * unit)) return false;
    value_[2] = z_query * z_query - c1_ * value_[1] - c0_;
    slope_[2] = 2 * z_query - c1_;
  }
  return finish();
}

// The coefficients of the smoothing weights.
bool MomentPolynomial::finish() {
  Extended by_term[3] = {}, by_slope[3] = {};
  for (std::size_t k = 0; k <= degree_; ++k) {
    by_term[k] = value_[k] / norm_[k];
    by_slope[k] = slope_[k] / norm_[k];
  }
  expand(by_term, at_query_);
  expand(by_slope, slope_at_query_);
  return true;
}

// sum_k by_term_k P_k(z) = sum_r out_r z^r
void MomentPolynomial::expand(const Extended (&by_term)[3], Extended (&out)[3]) const {
  const Extended quadratic = degree_ > 1 ? by_term[2] : 0, linear = by_term[1] - c1_ * quadratic;
  out[0] = by_term[0] - m_ * linear - c0_ * quadratic;
  out[1] = linear;
  out[2] = quadratic;
}

Extended MomentPolynomial::size_of(const Extended (&a)[3]) const {
  return abs(a[0]) + extent_ * (abs(a[1]) + extent_ * abs(a[2]));
}

// A change dS of the weights' moments and dT of the values' moves a fit by a . (dT - dS b), with its coefficients b.
MomentPolynomial::Fit MomentPolynomial::fit(const Extended* t, Extended size) const {
  Extended by_term[3] = {t[0] / norm_[0], 0, 0}, b[3];
  const Extended t1 = degree_ > 0 ? t[1] - m_ * t[0] : 0;
  if (degree_ > 0) by_term[1] = t1 / norm_[1];
  if (degree_ > 1) by_term[2] = (t[2] - c1_ * t1 - c0_ * t[0]) / norm_[2];
  Fit fit;
  for (std::size_t k = 0; k <= degree_; ++k) {
    fit.value += by_term[k] * value_[k];
    fit.slope += by_term[k] * slope_[k];
  }
  expand(by_term, b);
  const Extended change = rounding_ * (size + mass_ * size_of(b));
  fit.value_error = change * size_of(at_query_);
  fit.slope_error = change * size_of(slope_at_query_);
  return fit;
}

Extended MomentPolynomial::own_weight() const {
  Extended total = 0;
  for (std::size_t k = 0; k <= degree_; ++k) total += value_[k] * value_[k] / norm_[k];
  return total;
}

}  // namespace attn
