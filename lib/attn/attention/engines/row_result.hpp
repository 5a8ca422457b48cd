#pragma once
// What the running softmax of a row comes to when all keys have been seen.

#include <attn/attention/problem.hpp>

#include <cmath>

namespace attn {

/// The maximum and total of a row, joined by the sink of its head where there is one: a logit that takes its share of
/// the total.
class RowTotal {
 public:
  RowTotal(const AttentionProblem& problem, std::size_t h, double maximum, double total);

  /// No key took part.
  bool is_empty() const noexcept { return is_empty_; }
  /// Weights exp(s - maximum), and values pooled by them, times this are those of the softmax. Not of an empty row.
  double factor() const noexcept { return keep_ / sum_; }
  /// log sum_j exp(s_j), sink included; -inf for an empty row.
  double lse() const noexcept;

 private:
  bool is_empty_;
  double top_, sum_, keep_ = 1;
};

/// Scores of a row of f32 went beyond its range, so that f64 gives another result: the maximum or the total is no
/// number, or all scores became -inf although keys take part.
bool scores_are_beyond(const AttentionProblem& problem, const QueryRow& at, float maximum, float total);

}  // namespace attn
