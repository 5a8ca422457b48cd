// Scores of a block of rows, panel by panel.

#include <attn/attention/engines/fused/block.hpp>

#include <algorithm>
#include <cmath>

namespace attn::fused {
namespace {

/// Scores -|u|^2 of `columns` keys become -|u|.
template <class T>
void take_roots(const simd::ScoreGroup<T>& g, std::size_t columns) {
  for (std::size_t r = 0; r < g.rows; ++r) {
    T* const row = g.scores + static_cast<std::ptrdiff_t>(r) * g.stride;
    for (std::size_t j = 0; j < columns; ++j) row[j] = -std::sqrt(-row[j]);
  }
}

}  // namespace

template <class T>
void BlockOfRows<T>::pack_panels(std::size_t key, std::size_t count, std::size_t first_panel, std::size_t last_panel) {
  const std::size_t columns = plan_.kernels.panel_width;
  for (std::size_t panel = first_panel; panel < last_panel; ++panel) {
    const std::size_t first = key + panel * columns;
    const simd::KeyPanel part = operands_.panel(first, std::min(first + columns, key + count));
    if (plan_.expands_squares) {
      std::copy_n(operands_.expands(), part.count, expands_ + panel * columns);
      expanded_[panel] = operands_.expanded();
    }
    plan_.kernels.pack_keys(part, keys_ + (packs_as_needed_ ? 0 : panel) * columns * plan_.depth);
  }
}

template <class T>
bool BlockOfRows<T>::score_panel(const RowGroup& group, std::size_t panel, std::size_t count, T* out,
                                 std::size_t stride, T* maxima) {
  const std::size_t columns = plan_.kernels.panel_width;
  simd::ScoreGroup<T> part;
  part.queries = queries_ + group.first * plan_.query_stride;
  part.query_stride = static_cast<std::ptrdiff_t>(plan_.query_stride);
  part.keys = keys_ + (packs_as_needed_ ? 0 : panel) * columns * plan_.depth;
  part.rows = group.rows;
  part.depth = plan_.width;
  part.weights = plan_.weights();
  part.factor = plan_.score_factor;
  part.scores = out;
  part.stride = static_cast<std::ptrdiff_t>(stride);
  part.maxima = maxima;
  const Score kind = plan_.problem.score.kind;
  if (kind == Score::additive) return plan_.kernels.additive_scores(part), false;
  if (kind != Score::gaussian) {
    (plan_.score_factor == 1 ? plan_.kernels.dot_scores : plan_.kernels.product_scores)(part);
    return true;
  }
  if (plan_.problem.score.is_root) {
    part.maxima = nullptr;
    plan_.kernels.gaussian_scores(part);
    return take_roots(part, columns), false;
  }
  simd::ScoreGroup<T> product = part;
  part.queries += plan_.differing;
  if (!plan_.expands_squares || expanded_[panel] == 0) return plan_.kernels.gaussian_scores(part), true;
  product.depth = plan_.depth;
  product.factor = -2 * plan_.score_factor;
  plan_.kernels.product_scores(product);
  if (expanded_[panel] == count) return true;
  part.scores = differences_;
  part.stride = static_cast<std::ptrdiff_t>(columns);
  part.maxima = nullptr;
  replace_products(plan_, part, expands_ + panel * columns, count, out, static_cast<std::ptrdiff_t>(stride));
  return false;
}

template <class T>
void BlockOfRows<T>::scores(std::size_t first, std::size_t last, T* out, std::size_t out_stride) {
  const std::size_t panel_width = plan_.kernels.panel_width;
  const std::size_t panels = (last - first + panel_width - 1) / panel_width;
  if (!packs_as_needed_) pack_panels(first, last - first, 0, panels);
  for (std::size_t panel = 0; panel < panels; ++panel) {
    if (packs_as_needed_) pack_panels(first, last - first, panel, panel + 1);
    const std::size_t column = panel * panel_width, columns = std::min(panel_width, last - first - column);
    for (RowGroup group = group_from(0); group.rows > 0; group = group_from(group.first + group.rows)) {
      score_panel(group, panel, columns, scores_, score_stride, nullptr);
      for (std::size_t r = 0; r < group.rows; ++r)
        std::copy_n(scores_ + r * score_stride, columns, out + (group.first + r) * out_stride + column);
    }
  }
}

template void BlockOfRows<float>::pack_panels(std::size_t, std::size_t, std::size_t, std::size_t);
template void BlockOfRows<double>::pack_panels(std::size_t, std::size_t, std::size_t, std::size_t);
template bool BlockOfRows<float>::score_panel(const RowGroup&, std::size_t, std::size_t, float*, std::size_t, float*);
template bool BlockOfRows<double>::score_panel(const RowGroup&, std::size_t, std::size_t, double*, std::size_t,
                                               double*);
template void BlockOfRows<float>::scores(std::size_t, std::size_t, float*, std::size_t);
template void BlockOfRows<double>::scores(std::size_t, std::size_t, double*, std::size_t);

}  // namespace attn::fused
