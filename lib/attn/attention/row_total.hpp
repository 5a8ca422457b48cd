#pragma once
// The result of a row's running softmax after all keys.

#include <attn/attention/problem.hpp>

#include <cmath>

namespace attn {

/// The maximum and total of a row, including the sink of its head, a logit in the denominator, if there is one.
class RowTotal {
 public:
  RowTotal(const AttentionProblem& problem, std::size_t h, double maximum, double total);

  /// Were all keys excluded?
  bool is_empty() const noexcept { return is_empty_; }
  /// The factor from weights exp(s - maximum), and values pooled by them, to those of the softmax. Not for an empty
  /// row.
  double factor() const noexcept { return keep_ / sum_; }
  /// log sum_j exp(s_j), sink included; -inf for an empty row.
  double lse() const noexcept;

 private:
  bool is_empty_;
  double top_, sum_, keep_ = 1;
};

/// Did scores of a row of f32 exceed its range, so that f64 gives another result? Then the maximum or the total is NaN,
/// or all scores became -inf although not all keys are excluded.
bool scores_are_beyond(const AttentionProblem& problem, const QueryRow& at, float maximum, float total);

}  // namespace attn
