#pragma once
// The scores of a query and a key, in double, written like the formulas. The fast engines compute the same in vectors.
//
//     scaled-dot   a(q, k) = q.k / sqrt(d)                    Vaswani et al. 2017, eq. 1
//     dot          a(q, k) = q.k
//     cosine       a(q, k) = q.k / (|q| |k|)                  0 where either is the zero vector
//     bilinear     a(q, k) = q^T M k                          Luong et al. 2015, "general"
//     additive     a(q, k) = w_v . tanh(W_q q + W_k k)        Bahdanau et al. 2015
//     gaussian     a(q, k) = -sum_c ((q_c - k_c) / h_c)^2 / 2   Nadaraya 1964, Watson 1964
//     kernel       a(q, k) = K(|(q - k) / h|)                 a weight, not a logit; formulas in
//     core/smoothing_kernel.hpp;
//                                                         of Laplace its logarithm, where that is enough
//
// Each is a(q, k) = scale * pair(phi(q), psi(k)): phi and psi are the parts that are computed once for a query or a
// key.

#include <attn/attention/problem.hpp>

#include <cmath>

namespace ATTN_API attn {

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
/// scale * pair(phi(q), psi(k)), before the softcap.
double pair_score(const ScoreRule& rule, const double* phi_q, const double* psi_k, std::size_t width) noexcept;

/// The score of a smoothing kernel, from the squared distance between phi(q) and psi(k).
double kernel_score(const ScoreRule& rule, double square) noexcept;

/// c tanh(s / c); s itself for c = 0. Source: Bello et al. 2017; Gemma 2, 2024.
template <class T>
T softcapped(T s, T c) noexcept {
  return c == 0 ? s : c * std::tanh(s / c);
}

}  // namespace attn
