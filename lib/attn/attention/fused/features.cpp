#include <attn/attention/fused/features.hpp>

#include <attn/attention/inner/scores.hpp>
#include <attn/matrix/stored_matrix.hpp>

#include <algorithm>

namespace attn::fused {
namespace {

/// out_c = x_c, times factor_c if there are factors, in f64 and rounded once.
template <class To>
void widen_row(const unsigned char* row, DType dtype, std::size_t n, const std::vector<double>& factors, To* out) {
  const auto copy = [&](auto element) {
    const auto* x = reinterpret_cast<const decltype(element)*>(row);
    if (factors.empty())
      for (std::size_t c = 0; c < n; ++c) out[c] = static_cast<To>(real(x[c]));
    else
      for (std::size_t c = 0; c < n; ++c) out[c] = static_cast<To>(real(x[c]) * factors[c]);
  };
  if (dtype == DType::f64) return copy(double{});
  if (dtype == DType::f32) return copy(float{});
  if (dtype == DType::f16) return copy(Float16{});
  copy(BFloat16{});
}

/// Numbers of a row and of its product with the matrix.
std::size_t both_widths(const TensorView& matrix) { return matrix.rank() == 0 ? 0 : matrix.shape[0] + matrix.shape[1]; }

}  // namespace

template <class T>
Operands<T>::Operands(const Plan<T>& plan, const RowBlock& block, simd::Carver& memory) : plan_(&plan), block_(block) {
  const std::size_t panel = plan.kernels.panel_width;
  staging_ = memory.take<T>((plan.transforms_keys ? panel : 0) * plan.query_stride);
  projected_ =
      memory.take<double>(projected_rows * std::max(both_widths(plan.query_matrix), both_widths(plan.key_matrix)));
  expands_ = memory.take<bool>(plan.expands_squares ? panel : 0);
}

/// out (count, plan.query_stride) = W x of the rows x that row_at(0), row_at(1), ... begin, in f64 and rounded once.
template <class T>
template <class RowAt>
void Operands<T>::multiply(const TensorView& matrix, std::size_t count, const RowAt& row_at, T* out) const {
  const std::size_t inputs = matrix.shape[1], outputs = matrix.shape[0];
  double* const products = projected_ + projected_rows * inputs;
  for (std::size_t first = 0; first < count; first += projected_rows) {
    const std::size_t rows = std::min(projected_rows, count - first);
    for (std::size_t r = 0; r < rows; ++r)
      widen_row(row_at(first + r), plan_->problem.dtype, inputs, {}, projected_ + r * inputs);
    multiply_stored<double>(matrix, strided<const double, 2>(projected_, {rows, inputs}),
                            strided<double, 2>(products, {rows, outputs}), {}, plan_->alone);
    for (std::size_t r = 0; r < rows; ++r, out += plan_->query_stride)
      for (std::size_t c = 0; c < outputs; ++c) out[c] = static_cast<T>(products[r * outputs + c]);
  }
}

template <class T>
void Operands<T>::queries(std::size_t first, std::size_t last, T* out) const {
  const Plan<T>& plan = *plan_;
  const AttentionProblem& problem = plan.problem;
  const std::size_t d_q = problem.sizes.query_width;
  const T factor = static_cast<T>(plan.query_factor);
  const auto row_at = [&](std::size_t r) {
    return row_of(problem.query, block_.b, plan.head(block_, first + r), plan.query(block_, first + r));
  };
  const bool has_matrix = plan.query_matrix.rank() != 0;
  if (has_matrix) multiply(plan.query_matrix, last - first, row_at, out);
  for (std::size_t r = 0; r < last - first; ++r) {
    T* const packed = out + r * plan.query_stride;
    if (plan.is_plain && problem.dtype == dtype_of_v<T> && !plan.expands_squares) {
      plan.kernels.scale(reinterpret_cast<const T*>(row_at(r)), d_q, factor, packed);
      continue;
    }
    if (!has_matrix) widen_row(row_at(r), problem.dtype, d_q, plan.coordinate_powers, packed);
    if (problem.score.kind == Score::cosine) plan.kernels.to_unit(packed, d_q);
    plan.kernels.scale(packed, plan.width, factor, packed);
    if (!plan.expands_squares) continue;
    const double square = plan.kernels.square(packed, plan.weights(), plan.width);
    if (plan.differing > 0) {
      std::copy_n(packed, plan.width, packed + plan.differing);
      for (std::size_t c = 0; c < plan.width; ++c) packed[c] *= plan.pair_weights[c] * plan.pair_weights[c];
    }
    packed[plan.width] = 1;
    packed[plan.width + 1] = static_cast<T>(-0.5 * square);
  }
}

template <class T>
simd::KeyPanel Operands<T>::keys(std::size_t first, std::size_t last) const {
  const AttentionProblem& problem = plan_->problem;
  simd::KeyPanel panel;
  panel.keys = row_of(problem.key, block_.b, block_.g, first - problem.first_key);
  panel.stride = problem.key.strides[2];
  panel.storage = plan_->storage;
  panel.count = last - first;
  panel.depth = plan_->width;
  return panel;
}

/// psi of the panel's keys, from key `first` on, in the staging memory.
template <class T>
void Operands<T>::transform(simd::KeyPanel& panel, std::size_t first) const {
  const Plan<T>& plan = *plan_;
  const AttentionProblem& problem = plan.problem;
  const std::size_t d_k = problem.sizes.key_width;
  const auto row_at = [&](std::size_t j) {
    return row_of(problem.key, block_.b, block_.g, first + j - problem.first_key);
  };
  if (plan.key_matrix.rank() != 0) {
    multiply(plan.key_matrix, panel.count, row_at, staging_);
  } else if (!plan.coordinate_powers.empty()) {
    for (std::size_t j = 0; j < panel.count; ++j)
      widen_row(row_at(j), problem.dtype, d_k, plan.coordinate_powers, staging_ + j * plan.query_stride);
  } else {
    plan.kernels.pack_values(panel.keys, plan.storage, panel.stride, panel.count, d_k, staging_, plan.query_stride);
    for (std::size_t j = 0; j < panel.count && problem.score.kind == Score::cosine; ++j)
      plan.kernels.to_unit(staging_ + j * plan.query_stride, d_k);
  }
  panel.keys = staging_;
  panel.stride = static_cast<std::ptrdiff_t>(plan.query_stride);
  panel.storage = simd::Storage::full;
}

/// Adds the terms of expanded squares to the panel's keys, and selects the keys that use them.
template <class T>
void Operands<T>::expand(const simd::KeyPanel& keys) const {
  expanded_ = 0;
  for (std::size_t j = 0; j < keys.count; ++j) {
    T* const key = staging_ + j * plan_->query_stride;
    const double square = plan_->kernels.square(key, plan_->weights(), plan_->width);
    expands_[j] = square <= plan_->expanded_limit;
    expanded_ += expands_[j] ? 1 : 0;
    key[plan_->width] = static_cast<T>(-0.5 * square);
    key[plan_->width + 1] = 1;
  }
}

template <class T>
simd::KeyPanel Operands<T>::panel(std::size_t first, std::size_t last) const {
  simd::KeyPanel part = keys(first, last);
  if (plan_->transforms_keys) transform(part, first);
  if (plan_->expands_squares) expand(part);
  part.depth = plan_->depth;
  return part;
}

template class Operands<float>;
template class Operands<double>;

}  // namespace attn::fused
