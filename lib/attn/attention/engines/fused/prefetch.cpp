#include <attn/attention/engines/fused/prefetch.hpp>

#include <algorithm>

namespace attn::fused {

void FetchAhead::add(const TensorView& x, std::size_t b, std::size_t h, std::size_t first, std::size_t rows) {
  if (rows == 0 || count_ == regions_.size()) return;
  const auto size = static_cast<std::ptrdiff_t>(element_size(x.dtype));
  regions_[count_++] = {row_of(x, b, h, first), x.strides[2] * size, rows, x.shape[3] * element_size(x.dtype)};
}

template <class T>
FetchAhead::FetchAhead(const Plan<T>& plan, const RowBlock& current, const RowBlock& next, std::size_t steps) {
  const AttentionProblem& problem = plan.problem;
  if (next.b != current.b || next.g != current.g) {
    add(problem.key, next.b, next.g, 0, problem.block_keys());
    add(problem.value, next.b, next.g, 0, problem.block_keys());
  }
  for (std::size_t row = 0; row < next.rows();) {
    const std::size_t query = plan.query(next, row), rows = std::min(next.rows() - row, problem.sizes.queries - query);
    add(problem.query, next.b, plan.head(next, row), query, rows);
    row += rows;
  }
  std::size_t lines = 0;
  for (std::size_t at = 0; at < count_; ++at) lines += regions_[at].rows * (regions_[at].bytes / line + 1);
  lines_of_step_ = lines / std::max<std::size_t>(steps, 1) + 1;
}

simd::LinesAhead FetchAhead::part(std::size_t left) noexcept {
  std::size_t rows = 0;
  for (std::size_t at = at_; at < count_; ++at) rows += regions_[at].rows;
  if (rows == 0) return {};
  Region& region = regions_[at_];
  rows = std::min(rows / std::max<std::size_t>(left, 1) + 1, region.rows);
  const simd::LinesAhead part{region.row, region.stride, region.bytes, rows};
  region.row += static_cast<std::ptrdiff_t>(rows) * region.stride;
  region.rows -= rows;
  if (region.rows == 0) ++at_;
  return part;
}

template FetchAhead::FetchAhead(const Plan<float>&, const RowBlock&, const RowBlock&, std::size_t);
template FetchAhead::FetchAhead(const Plan<double>&, const RowBlock&, const RowBlock&, std::size_t);

}  // namespace attn::fused
