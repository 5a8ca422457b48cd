#include <attn/attention/engines/normalizer.hpp>

#include <attn/attention/engines/best_keys.hpp>
#include <attn/core/infinity.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn {
namespace {

template <class T>
bool attended(T score) noexcept {
  return score != -std::numeric_limits<T>::infinity();
}

template <class T>
RowSummary softmax(const WeightRule& rule, T* row, std::size_t n) {
  double top = rule.sink.value_or(-infinity);
  for (std::size_t j = 0; j < n; ++j) top = std::max(top, static_cast<double>(row[j]));
  double total = rule.sink ? std::exp(*rule.sink - top) : 0;
  for (std::size_t j = 0; j < n; ++j) {
    row[j] = attended(row[j]) ? std::exp(static_cast<T>(row[j] - top)) : T(0);
    total += row[j];
  }
  for (std::size_t j = 0; j < n; ++j) row[j] = static_cast<T>(row[j] / total);
  return {top + std::log(total), false};
}

template <class T>
RowSummary linear(const WeightRule& rule, T* row, std::size_t n) {
  double total = 0;
  for (std::size_t j = 0; j < n; ++j) {
    if (!attended(row[j]))
      row[j] = 0;
    else if (rule.exponentiate)
      row[j] = std::exp(row[j]);
    total += row[j];
  }
  if (rule.normalize == Normalize::none) return {0, false};
  if (total == 0) {
    std::fill(row, row + n, T(0));
    return {-infinity, true};
  }
  for (std::size_t j = 0; j < n; ++j) row[j] = static_cast<T>(row[j] / total);
  return {0, false};
}

template <class T>
RowSummary best(const WeightRule& rule, T* row, std::size_t n) {
  const std::size_t top = *best_key(row, n);
  const T score = row[top];
  std::fill(row, row + n, std::isnan(score) ? std::numeric_limits<T>::quiet_NaN() : T(0));
  if (rule.is_kernel && score == 0) return {-infinity, true};
  if (!std::isnan(score)) row[top] = T(1);
  return {0, false};
}

}  // namespace

template <class T>
RowSummary scores_to_weights(const WeightRule& rule, T* row, std::size_t n) {
  const auto count = std::count_if(row, row + n, [](T s) { return attended(s); });
  if (count == 0) {
    std::fill(row, row + n, T(0));
    return {-infinity, true};
  }
  switch (rule.normalize) {
    case Normalize::softmax: return softmax(rule, row, n);
    case Normalize::hard: return best(rule, row, n);
    case Normalize::uniform:
      for (std::size_t j = 0; j < n; ++j)
        row[j] = attended(row[j]) ? static_cast<T>(1.0 / static_cast<double>(count)) : T(0);
      return {0, false};
    case Normalize::sum:
    case Normalize::none: break;
  }
  return linear(rule, row, n);
}
template RowSummary scores_to_weights<float>(const WeightRule&, float*, std::size_t);
template RowSummary scores_to_weights<double>(const WeightRule&, double*, std::size_t);

double scores_to_weights_vjp(const WeightRule& rule, const double* score, const double* weight,
                             const RowSummary& summary, double dlse, double* dw, std::size_t n) {
  const bool is_softmax = rule.normalize == Normalize::softmax, is_sum = rule.normalize == Normalize::sum;
  double mean = 0, total = 0;
  for (std::size_t j = 0; j < n; ++j) {
    if (!attended(score[j])) continue;
    if (is_softmax || is_sum) mean += weight[j] * dw[j];
    if (is_sum) total += rule.exponentiate ? std::exp(score[j]) : score[j];
  }
  for (std::size_t j = 0; j < n; ++j) {
    if (!attended(score[j])) {
      dw[j] = 0;
      continue;
    }
    switch (rule.normalize) {
      case Normalize::softmax: dw[j] = weight[j] * (dw[j] - mean + dlse); break;
      case Normalize::sum: dw[j] = (dw[j] - mean) * (rule.exponentiate ? weight[j] : 1 / total); break;
      case Normalize::none: dw[j] *= rule.exponentiate ? weight[j] : 1; break;
      case Normalize::hard:
      case Normalize::uniform: dw[j] = 0; break;
    }
  }
  return is_softmax && rule.sink ? std::exp(*rule.sink - summary.lse) * (dlse - mean) : 0;
}

}  // namespace attn
