#include <attn/attention/engines/fused/masks.hpp>

namespace attn::fused {

template <class T>
RowMasks<T>::RowMasks(const Plan<T>& plan, const RowBlock& block, KeyRange* ranges, T* bias)
    : plan_(&plan), block_(block), ranges_(ranges), bias_(bias) {
  for (std::size_t r = 0; r < block.rows(); ++r) {
    const KeyRange keys = plan.problem.mask.keys(block.b, plan.head(block, r), plan.query(block, r));
    ranges_[r] = keys;
    if (keys.first < keys.last) used_ = {std::min(used_.first, keys.first), std::max(used_.last, keys.last)};
  }
}

template <class T>
KeyRange RowMasks<T>::keys(KeyRange among) const {
  KeyRange all{among.last, among.first};
  if (used_.last <= among.first || among.last <= used_.first) return all;
  for (std::size_t r = 0; r < block_.rows(); ++r) {
    const KeyRange row = clamped(ranges_[r], among);
    if (row.first >= row.last) continue;
    all.first = std::min(all.first, row.first);
    all.last = std::max(all.last, row.last);
  }
  return all;
}

template <class T>
TileKind RowMasks<T>::classify(const RowGroup& group, KeyRange keys) const {
  const Mask& mask = plan_->problem.mask;
  if (mask.is_ranges_only()) return TileKind::full;  // except for the ranges of the rows
  const std::size_t head = plan_->head(block_, group.first);
  if (plan_->head(block_, group.first + group.rows - 1) != head) return TileKind::partial;
  const std::size_t query = plan_->query(block_, group.first);
  return mask.classify(block_.b, head, query, query + group.rows, keys);
}

template <class T>
void RowMasks<T>::fetch_biases(const RowGroup& group, KeyRange keys) const {
  for (std::size_t r = 0; r < group.rows; ++r) {
    const std::size_t row = group.first + r;
    plan_->problem.mask.row(block_.b, plan_->head(block_, row), plan_->query(block_, row), keys, bias_ + r * key_block);
  }
}

template <class T>
KeySpan RowMasks<T>::span(const RowGroup& group, std::size_t key, std::size_t count) const {
  KeySpan span;
  span.first = count;
  for (std::size_t r = 0; r < group.rows; ++r) {
    const KeyRange row = clamped(ranges_[group.first + r], {key, key + count});
    if (row.first >= row.last) continue;
    span.first = std::min(span.first, row.first - key);
    span.last = std::max(span.last, row.last - key);
  }
  if (span.first < span.last) span.kind = classify(group, {key + span.first, key + span.last});
  return span;
}

template class RowMasks<float>;
template class RowMasks<double>;

}  // namespace attn::fused
