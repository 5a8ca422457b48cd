#pragma once
// From scores to weights: the normalisers, over one row of scores in place.
//
//     softmax   alpha_j = exp(s_j - m) / (sum_t exp(s_t - m) + exp(sink - m)),  m the maximum
//     sum       alpha_j = s_j / sum_t s_t      (of the Gaussian score exp(s_j) / sum_t exp(s_t), which is its softmax)
//     none      alpha_j = s_j                  a linear combination; exp(s_j) for the Gaussian score: the convex cone
//     hard      alpha_j = 1 for the first best key, 0 for the rest: a database query
//     uniform   alpha_j = 1 / number of attended keys: average pooling
//
// A score of -inf excludes the key: its weight is exactly 0. A NaN score that is not excluded makes the row NaN.
// Source: Vaswani et al. 2017, section 3.2.1; sinks: Xiao et al. 2024 and OpenAI's gpt-oss.

#include <attn/attention/parameters.hpp>

#include <cstddef>
#include <optional>

namespace ATTN_API attn {

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

}  // namespace attn
