#pragma once
// Kernels for Gaussian sums on the line by a sum of exponentials: what is compiled once per instruction set.
//
//     exp(-u^2 / 2) = sum_k Re(w_k exp(-l_k u)),  u >= 0,  k = 0 .. terms - 1
//
// from the inverse Laplace transform of exp(-sqrt(2 z) u) / sqrt(z) on the parabola z = mu (1 + i t)^2 by the midpoint
// rule: t_k = (k + 1/2) 3 / terms, w_k = 2 sqrt(mu / pi) (3 / terms) exp(mu (1 + i t_k)^2), l_k = sqrt(2 mu) (1 + i
// t_k). All terms decay alike and their frequencies are equally spaced, so that exp(-l_k u) of all k takes one
// exponential, one sine and one cosine. With 20 terms and mu = 20 pi / 14 the error is below 1e-17 for u < 1, 1e-19 for
// u < 10 and 6e-19 beyond (found with 40 digits), and |w_k| add up to 89, which multiplies the rounding errors of near
// pairs.
//
// Moments follow from the derivatives, d^r/du^r exp(-l_k u) = (-l_k)^r exp(-l_k u): for the same terms,
//
//     u^r exp(-u^2 / 2) = sum_k Re(w_k p_r(l_k) exp(-l_k u)),  p_0 = 1, p_1 = l, p_{r+1} = l p_r + r p_{r-1}
//
// Derivatives need more terms: with 24 and 3.3 in place of 3, the error is below 2e-18 for r <= 2 and 2e-17 for r <= 4,
// and the rounding errors of near pairs are multiplied by 890 and 9000. Source: Jiang and Greengard 2021,
// "Approximating the Gaussian as a sum of exponentials and its applications to the fast Gauss transform".

#include <attn/core/isa.hpp>

#include <cstddef>

namespace attn::simd {

namespace series {
constexpr std::size_t columns = 2;  ///< sums that travel together
}  // namespace series

/// Sorted keys of one block and what they weigh.
struct SeriesBlock {
  const double* x = nullptr;
  const double* values[series::columns] = {};  ///< already times the observation weights
  std::size_t count = 0;
};

struct SeriesKernels {
  std::size_t state;  ///< doubles of a state: the real parts by column and term, then the imaginary ones
  /// state = sum_j v_j exp(-l_k |to - x_j| scale): what the block sends to a place on its left or right.
  void (*gather)(const SeriesBlock& block, double to, double scale, double* state);
  /// state *= exp(-l_k distance).
  void (*travel)(double distance, double* state);
  /// sums(i, c, r) += sign^r sum_k Re(w_k p_r(l_k) state_kc exp(-l_k |q_i - from| scale)), r < moments; sums of a query
  /// are columns * moments.
  void (*arrive)(const double* q, std::size_t queries, double from, double scale, double sign, const double* state,
                 std::size_t moments, double* sums);
  /// sums(i, c, r) += sum_j v_jc t^r exp(-t^2 / 2) over the block, t = (x_j - q_i) scale; where `itself` is set, q are
  /// the block's keys from number `itself` on, each left out of its own sum.
  void (*inside)(const SeriesBlock& block, const double* q, std::size_t queries, const std::size_t* itself,
                 double scale, std::size_t moments, double* sums);
};

/// isa must be available here (available_isas()).
const SeriesKernels& series_kernels(Isa isa) noexcept;
const SeriesKernels& moment_kernels(Isa isa) noexcept;

}  // namespace attn::simd
