// Scores of a block of rows: queries and keys as the products take them, panel by panel.

#include <attn/attention/fused_block.hpp>

#include <attn/attention/score.hpp>

#include <algorithm>

namespace attn::fused {
namespace {

/// out = factor x, each product rounded once.
template <class To>
void widen_row(const unsigned char* row, DType dtype, std::size_t n, double factor, To* out) {
  const auto copy = [&](auto element) {
    const auto* from = reinterpret_cast<const decltype(element)*>(row);
    for (std::size_t c = 0; c < n; ++c) out[c] = static_cast<To>(real(from[c]) * factor);
  };
  if (dtype == DType::f64) return copy(double{});
  if (dtype == DType::f32) return copy(float{});
  if (dtype == DType::f16) return copy(Float16{});
  copy(BFloat16{});
}

}  // namespace

template <class T>
void BlockOfRows<T>::pack_queries() {
  const AttentionProblem& problem = plan_.problem;
  const std::size_t d_q = problem.sizes.query_width;
  const T factor = static_cast<T>(plan_.query_factor);
  std::vector<double> q(plan_.is_plain ? 0 : d_q), phi_q(plan_.is_plain ? 0 : plan_.width);
  for (std::size_t r = 0; r < block_.rows(); ++r) {
    const auto* const data = row_of(problem.query, block_.b, plan_.head(block_, r), plan_.query(block_, r));
    T* const packed = queries_ + r * plan_.query_stride;
    if (plan_.is_plain && problem.dtype == dtype_of_v<T> && !plan_.expands_squares) {
      plan_.kernels.scale(reinterpret_cast<const T*>(data), d_q, factor, packed);
      continue;
    }
    if (plan_.is_plain || problem.score.kind == Score::cosine) {
      widen_row(data, problem.dtype, d_q, 1, packed);
      if (problem.score.kind == Score::cosine) plan_.kernels.to_unit(packed, d_q);
    } else {
      widen_row(data, problem.dtype, d_q, 1, q.data());
      phi(problem.score, problem.sizes, q.data(), phi_q.data());
      for (std::size_t c = 0; c < plan_.width; ++c) packed[c] = static_cast<T>(phi_q[c]);
    }
    plan_.kernels.scale(packed, plan_.width, factor, packed);
    if (!plan_.expands_squares) continue;
    packed[plan_.width] = 1;
    packed[plan_.width + 1] = static_cast<T>(-0.5 * plan_.kernels.square(packed, plan_.width));
  }
}

template <class T>
simd::KeyPanel BlockOfRows<T>::key_panel(std::size_t first, std::size_t last) const {
  const AttentionProblem& problem = plan_.problem;
  simd::KeyPanel panel;
  panel.keys = row_of(problem.key, block_.b, block_.g, first - problem.first_key);
  panel.stride = problem.key.strides[2];
  panel.storage = plan_.storage;
  panel.count = last - first;
  panel.depth = plan_.width;
  return panel;
}

/// psi of the panel's keys, the first of which is key `first`, in the staging space.
template <class T>
void BlockOfRows<T>::transform(simd::KeyPanel& panel, std::size_t first) {
  const AttentionProblem& problem = plan_.problem;
  const std::size_t d_k = problem.sizes.key_width;
  if (problem.score.kind == Score::cosine || plan_.is_plain) {
    plan_.kernels.pack_values(panel.keys, plan_.storage, panel.stride, panel.count, d_k, staging_, plan_.query_stride);
    for (std::size_t j = 0; j < panel.count && !plan_.is_plain; ++j)
      plan_.kernels.to_unit(staging_ + j * plan_.query_stride, d_k);
  } else {
    std::vector<double> k(d_k), psi_k(plan_.width);
    for (std::size_t j = 0; j < panel.count; ++j) {
      widen_row(row_of(problem.key, block_.b, block_.g, first + j - problem.first_key), problem.dtype, d_k, 1,
                k.data());
      psi(problem.score, problem.sizes, k.data(), psi_k.data());
      for (std::size_t c = 0; c < plan_.width; ++c) staging_[j * plan_.query_stride + c] = static_cast<T>(psi_k[c]);
    }
  }
  panel.keys = staging_;
  panel.stride = static_cast<std::ptrdiff_t>(plan_.query_stride);
  panel.storage = simd::Storage::full;
}

/// Adds what expanded squares need to the panel's keys, and decides which of them are.
template <class T>
void BlockOfRows<T>::expand(const simd::KeyPanel& keys, std::size_t panel) {
  bool* const expands = expands_ + panel * plan_.kernels.panel_width;
  expanded_[panel] = 0;
  for (std::size_t j = 0; j < keys.count; ++j) {
    T* const key = staging_ + j * plan_.query_stride;
    const double square = plan_.kernels.square(key, plan_.width);
    expands[j] = square <= plan_.expanded_limit;
    expanded_[panel] += expands[j] ? 1 : 0;
    key[plan_.width] = static_cast<T>(-0.5 * square);
    key[plan_.width + 1] = 1;
  }
}

template <class T>
void BlockOfRows<T>::pack_panels(std::size_t key, std::size_t count, std::size_t first_panel, std::size_t last_panel) {
  const std::size_t columns = plan_.kernels.panel_width;
  for (std::size_t panel = first_panel; panel < last_panel; ++panel) {
    const std::size_t first = key + panel * columns;
    simd::KeyPanel part = key_panel(first, std::min(first + columns, key + count));
    if (plan_.transforms_keys) transform(part, first);
    if (plan_.expands_squares) expand(part, panel);
    part.depth = plan_.depth;
    plan_.kernels.pack_keys(part, keys_ + (packs_as_needed_ ? 0 : panel) * columns * plan_.depth);
  }
}

template <class T>
void BlockOfRows<T>::score_panel(const RowGroup& group, std::size_t panel, std::size_t count, T* out,
                                 std::size_t stride) {
  const std::size_t columns = plan_.kernels.panel_width;
  simd::ScoreGroup<T> part;
  part.queries = queries_ + group.first * plan_.query_stride;
  part.query_stride = static_cast<std::ptrdiff_t>(plan_.query_stride);
  part.keys = keys_ + (packs_as_needed_ ? 0 : panel) * columns * plan_.depth;
  part.rows = group.rows;
  part.depth = plan_.width;
  part.weights = plan_.additive_weights.data();
  part.factor = plan_.score_factor;
  part.scores = out;
  part.stride = static_cast<std::ptrdiff_t>(stride);
  const Score kind = plan_.problem.score.kind;
  if (kind == Score::additive) return plan_.kernels.additive_scores(part);
  if (kind != Score::gaussian) return plan_.kernels.dot_scores(part);
  if (!plan_.expands_squares || expanded_[panel] == 0) return plan_.kernels.gaussian_scores(part);
  simd::ScoreGroup<T> product = part;
  product.depth = plan_.depth;
  product.factor = -2 * plan_.score_factor;
  plan_.kernels.product_scores(product);
  if (expanded_[panel] == count) return;
  part.scores = differences_;
  part.stride = static_cast<std::ptrdiff_t>(columns);
  plan_.kernels.gaussian_scores(part);
  const bool* const expands = expands_ + panel * columns;
  for (std::size_t r = 0; r < group.rows; ++r)
    for (std::size_t j = 0; j < count; ++j)
      if (!expands[j]) out[r * stride + j] = differences_[r * columns + j];
}

template <class T>
void BlockOfRows<T>::scores(std::size_t first, std::size_t last, T* out, std::size_t out_stride) {
  const std::size_t panel_width = plan_.kernels.panel_width;
  const std::size_t panels = (last - first + panel_width - 1) / panel_width;
  if (!packs_as_needed_) pack_panels(first, last - first, 0, panels);
  for (std::size_t panel = 0; panel < panels; ++panel) {
    if (packs_as_needed_) pack_panels(first, last - first, panel, panel + 1);
    const std::size_t column = panel * panel_width, columns = std::min(panel_width, last - first - column);
    for_groups([&](const RowGroup& group) {
      score_panel(group, panel, columns, scores_, score_stride);
      for (std::size_t r = 0; r < group.rows; ++r)
        std::copy_n(scores_ + r * score_stride, columns, out + (group.first + r) * out_stride + column);
    });
  }
}

template void BlockOfRows<float>::pack_queries();
template void BlockOfRows<double>::pack_queries();
template simd::KeyPanel BlockOfRows<float>::key_panel(std::size_t, std::size_t) const;
template simd::KeyPanel BlockOfRows<double>::key_panel(std::size_t, std::size_t) const;
template void BlockOfRows<float>::transform(simd::KeyPanel&, std::size_t);
template void BlockOfRows<double>::transform(simd::KeyPanel&, std::size_t);
template void BlockOfRows<float>::expand(const simd::KeyPanel&, std::size_t);
template void BlockOfRows<double>::expand(const simd::KeyPanel&, std::size_t);
template void BlockOfRows<float>::pack_panels(std::size_t, std::size_t, std::size_t, std::size_t);
template void BlockOfRows<double>::pack_panels(std::size_t, std::size_t, std::size_t, std::size_t);
template void BlockOfRows<float>::score_panel(const RowGroup&, std::size_t, std::size_t, float*, std::size_t);
template void BlockOfRows<double>::score_panel(const RowGroup&, std::size_t, std::size_t, double*, std::size_t);
template void BlockOfRows<float>::scores(std::size_t, std::size_t, float*, std::size_t);
template void BlockOfRows<double>::scores(std::size_t, std::size_t, double*, std::size_t);

}  // namespace attn::fused
