#pragma once
// Softmax weights of single rows in vectors, for writing weights and selecting the largest.

#include <attn/attention/problem.hpp>
#include <attn/simd/kernels.hpp>

#include <vector>

namespace attn {

/// Turns scores into weights, like scores_to_weights() under softmax, with softcap, bias, masks and sinks of the
/// problem.
template <class T>
class RowSoftmax {
 public:
  enum class Outcome {
    weights,
    empty,  ///< all keys are excluded: all weights are 0
    beyond  ///< numbers exceeded the range of f32: the row must be computed in f64
  };

  RowSoftmax(const AttentionProblem& problem, Isa isa);

  /// score_j (S): plain scores of that query, weights afterwards.
  Outcome operator()(const QueryRow& at, T* score_j);

 private:
  const AttentionProblem& problem_;
  const simd::AttentionKernels<T>& kernels_;
  std::vector<T> row_, bias_;  ///< (S, padded to vectors)
};

extern template class RowSoftmax<float>;
extern template class RowSoftmax<double>;

}  // namespace attn
