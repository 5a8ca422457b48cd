#pragma once
// Softmax weights of single rows in vectors, for what writes weights out or picks the largest.

#include <attn/attention/problem.hpp>
#include <attn/simd/attention.hpp>

#include <vector>

namespace attn {

/// Scores to weights, as scores_to_weights() under softmax, with softcap, bias, masks and sinks of the problem.
template <class T>
class RowSoftmax {
 public:
  enum class Outcome {
    weights,
    empty,  ///< no key takes part: all weights are 0
    beyond  ///< numbers went beyond the range of f32: f64 has to do the row
  };

  RowSoftmax(const AttentionProblem& problem, Isa isa);

  /// score_j (S): plain scores of that query, weights afterwards.
  Outcome operator()(const QueryRow& at, T* score_j);

 private:
  const AttentionProblem& problem_;
  const simd::AttentionKernels<T>& kernels_;
  std::vector<T> row_, bias_;  ///< (S, filled up to vectors)
};

extern template class RowSoftmax<float>;
extern template class RowSoftmax<double>;

}  // namespace attn
