// Scores of a block of rows: queries and keys as the products take them, panel by panel.

#include <attn/attention/fused_block.hpp>

#include <attn/attention/score.hpp>
#include <attn/simd/stored_matrix.hpp>

#include <algorithm>

namespace attn::fused {
namespace {

/// out_c = x_c, times factor_c where there are factors, in f64 and rounded once.
template <class To>
void widen_row(const unsigned char* row, DType dtype, std::size_t n, const double* factors, To* out) {
  const auto copy = [&](auto element) {
    const auto* x = reinterpret_cast<const decltype(element)*>(row);
    if (factors == nullptr)
      for (std::size_t c = 0; c < n; ++c) out[c] = static_cast<To>(real(x[c]));
    else
      for (std::size_t c = 0; c < n; ++c) out[c] = static_cast<To>(real(x[c]) * factors[c]);
  };
  if (dtype == DType::f64) return copy(double{});
  if (dtype == DType::f32) return copy(float{});
  if (dtype == DType::f16) return copy(Float16{});
  copy(BFloat16{});
}

}  // namespace

/// out (count, plan.query_stride) = W x of the rows x that row_at(0), row_at(1), ... begin, in f64 and rounded once.
template <class T>
template <class RowAt>
void BlockOfRows<T>::multiply(const TensorView& matrix, std::size_t count, const RowAt& row_at, T* out) {
  const std::size_t inputs = matrix.shape[1], outputs = matrix.shape[0];
  double* const products = projected_ + projected_rows * inputs;
  for (std::size_t first = 0; first < count; first += projected_rows) {
    const std::size_t rows = std::min(projected_rows, count - first);
    for (std::size_t r = 0; r < rows; ++r)
      widen_row(row_at(first + r), plan_.problem.dtype, inputs, nullptr, projected_ + r * inputs);
    multiply_stored<double>(matrix, strided<const double, 2>(projected_, {rows, inputs}),
                            strided<double, 2>(products, {rows, outputs}), {}, plan_.alone);
    for (std::size_t r = 0; r < rows; ++r, out += plan_.query_stride)
      for (std::size_t c = 0; c < outputs; ++c) out[c] = static_cast<T>(products[r * outputs + c]);
  }
}

template <class T>
void BlockOfRows<T>::pack_queries() {
  const AttentionProblem& problem = plan_.problem;
  const std::size_t d_q = problem.sizes.query_width;
  const T factor = static_cast<T>(plan_.query_factor);
  const auto row_at = [&](std::size_t r) {
    return row_of(problem.query, block_.b, plan_.head(block_, r), plan_.query(block_, r));
  };
  const bool has_matrix = plan_.query_matrix.rank() != 0;
  if (has_matrix) multiply(plan_.query_matrix, block_.rows(), row_at, queries_);
  for (std::size_t r = 0; r < block_.rows(); ++r) {
    T* const packed = queries_ + r * plan_.query_stride;
    if (plan_.is_plain && problem.dtype == dtype_of_v<T> && !plan_.expands_squares) {
      plan_.kernels.scale(reinterpret_cast<const T*>(row_at(r)), d_q, factor, packed);
      continue;
    }
    if (!has_matrix) widen_row(row_at(r), problem.dtype, d_q, plan_.coordinate_factors, packed);
    if (problem.score.kind == Score::cosine) plan_.kernels.to_unit(packed, d_q);
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
  const auto row_at = [&](std::size_t j) {
    return row_of(problem.key, block_.b, block_.g, first + j - problem.first_key);
  };
  if (plan_.key_matrix.rank() != 0) {
    multiply(plan_.key_matrix, panel.count, row_at, staging_);
  } else if (plan_.coordinate_factors != nullptr) {
    for (std::size_t j = 0; j < panel.count; ++j)
      widen_row(row_at(j), problem.dtype, d_k, plan_.coordinate_factors, staging_ + j * plan_.query_stride);
  } else {
    plan_.kernels.pack_values(panel.keys, plan_.storage, panel.stride, panel.count, d_k, staging_, plan_.query_stride);
    for (std::size_t j = 0; j < panel.count && problem.score.kind == Score::cosine; ++j)
      plan_.kernels.to_unit(staging_ + j * plan_.query_stride, d_k);
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
bool BlockOfRows<T>::score_panel(const RowGroup& group, std::size_t panel, std::size_t count, T* out,
                                 std::size_t stride, T* maxima) {
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
  part.maxima = maxima;
  const Score kind = plan_.problem.score.kind;
  if (kind == Score::additive) return plan_.kernels.additive_scores(part), false;
  if (kind != Score::gaussian) return plan_.kernels.dot_scores(part), true;
  if (!plan_.expands_squares || expanded_[panel] == 0) return plan_.kernels.gaussian_scores(part), true;
  simd::ScoreGroup<T> product = part;
  product.depth = plan_.depth;
  product.factor = -2 * plan_.score_factor;
  plan_.kernels.product_scores(product);
  if (expanded_[panel] == count) return true;
  part.scores = differences_;
  part.stride = static_cast<std::ptrdiff_t>(columns);
  part.maxima = nullptr;
  plan_.kernels.gaussian_scores(part);
  const bool* const expands = expands_ + panel * columns;
  for (std::size_t r = 0; r < group.rows; ++r)
    for (std::size_t j = 0; j < count; ++j)
      if (!expands[j]) out[r * stride + j] = differences_[r * columns + j];
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
    for_groups([&](const RowGroup& group) {
      score_panel(group, panel, columns, scores_, score_stride, nullptr);
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
template bool BlockOfRows<float>::score_panel(const RowGroup&, std::size_t, std::size_t, float*, std::size_t, float*);
template bool BlockOfRows<double>::score_panel(const RowGroup&, std::size_t, std::size_t, double*, std::size_t,
                                               double*);
template void BlockOfRows<float>::scores(std::size_t, std::size_t, float*, std::size_t);
template void BlockOfRows<double>::scores(std::size_t, std::size_t, double*, std::size_t);

}  // namespace attn::fused
