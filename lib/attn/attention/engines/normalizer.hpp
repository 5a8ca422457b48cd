#pragma once
// From scores to weights: the normalisers, over one row of scores in place.

#include <attn/attention/parameters.hpp>

#include <cstddef>
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

}  // namespace attn
