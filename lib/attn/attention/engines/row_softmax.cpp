#include <attn/attention/engines/row_softmax.hpp>

#include <attn/attention/engines/row_result.hpp>
#include <attn/core/infinity.hpp>

#include <algorithm>

namespace attn {
template <class T>
RowSoftmax<T>::RowSoftmax(const AttentionProblem& problem, Isa isa)
    : problem_(problem), kernels_(simd::attention_kernels<T>(isa)) {
  const std::size_t width = kernels_.panel_width, columns = (problem.sizes.keys + width - 1) / width * width;
  row_.resize(columns);
  if (!problem.mask.is_ranges_only()) bias_.resize(columns);
}

template <class T>
typename RowSoftmax<T>::Outcome RowSoftmax<T>::operator()(const QueryRow& at, T* score_j) {
  const std::size_t S = problem_.sizes.keys;
  const KeyRange keys = problem_.mask.keys(at.b, at.h, at.i);
  const T* bias = nullptr;
  if (!bias_.empty() && problem_.mask.classify(at.b, at.h, at.i, at.i + 1, {0, S}) != TileKind::full) {
    problem_.mask.row(at.b, at.h, at.i, {0, S}, bias_.data());
    bias = bias_.data();
  }
  std::copy_n(score_j, S, row_.begin());
  T maximum = static_cast<T>(-infinity), total = 0, keep = 0, add = 0;
  simd::WeightRows<T> weights;
  weights.scores = row_.data();
  weights.rows = 1;
  weights.columns = row_.size();
  weights.first = &keys.first;
  weights.last = &keys.last;
  if (bias != nullptr) weights.bias = &bias;
  weights.are_shown = true;
  weights.softcap = static_cast<T>(problem_.score.softcap);
  weights.maximum = &maximum;
  weights.total = &total;
  weights.keep = &keep;
  weights.add = &add;
  kernels_.weights(weights);
  if constexpr (std::is_same_v<T, float>)
    if (scores_are_beyond(problem_, at, maximum, total)) return Outcome::beyond;
  const RowTotal row(problem_, at.h, maximum, total);
  if (row.is_empty()) {
    std::fill_n(score_j, S, T(0));
    return Outcome::empty;
  }
  kernels_.scale(row_.data(), S, static_cast<T>(row.factor()), score_j);
  return Outcome::weights;
}

template class RowSoftmax<float>;
template class RowSoftmax<double>;

}  // namespace attn
