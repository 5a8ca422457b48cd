#include <attn/attention/engines/fused/leaves.hpp>

#include <cmath>

namespace attn::fused {

std::vector<std::size_t> WideLeaves::rows_beyond(const RowBlock& block, const KeyRange& leaf,
                                                 const AddedRows<float>& rows) const {
  std::vector<std::size_t> beyond;
  for (std::size_t r = 0; r < block.rows(); ++r) {
    const double squares =
        plan_.kernels.square(rows.output + r * rows.stride, nullptr, plan_.problem.sizes.value_width);
    if (!std::isfinite(squares) ||
        scores_are_beyond(plan_.problem, query_row(plan_, block, r), leaf, rows.maximum[r], rows.total[r]))
      beyond.push_back(r);
  }
  return beyond;
}

void WideLeaves::compute(const RowBlock& block, const KeyRange& leaf, const std::vector<std::size_t>& rows,
                         const NodeRows& to) {
  any_ = true;
  std::call_once(once_, [&] {
    problem_ = widened(plan_.problem);
    wide_.emplace(*problem_, plan_.alone.isa);
  });
  const Plan<double>& plan = *wide_;
  const std::size_t width = problem_->sizes.value_width;
  for (std::size_t at = 0, next; at < rows.size(); at = next) {
    // Consecutive rows are computed together.
    for (next = at + 1; next < rows.size() && rows[next] == rows[at] + (next - at); ++next)
      if (next - at == plan.rows_at_once()) break;
    const std::size_t first = block.first + rows[at];
    BlockOfRows<double> own(plan, {block.b, block.g, first, first + (next - at)});
    const RunningState<double> state = own.state();
    clear(plan, {block.b, block.g, first, first + (next - at)}, state);
    for (std::size_t key = leaf.first; key < leaf.last; key += key_block)
      own.attend(key, std::min(key + key_block, leaf.last), state);
    std::copy_n(state.maximum, next - at, to.maximum + rows[at]);
    std::copy_n(state.total, next - at, to.total + rows[at]);
    for (std::size_t r = 0; r < next - at; ++r)
      std::copy_n(state.out + r * plan.padded_values, width, to.output + (rows[at] + r) * width);
  }
}

}  // namespace attn::fused
