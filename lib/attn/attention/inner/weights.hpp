#pragma once
// From scores to weights: the normalisers over one row of scores in place, and rows of every stage.

#include <attn/attention/inner/engine.hpp>
#include <attn/attention/parameters.hpp>
#include <attn/core/source_sink.hpp>

#include <cstddef>
#include <memory>
#include <optional>

namespace attn {

/// The parameters that all rows of a head share.
struct WeightRule {
  Normalize normalize = Normalize::softmax;
  bool exponentiate = false;   ///< with none: the score is the logarithm of the weight
  bool is_kernel = false;      ///< with hard: a score of 0 means that the kernel does not reach the key
  std::optional<double> sink;  ///< a logit that joins the denominator and pools nothing
};

struct RowSummary {
  double lse = 0;      ///< of a softmax log sum_j exp(s_j), sink included, else 0; -inf for an empty row
  bool empty = false;  ///< no key is left, the sum of the weights is 0, or no key is in the kernel's width: all are 0
};

/// Turns the n scores of one query into weights, in place. T is float or double; sums are in double.
template <class T>
RowSummary scores_to_weights(const WeightRule& rule, T* row, std::size_t n);

/// From the cotangent dw of the n weights of a row that is not empty to the cotangent of its scores, in place:
///
///     softmax   ds_j = alpha_j (dw_j - sum_t alpha_t dw_t + dlse)
///     sum       ds_j = (dw_j - sum_t alpha_t dw_t) / sum_t s_t
///     none      ds_j = dw_j, times alpha_j for the Gaussian score
///     hard, uniform   0
///
/// It is 0 for an excluded key, whose dw is not read. dlse is the cotangent of the log-sum-exp. Returns the gradient by
/// the sink.
double scores_to_weights_vjp(const WeightRule& rule, const double* score, const double* weight,
                             const RowSummary& summary, double dlse, double* dw, std::size_t n);

// Rows of scores and weights, computed a few at a time on request: --emit writes them without holding L x S numbers.

/// How head h of the problem turns scores into weights.
WeightRule weight_rule(const AttentionProblem& problem, std::size_t h);

/// x (b, h, first .. last, :) in f64, as a tensor of one head.
TensorView widened_rows(const TensorView& x, std::size_t b, std::size_t h, std::size_t first, std::size_t last);

/// The key nearest to a query among those that are not excluded, by distance for kernels, else by score; none if all
/// are excluded.
std::optional<std::size_t> nearest_key(const AttentionProblem& problem, const AttentionEngine& engine, Isa isa,
                                       std::size_t b, std::size_t h, std::size_t i);

/// Queries [first, last) of one head at that stage: out (last - first, S), contiguous. T is problem.compute, or double:
/// rows of f32 whose scores exceed its range are computed in double and rounded at the end.
template <class T>
void compute_rows(const AttentionProblem& problem, const AttentionEngine& engine, Isa isa, Stage stage, std::size_t b,
                  std::size_t h, std::size_t first, std::size_t last, T* out);

/// The `top` largest weights of each query, largest first, ties by key, and their keys; 0 and -1 if fewer are left.
/// weights (B, H, L, top), problem.compute elements; keys the same shape.
void top_weights(const AttentionProblem& problem, const AttentionEngine& engine, const Execution& execution,
                 std::size_t top, void* weights, std::int64_t* keys);

/// All rows at that stage as `dtype` and in `shape`, which has B H L S elements, computed while they are written.
TensorProducer produce_rows(std::shared_ptr<const AttentionProblem> problem, const AttentionEngine& engine,
                            const Execution& execution, Stage stage, DType dtype, Shape shape);

}  // namespace attn
