#pragma once
// The backward pass of attention: from the cotangents of the results to the gradients of everything that went in.
//
//     dw_ij = dy_i.v_j + the cotangent of w_ij          dv_j = sum_i w_ij dy_i
//     ds_ij: scores_to_weights_vjp()                    dbias_ij = ds_ij, times 1 - tanh^2 behind the softcap
//     dphi(q_i) = sum_j ds_ij da/dphi                   dpsi(k_j) = sum_i ds_ij da/dpsi: add_pair_vjp()
//
// Query rows are cut into tasks of task_rows rows that share a key-value head. Each task adds up its own gradients of
// keys, values, biases and parameters; the sums of tasks are added in their order. So the bits do not depend on the
// number of threads.
//
// Source: Dao et al. 2022, appendix B.2.

#include <attn/attention/fused/plan.hpp>
#include <attn/attention/inner/reference_module.hpp>
#include <attn/attention/inner/scores.hpp>
#include <attn/attention/problem.hpp>

#include <optional>
#include <vector>

namespace attn {

/// The cotangents of the results: (B, H, L, d_v), (B, H, L, S) and (B, H, L), with any strides.
struct AttentionCotangents {
  TensorView output;
  std::optional<TensorView> weights, lse;
};

/// What forward made: (B, H, L, d_v) with any strides and (B, H, L), contiguous, of the type that it computes in.
struct AttentionForward {
  TensorView output, lse;
};

/// The gradient by heads (B, H, S, d): zeros, in memory in the order of these heads.
class HeadsGradient {
 public:
  HeadsGradient(const TensorView& heads, DType dtype);

  const TensorView& view() const noexcept { return view_; }
  std::size_t row_stride() const noexcept { return static_cast<std::size_t>(view_.strides[2]); }
  /// Row i of head h in batch b.
  template <class A>
  A* row(std::size_t b, std::size_t h, std::size_t i) {
    return static_cast<A*>(memory_.data()) + static_cast<std::ptrdiff_t>(b) * view_.strides[0] +
           static_cast<std::ptrdiff_t>(h) * view_.strides[1] + static_cast<std::ptrdiff_t>(i) * view_.strides[2];
  }

 private:
  Tensor memory_;
  TensorView view_;
};

/// The gradients, of the type that they are added in; all but those by heads are contiguous.
struct AttentionGradients {
  HeadsGradient query, key, value;  ///< (B, H, L, d_q), (B, H_kv, S, d_k), (B, H_kv, S, d_v)
  std::vector<Tensor> biases;       ///< of Mask::biases(), in their shapes with 1 for each axis that broadcasts
  std::vector<double> sinks;        ///< (H), or none
  ScoreGradient score;

  /// Zeros.
  AttentionGradients(const AttentionProblem& problem, bool has_biases, DType dtype);
};

/// The sums of one task, whose rows share a key-value head.
template <class A>
struct GradientSums {
  HeadsGradient* query = nullptr;                ///< whose rows are written
  A* key = nullptr;                              ///< (S, d_k), added to
  A* value = nullptr;                            ///< (S, d_v), added to
  std::size_t key_stride = 0, value_stride = 0;  ///< from row to row
  A* scores = nullptr;        ///< (rows, S): what is added to the scores; zeros before; null: not requested
  std::vector<double> sinks;  ///< (heads of the group), or none
  ScoreGradient score;
};

/// forward: if it is known; else it is computed where it is needed. wants_biases: the gradients of biases are
/// requested; they cost memory for the scores of a task.
AttentionGradients attention_vjp(const AttentionProblem& problem, const AttentionCotangents& cotangents,
                                 const std::optional<AttentionForward>& forward, bool wants_biases,
                                 const Execution& execution);

/// Gradients of some queries of one head in f64, by the formulas of the reference engine.
struct ReferenceGradient {
  std::vector<double> query, key, value;  ///< (L, d_q), (S, d_k), (S, d_v)
  std::vector<double> scores;             ///< (L, S): of what is added to the scores
  std::vector<double> lse;                ///< (L); -inf: no key was left
  double sink = 0;
  ScoreGradient score;
};

/// Queries first.i ... last of head first.h in batch first.b.
ReferenceGradient reference_vjp(const AttentionProblem& problem, const QueryRow& first, std::size_t last,
                                const reference::Cotangents& cotangents);

}  // namespace attn
