#pragma once
// Names of the smoothing kernels. Apart from what is done with them, so that sources compiled for an instruction set
// can include it.

#include <cstdint>

namespace attn {

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

}  // namespace attn
