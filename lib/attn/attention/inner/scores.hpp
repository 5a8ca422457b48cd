#pragma once
// The maps and the gradients of scores, in double. Each score is a(q, k) = scale * pair(phi(q), psi(k)): phi and psi
// are the parts that are computed once for a query or a key, and the engines compute pair() in vectors.

#include <attn/attention/problem.hpp>

#include <cmath>

namespace attn {

/// An element of any storage type as a double.
inline double real(double x) noexcept { return x; }
inline double real(float x) noexcept { return x; }
inline double real(Float16 x) noexcept { return to_float(x); }
inline double real(BFloat16 x) noexcept { return to_float(x); }

/// The width of phi(q) and psi(k): h for additive scores, d_k for bilinear ones, d for the others.
std::size_t pair_width(const ScoreRule& rule, const AttentionSizes& sizes) noexcept;

/// out (pair_width) = phi(q): M^T q, W_q q, q / |q|, q / h or q itself.
void phi(const ScoreRule& rule, const AttentionSizes& sizes, const double* q, double* out) noexcept;
/// out (pair_width) = psi(k): W_k k, k / |k|, k / h or k itself.
void psi(const ScoreRule& rule, const AttentionSizes& sizes, const double* k, double* out) noexcept;

/// The gradient by what a score has in addition to queries and keys. Row-major; no elements: the score has none.
struct ScoreGradient {
  std::vector<double> pair;          ///< additive: w_v (h); gaussian and kernel: the bandwidth of each coordinate (d)
  std::vector<double> query_matrix;  ///< additive: W_q (h, d_q); bilinear: M (d_q, d_k)
  std::vector<double> key_matrix;    ///< additive: W_k (h, d_k)

  ScoreGradient() = default;
  /// Zeros.
  ScoreGradient(const ScoreRule& rule, const AttentionSizes& sizes);
  ScoreGradient& operator+=(const ScoreGradient& other);
};

/// For the cotangent ds of scale * pair(phi_q, psi_k): adds the gradients by phi(q), psi(k), (pair_width), and by the
/// parameters of the pair. At distance 0, where triangular and laplace have a corner, the gradient is 0.
void add_pair_vjp(const ScoreRule& rule, double ds, const double* phi_q, const double* psi_k, std::size_t width,
                  double* dphi, double* dpsi, ScoreGradient& gradient) noexcept;
/// From the gradient dphi by phi(q): dq, and the part of the matrix of phi. Nothing is read where dphi is 0, so that
/// NaN in a query without keys has no effect.
void phi_vjp(const ScoreRule& rule, const AttentionSizes& sizes, const double* q, const double* dphi, double* dq,
             ScoreGradient& gradient) noexcept;
/// The same for psi(k).
void psi_vjp(const ScoreRule& rule, const AttentionSizes& sizes, const double* k, const double* dpsi, double* dk,
             ScoreGradient& gradient) noexcept;

/// c tanh(s / c); s itself for c = 0. Source: Bello et al. 2017; Gemma 2, 2024.
template <class T>
T softcapped(T s, T c) noexcept {
  return c == 0 ? s : c * std::tanh(s / c);
}

}  // namespace attn
