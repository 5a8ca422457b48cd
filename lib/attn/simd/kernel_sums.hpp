#pragma once
// Kernels for sums of smoothing weights over pairs: what is compiled once per instruction set.

#include <attn/core/isa.hpp>
#include <attn/core/smoothing_kernel.hpp>

#include <cstddef>
#include <cstdint>

namespace attn::simd {

/// The keys of a sum, as columns.
struct SmoothingKeys {
  const double* const* x = nullptr;  ///< d columns
  std::size_t d = 0;
  const double* scale = nullptr;    ///< (d): u = |scale (q - x)|
  const double* stretch = nullptr;  ///< (d) of polynomials; null: scale
  const double* weight = nullptr;   ///< of the observations, or null: all one
  const double* const* values = nullptr;
  std::size_t columns = 0;    ///< of values
  double slack = 0;           ///< squares u^2 this near 1 are 1, the border of the kernels of finite width
  bool is_isotropic = false;  ///< all scales are the same and neither their squares nor 1 / them overflow
};

struct SmoothingKernels {
  /// sums(q, :) += sum over keys [begin, end) of K(u) weight [1, values], for `queries` rows q of d coordinates, sums
  /// of 1 + columns. The bits of a row depend on begin and end, never on the rows beside it.
  void (*add)(const SmoothingKeys& keys, Kernel kernel, const double* q, std::size_t queries, std::size_t begin,
              std::size_t end, double* sums);
  /// Polynomials of degree p = 1 or 2 at one query of 2 to 4 coordinates: w = K(|u|) weight, u = scale (x - q), over
  /// the keys [begin, end) of runs (count, 2). Monomials z_0^a z_1^b ... of z = stretch (x - q) are ordered by
  /// ascending (a, b, ...).
  ///
  /// sums += w times the monomials up to order 2p, then w v times those up to order p, v = values[column].
  void (*add_moments)(const SmoothingKeys& keys, Kernel kernel, std::size_t degree, const double* q,
                      const std::uint32_t* runs, std::size_t count, std::size_t column, double* sums);
  /// The sum of (w a(z))^2 with the coefficients of the polynomial a.
  double (*sum_squares)(const SmoothingKeys& keys, Kernel kernel, std::size_t degree, const double* q,
                        const std::uint32_t* runs, std::size_t count, const double* coefficients);
};

/// isa must be available here (available_isas()).
const SmoothingKernels& smoothing_kernels(Isa isa) noexcept;

}  // namespace attn::simd
