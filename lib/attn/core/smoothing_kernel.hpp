#pragma once
// Smoothing kernels: weights that decrease with the distance between a query and a key.

#include <attn/core/export.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ATTN_API attn {

/// K(u) of the scaled distance u = |q - k| / h >= 0; not normalised, K(0) = 1.
///
///     gaussian    exp(-u^2 / 2)            boxcar      1 for u <= 1 (closed)
///     triangular  max(0, 1 - u)            parabolic   max(0, 1 - u^2), the textbooks' Epanechnikov
///     biweight    max(0, 1 - u^2)^2        triweight   max(0, 1 - u^2)^3
///     tricube     max(0, 1 - u^3)^3        cosine      cos(pi u / 2) for u < 1
///     laplace     exp(-u)                  constant    1
///     epanechnikov  max(0, 1 - u): what the literature on attention means by the name; the same as triangular
///
/// Sources: Nadaraya 1964, Watson 1964; Cleveland 1979 (tricube); Wand and Jones 1995, chapter 2.
enum class Kernel : std::uint8_t {
  gaussian,
  boxcar,
  triangular,
  parabolic,
  biweight,
  triweight,
  tricube,
  cosine,
  laplace,
  constant,
  epanechnikov
};

/// What the number h measures; it becomes a half-width (compact kernels), the standard deviation (Gaussian) or the
/// decay length (Laplace) by the factor kernel_scale().
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
