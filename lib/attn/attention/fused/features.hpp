#pragma once
// The operands of products for a block of rows: phi(q) and psi(k), and the terms of expanded squares.

#include <attn/attention/fused/plan.hpp>
#include <attn/core/memory.hpp>

namespace attn::fused {

template <class T>
class Operands {
 public:
  Operands() = default;
  /// Allocates from `memory`.
  Operands(const Plan<T>& plan, const RowBlock& block, simd::Carver& memory);

  /// out (last - first, plan.query_stride): phi of the queries of these rows of the block, times the plan's factor;
  /// from plan.differing on, the coordinates from which keys are subtracted.
  void queries(std::size_t first, std::size_t last, T* out) const;

  /// Keys [first, last) in place.
  simd::KeyPanel keys(std::size_t first, std::size_t last) const;

  /// psi of at most a panel of keys, plan.depth wide, in place or in the staging memory, valid until the next call.
  simd::KeyPanel panel(std::size_t first, std::size_t last) const;

  /// Which keys of the last panel() may have their squares expanded, and how many. Only for expanded squares.
  const bool* expands() const noexcept { return expands_; }
  std::size_t expanded() const noexcept { return expanded_; }

 private:
  /// The number of queries or keys that are multiplied with a matrix at a time.
  static constexpr std::size_t projected_rows = 8;

  template <class RowAt>
  void multiply(const TensorView& matrix, std::size_t count, const RowAt& row_at, T* out) const;
  void transform(simd::KeyPanel& panel, std::size_t first) const;
  void expand(const simd::KeyPanel& keys) const;

  const Plan<T>* plan_ = nullptr;
  RowBlock block_;
  T* staging_ = nullptr;         ///< (panel, plan.query_stride): psi of keys
  double* projected_ = nullptr;  ///< (projected_rows): a row and its product with a matrix of the plan, in f64
  bool* expands_ = nullptr;      ///< (panel)
  mutable std::size_t expanded_ = 0;
};

/// scores (rows, count), `stride` apart: for keys whose squares are not expanded, replaces them by scores of
/// differences, which `differences` computes for a panel of keys.
template <class T>
void replace_products(const Plan<T>& plan, const simd::ScoreGroup<T>& differences, const bool* expands,
                      std::size_t count, T* scores, std::ptrdiff_t stride) {
  plan.kernels.gaussian_scores(differences);
  for (std::size_t r = 0; r < differences.rows; ++r, scores += stride)
    for (std::size_t j = 0; j < count; ++j)
      if (!expands[j]) scores[j] = differences.scores[r * static_cast<std::size_t>(differences.stride) + j];
}

extern template class Operands<float>;
extern template class Operands<double>;

}  // namespace attn::fused
