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
// pairs. Source: Jiang and Greengard 2021, "Approximating the Gaussian as a sum of exponentials and its applications to
// the fast Gauss transform".

#include <attn/core/isa.hpp>

#include <cstddef>

namespace attn::simd {

namespace series {
constexpr std::size_t terms = 20;
constexpr std::size_t columns = 2;  ///< sums that travel together
constexpr std::size_t state =
    4 * terms;  ///< doubles of a state: the real parts by column and term, then the imaginary ones
}  // namespace series

/// Sorted keys of one block and what they weigh.
struct SeriesBlock {
  const double* x = nullptr;
  const double* values[series::columns] = {};  ///< already times the observation weights
  std::size_t count = 0;
};

struct SeriesKernels {
  /// state = sum_j v_j exp(-l_k |to - x_j| scale): what the block sends to a place on its left or right.
  void (*gather)(const SeriesBlock& block, double to, double scale, double* state);
  /// state *= exp(-l_k distance).
  void (*travel)(double distance, double* state);
  /// sums(i, c) += sum_k Re(w_k state_kc exp(-l_k |q_i - from| scale)); sums of a query are stride apart.
  void (*arrive)(const double* q, std::size_t queries, double from, double scale, const double* state, double* sums,
                 std::size_t stride);
  /// sums(i, c) += sum_j v_jc exp(-((q_i - x_j) scale)^2 / 2) over the block; where `itself` is set, q are the block's
  /// keys from number `itself` on, each left out of its own sum.
  void (*inside)(const SeriesBlock& block, const double* q, std::size_t queries, const std::size_t* itself,
                 double scale, double* sums, std::size_t stride);
};

/// isa must be available here (available_isas()).
const SeriesKernels& series_kernels(Isa isa) noexcept;

}  // namespace attn::simd
