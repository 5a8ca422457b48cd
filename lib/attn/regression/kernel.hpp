#pragma once
// Smoothing kernels: weights that decrease with the distance between a query and a key.

#include <attn/simd/smoothing_kernel.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// The meaning of the number h. The factor kernel_scale() turns it into a half-width (compact kernels), the standard
/// deviation (Gaussian) or the decay length (Laplace).
enum class ScaleConvention : std::uint8_t {
  halfwidth,  ///< these widths themselves
  sd,         ///< the standard deviation of the kernel as a density: R's density()
  sqrt5,      ///< parabolic becomes 1 - u^2 / 5 for u < sqrt 5: Stata's and np's epanechnikov; the others as halfwidth
  ksmooth     ///< the quartiles of the kernel as a density are at +-h/4: R's ksmooth()
};

/// All kernels in the order of the table above, and their names.
const std::vector<Kernel>& all_kernels();
std::string_view name_of(Kernel kernel) noexcept;
std::string_view name_of(ScaleConvention convention) noexcept;
/// Throws Error(usage) that lists the names.
Kernel kernel_from_name(std::string_view name);

/// K(u), u >= 0; NaN stays NaN.
double kernel_weight(Kernel kernel, double u) noexcept;

/// log K(u), as a function of u squared, for the kernels that are never zero (gaussian, laplace, constant). Subtracting
/// the maximum over the keys before exponentiation keeps far queries from being empty.
double kernel_log_weight(Kernel kernel, double u_squared) noexcept;

/// -K'(u) / (u K(u)) where K(u) > 0: the derivative of K(u(q, x)) by q is K falloff (x - q) / h^2. 0 for boxcar and
/// constant, and at u = 0, where triangular and laplace have a corner.
double kernel_falloff(Kernel kernel, double u) noexcept;

/// Is K(u) = 0 beyond u = 1?
bool is_compact(Kernel kernel) noexcept;

/// The half-width (standard deviation, decay length) of h = 1 in the convention.
double kernel_scale(Kernel kernel, ScaleConvention convention) noexcept;

}  // namespace attn
