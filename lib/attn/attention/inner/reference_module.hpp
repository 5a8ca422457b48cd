#pragma once
// What the module libattn-reference.so computes of attention: some queries of one head against all its keys.

#include <attn/attention/problem.hpp>

namespace attn::reference {

/// All matrices in f64, row-major without gaps. Letters as in attention/shapes.hpp.
struct Head {
  std::size_t L = 0, S = 0, d_q = 0, d_k = 0, d_v = 0;
  const double *query = nullptr, *key = nullptr, *value = nullptr;  ///< (L, d_q), (S, d_k), (S, d_v)
  const ScoreRule* score = nullptr;
};

/// Which keys the queries see, and what is added to their scores.
struct Masks {
  const Mask::Parts* parts = nullptr;  ///< (L)
  const bool* passes = nullptr;        ///< (L, S)
  const double* bias = nullptr;        ///< (L, S)
};

struct Normaliser {
  Normalize kind = Normalize::softmax;
  double sink = 0;            ///< of the head; -infinity: none
  double empty = 0;           ///< what a query without keys yields
  bool is_logarithm = false;  ///< of the weights: the scores, where nothing but `none` and `sum` would say so
  bool is_kernel = false;     ///< a score of 0 reaches no key
};

/// The results of each query.
struct Results {
  double* output = nullptr;  ///< (L, d_v)
  double* lse = nullptr;     ///< (L); -infinity: no key was left
};

/// Cotangents of the results.
struct Cotangents {
  const double* output = nullptr;   ///< (L, d_v)
  const double* weights = nullptr;  ///< (L, S), or null
  const double* lse = nullptr;      ///< (L), or null
};

/// Gradients, written.
struct HeadGradient {
  double *query = nullptr, *key = nullptr, *value = nullptr;               ///< as in Head
  double* scores = nullptr;                                                ///< (L, S): of what is added to the scores
  double* lse = nullptr;                                                   ///< (L), as in Results
  double* sink = nullptr;                                                  ///< one number
  double *pair = nullptr, *query_matrix = nullptr, *key_matrix = nullptr;  ///< as in ScoreGradient
};

/// What the module exports as attn_reference_attention. false: out of memory.
struct AttentionFunctions {
  bool (*scores)(const Head&, double* out) noexcept;  ///< (L, S), after scale, before softcap, bias and masks
  bool (*attend)(const Head&, const Masks&, const Normaliser&, const Results&) noexcept;
  bool (*vjp)(const Head&, const Masks&, const Normaliser&, const Cotangents&, const HeadGradient&) noexcept;
};

}  // namespace attn::reference
