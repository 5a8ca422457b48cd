#pragma once
// Bandwidths as values, in the units of x.

#include <attn/core/smoothing_kernel.hpp>
#include <attn/core/tensor.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace ATTN_API attn {

/// Maps the difference of a query and a key to the scaled distance u of a kernel.
///
///     number          u = |q - x| / h
///     per_coordinate  u = sqrt(sum_j ((q_j - x_j) / h_j)^2)
///     matrix          u = sqrt((q - x)^T H^-1 (q - x)), H symmetric and positive definite: h^2 I is the number h
///     neighbours      u = |q - x| / (distance from q to its k-th nearest key), so h adapts to each query
///
/// The kernel's own half-width (standard deviation, decay length) is h times kernel_scale(). An infinite h makes all
/// samples equally near in its coordinate, or at all.
struct Bandwidth {
  enum class Kind : std::uint8_t { number, per_coordinate, matrix, neighbours };
  Kind kind = Kind::number;
  std::vector<double> values{1.0};  ///< one, d, or d * d in row-major order; empty for `neighbours`
  std::size_t neighbours = 0;       ///< k, >= 1

  static Bandwidth number(double h) { return {Kind::number, {h}, 0}; }
  static Bandwidth per_coordinate(std::vector<double> h) { return {Kind::per_coordinate, std::move(h), 0}; }
  static Bandwidth matrix(std::vector<double> h) { return {Kind::matrix, std::move(h), 0}; }
  static Bandwidth nearest(std::size_t k) { return {Kind::neighbours, {}, k}; }
};

/// A bandwidth for d coordinates from a tensor: one number, d numbers, or (d, d). Throws Error(data) that names the
/// tensor for another shape.
Bandwidth bandwidth_from_tensor(const TensorView& tensor, std::size_t d);

/// Throws Error(usage) unless every width is infinite or between 1e-307 and 1e307, so that it has an inverse, a matrix
/// is symmetric and positive definite, k is in [1, candidates], and the count of numbers fits d coordinates. `what`
/// names the candidates in the message.
void check_bandwidth(const Bandwidth& bandwidth, std::size_t d, std::size_t candidates, const char* what = "samples");

/// "0.5", "0.5,2", "knn:10"; a matrix as its rows, "1,0.2;0.2,2".
std::string to_string(const Bandwidth& bandwidth);

/// Silverman's rule per coordinate for a Gaussian, h_j = min(sd_j, IQR_j / 1.349) (4 / ((d + 2) n))^(1/(d + 4)), times
/// the ratio of canonical bandwidths, which gives another kernel the same smoothing (Marron and Nolan 1988).
///
/// x  (n) or (n, d)
/// throws Error(data) naming the coordinate that is constant
/// source  Silverman 1986, eq. 3.31 and 4.14
Bandwidth rule_of_thumb(const TensorView& x, Kernel kernel, ScaleConvention convention = ScaleConvention::halfwidth);

/// The lower triangle L, row-major, with H = L L^T; empty if H (d, d) is not positive definite.
std::vector<double> cholesky(const std::vector<double>& h, std::size_t d);

}  // namespace attn
