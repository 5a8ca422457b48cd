#pragma once
// What the running state of a row comes to when all keys have been seen.

#include <attn/attention/engines/engine.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

namespace attn {

/// The maximum and total of a row, joined by the sink of its head where there is one: a logit that takes its share of
/// the total.
class RowTotal {
 public:
  RowTotal(const AttentionProblem& problem, std::size_t h, double maximum, double total);

  /// No key took part, or under `sum` the total is 0.
  bool is_empty() const noexcept { return is_empty_; }
  /// Weights exp(s - maximum), and values pooled by them, times this are those of the normaliser. Not of an empty row.
  double factor() const noexcept { return keep_ / sum_; }
  /// log sum_j exp(s_j), sink included, 0 without a softmax; -inf for an empty row.
  double lse() const noexcept;

 private:
  bool is_softmax_, is_empty_;
  double top_, sum_, keep_ = 1;
};

/// Scores of a row of f32 went beyond its range, so that f64 gives another result: the maximum or the total is no
/// number, or all scores became -inf although keys take part.
bool scores_are_beyond(const AttentionProblem& problem, const QueryRow& at, float maximum, float total);

}  // namespace attn

namespace attn::fused {

/// Are all n numbers finite?
inline bool are_finite(const float* x, std::size_t n) {
  // The bits of magnitudes are ordered like the magnitudes, so a difference is negative if one is not finite. A loop
  // over integers vectorises for every instruction set.
  constexpr std::int32_t largest = 0x7f7fffff, magnitude = 0x7fffffff;
  std::int32_t left = 0;
  for (std::size_t c = 0; c < n; ++c) {
    std::int32_t bits;
    std::memcpy(&bits, x + c, sizeof bits);
    left |= largest - (bits & magnitude);
  }
  return left >= 0;
}

/// Writes rows of the result, computed in T, as Out.
template <class T, class Out = T>
class RowFinisher {
 public:
  RowFinisher(const AttentionProblem& problem, const AttentionOutputs& outputs)
      : problem_(problem), outputs_(outputs) {}

  /// pooled (d_v): values times the weights exp(s - maximum), whose sum is `total`.
  void operator()(const QueryRow& at, T maximum, T total, const T* pooled) {
    const AttentionSizes& n = problem_.sizes;
    if constexpr (std::is_same_v<T, float>) {
      const bool notes = outputs_.beyond != nullptr;
      if (notes && (scores_are_beyond(problem_, at, maximum, total) || !are_finite(pooled, n.value_width)))
        return beyond_.push_back(at);
    }
    Out* const out = static_cast<Out*>(outputs_.output) + static_cast<std::ptrdiff_t>(at.b) * outputs_.strides[0] +
                     static_cast<std::ptrdiff_t>(at.h) * outputs_.strides[1] +
                     static_cast<std::ptrdiff_t>(at.i) * outputs_.strides[2];
    const RowTotal row(problem_, at.h, maximum, total);
    if (row.is_empty()) {
      ++empty_rows_;
      const Out filler = problem_.empty == EmptyRows::nan ? std::numeric_limits<Out>::quiet_NaN() : Out(0);
      std::fill_n(out, n.value_width, filler);
    } else {
      const T factor = static_cast<T>(row.factor());
      // Adding 0 makes every zero positive, so that its sign does not depend on the keys.
      for (std::size_t c = 0; c < n.value_width; ++c) out[c] = static_cast<Out>(pooled[c] * factor + T(0));
    }
    if (outputs_.lse != nullptr)
      static_cast<Out*>(outputs_.lse)[(at.b * n.heads + at.h) * n.queries + at.i] = static_cast<Out>(row.lse());
  }
  std::size_t empty_rows() const noexcept { return empty_rows_; }
  /// Rows that were not written because numbers exceeded the range of f32: they must be computed in f64.
  const std::vector<QueryRow>& beyond() const noexcept { return beyond_; }

 private:
  const AttentionProblem& problem_;
  const AttentionOutputs& outputs_;
  std::size_t empty_rows_ = 0;
  std::vector<QueryRow> beyond_;
};

}  // namespace attn::fused
