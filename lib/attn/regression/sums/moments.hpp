#pragma once
// Moments of windows about a common origin, and the polynomial that they determine.

#include <attn/regression/sums/sums.hpp>

namespace attn {

/// M_r = sum_i w_i z_i^r, r = 0 .. order, become those of z + step.
template <class Real>
void shift_moments(Real* moments, std::size_t order, Real step) {
  for (std::size_t k = 1; k <= order; ++k)
    for (std::size_t r = order; r >= k; --r) moments[r] += step * moments[r - 1];
}

/// Collects a window from parts, each with moments about a place of its own near its samples; moments about the
/// weighted mean of all follow, so that a window far from the query keeps its digits.
class MomentParts {
 public:
  explicit MomentParts(const SumsProblem& problem);
  void clear() noexcept { parts_ = 0; }
  /// The moments of a part about `origin`; the caller fills the (length) numbers that this returns.
  Extended* add(double origin);
  /// False if the weights add up to nothing. The sums stay valid until the next call.
  bool join(WindowMoments& out);
  /// Joins and hands on the moments of a kernel that is never zero, whose weights are the sizes.
  void take(std::size_t point, double rounding, const MomentsTaker& taker, double log_factor = 0);

 private:
  const SumsProblem& problem_;
  std::size_t parts_ = 0;
  double origin_[2] = {};
  std::vector<Extended> sums_[2], sizes_;
  std::vector<std::size_t> offset_;
};

/// The least-squares polynomial of a window from its moments, by orthogonal polynomials:
///
///     P0 = 1,  P1 = z - m,  P2 = z^2 - c1 P1 - c0,    fit(z) = sum_k t_k / n_k P_k(z),  n_k = sum w P_k^2, t_k = sum w
///     y P_k
///
/// Source: Forsythe 1957, "Generation and use of orthogonal polynomials for data-fitting".
class MomentPolynomial {
 public:
  /// z_query: the query's z. False if the samples may not determine a polynomial of the degree.
  bool find(const WindowMoments& moments, std::size_t degree, Extended z_query);

  struct Fit {
    Extended value = 0, slope = 0;  ///< at the query; the slope by z
    Extended value_error = 0, slope_error = 0;
  };
  /// The fit of a column with moments t (degree + 1). size: an upper bound of sum_i weight_i |v_i|.
  Fit fit(const Extended* t, Extended size) const;
  /// The weight of a sample at the query of weight 1 in its own fit.
  Extended own_weight() const;
  /// The smoothing weights are l_i = w_i sum_r coefficient(r) z_i^r.
  Extended coefficient(std::size_t r) const noexcept { return at_query_[r]; }
  /// sum_r |coefficient(r)| extent^r
  Extended size() const { return size_of(at_query_); }
  /// The same of the slope by z.
  Extended slope_coefficient(std::size_t r) const noexcept { return slope_at_query_[r]; }
  Extended slope_size() const { return size_of(slope_at_query_); }

 private:
  bool finish();
  void expand(const Extended (&by_term)[3], Extended (&out)[3]) const;
  Extended size_of(const Extended (&a)[3]) const;

  std::size_t degree_ = 0;
  Extended extent_ = 1, mass_ = 0, rounding_ = 0;
  Extended m_ = 0, c0_ = 0, c1_ = 0, norm_[3] = {};
  Extended value_[3] = {}, slope_[3] = {};              // of each P_k at the query
  Extended at_query_[3] = {}, slope_at_query_[3] = {};  // coefficients of the smoothing weights
  Extended z_query_ = 0;
};

}  // namespace attn
