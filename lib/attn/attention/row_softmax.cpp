#include <attn/attention/row_softmax.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn {
namespace {

constexpr double ln_2 = 0.69314718055994530942;

template <class T>
constexpr T infinity = std::numeric_limits<T>::infinity();

}  // namespace

template <class T>
RowSoftmax<T>::RowSoftmax(const AttentionProblem& problem, Isa isa)
    : problem_(problem), kernels_(simd::kernels(isa).attention<T>()) {
  const std::size_t width = kernels_.panel_width, columns = (problem.sizes.keys + width - 1) / width * width;
  row_.resize(columns);
  if (!problem.mask.is_ranges_only()) bias_.resize(columns);
}

/// As in the fused engine.
template <class T>
bool RowSoftmax<T>::is_beyond(const QueryRow& at, T maximum, T total) const {
  constexpr T most = std::numeric_limits<T>::max();
  if (sizeof(T) == sizeof(double)) return false;
  if (!(total <= most) || maximum > most) return true;
  if (maximum != -infinity<T>) return false;
  const KeyRange keys = problem_.mask.keys(at.b, at.h, at.i);
  for (std::size_t j = keys.first; j < keys.last; ++j)
    if (problem_.mask.attends(at.b, at.h, at.i, j)) return true;
  return false;
}

template <class T>
typename RowSoftmax<T>::Outcome RowSoftmax<T>::operator()(const QueryRow& at, T* score_j) {
  const std::size_t S = problem_.sizes.keys;
  const KeyRange keys = problem_.mask.keys(at.b, at.h, at.i);
  const auto first = static_cast<std::uint32_t>(keys.first), last = static_cast<std::uint32_t>(keys.last);
  const T* bias = nullptr;
  if (!bias_.empty() && problem_.mask.classify(at.b, at.h, at.i, at.i + 1, {0, S}) != TileKind::full) {
    problem_.mask.row(at.b, at.h, at.i, {0, S}, bias_.data());
    bias = bias_.data();
  }
  kernels_.scale(score_j, S, static_cast<T>(1 / ln_2), row_.data());  // in units of ln 2
  T maximum = -infinity<T>, total = 0, keep = 0, add = 0;
  simd::WeightRows<T> weights;
  weights.scores = row_.data();
  weights.rows = 1;
  weights.columns = row_.size();
  weights.first = &first;
  weights.last = &last;
  if (bias != nullptr) weights.bias = &bias;
  weights.softcap = static_cast<T>(problem_.score.softcap / ln_2);
  weights.maximum = &maximum;
  weights.total = &total;
  weights.keep = &keep;
  weights.add = &add;
  kernels_.weights(weights);
  if (is_beyond(at, maximum, total)) return Outcome::beyond;
  if (maximum == -infinity<T> && total == 0) {
    std::fill_n(score_j, S, T(0));
    return Outcome::empty;
  }
  double sum = total, share = 1;
  if (!problem_.sinks.empty()) {
    const double sink = problem_.sinks[at.h] / ln_2, top = std::max(static_cast<double>(maximum), sink);
    share = std::exp2(static_cast<double>(maximum) - top);
    sum = sum * share + std::exp2(sink - top);
  }
  kernels_.scale(row_.data(), S, static_cast<T>(share / sum), score_j);
  return Outcome::weights;
}

template class RowSoftmax<float>;
template class RowSoftmax<double>;

}  // namespace attn
