#pragma once
// The leaves of fused attention: what they give, in f64 where f32 cannot hold it, and the tree in which they are
// joined.

#include <attn/attention/engines/fused/schedule.hpp>
#include <attn/attention/engines/node_stack.hpp>
#include <attn/attention/engines/row_result.hpp>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <vector>

namespace attn::fused {

/// The query of row r of the block.
template <class T>
QueryRow query_row(const Plan<T>& plan, const RowBlock& block, std::size_t r) {
  return {block.b, plan.head(block, r), plan.query(block, r)};
}

/// The rows of leaves that exceed the range of f32, computed again in f64. The bits of a row depend only on the row, so
/// each may be computed alone. For all threads.
class WideLeaves {
 public:
  explicit WideLeaves(const Plan<float>& plan) : plan_(plan) {}

  /// Has any leaf exceeded the range of f32?
  bool any() const noexcept { return any_; }

  /// use(rows): the leaf in f32, or in f64 if some of its rows exceed f32.
  template <class Use>
  void close(const RowBlock& block, const KeyRange& leaf, const RunningState<float>& state, const Use& use) {
    const AddedRows<float> narrow{state.maximum, state.total, state.out, plan_.padded_values};
    const std::vector<std::size_t> beyond = rows_beyond(block, leaf, narrow);
    if (beyond.empty()) return use(narrow);
    const std::size_t rows = block.rows(), width = plan_.problem.sizes.value_width;
    std::vector<double> maximum(state.maximum, state.maximum + rows), total(state.total, state.total + rows),
        output(rows * width);
    for (std::size_t r = 0; r < rows; ++r)
      std::copy_n(narrow.output + r * narrow.stride, width, output.begin() + static_cast<std::ptrdiff_t>(r * width));
    compute(block, leaf, beyond, {maximum.data(), total.data(), output.data()});
    use(AddedRows<double>{maximum.data(), total.data(), output.data(), width});
  }

 private:
  std::vector<std::size_t> rows_beyond(const RowBlock& block, const KeyRange& leaf, const AddedRows<float>& rows) const;
  void compute(const RowBlock& block, const KeyRange& leaf, const std::vector<std::size_t>& rows, const NodeRows& to);

  const Plan<float>& plan_;
  std::once_flag once_;
  std::optional<AttentionProblem> problem_;
  std::optional<Plan<double>> wide_;
  std::atomic<bool> any_{false};
};

/// The same for problems that are computed in f64, where nothing is wider.
class PlainLeaves {
 public:
  explicit PlainLeaves(const Plan<double>& plan) : plan_(plan) {}
  bool any() const noexcept { return false; }
  template <class Use>
  void close(const RowBlock&, const KeyRange&, const RunningState<double>& state, const Use& use) const {
    use(AddedRows<double>{state.maximum, state.total, state.out, plan_.padded_values});
  }

 private:
  const Plan<double>& plan_;
};

template <class T>
using Leaves = std::conditional_t<std::is_same_v<T, float>, WideLeaves, PlainLeaves>;

}  // namespace attn::fused
