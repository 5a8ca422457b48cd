#pragma once
// How threads share a problem: blocks of rows, each against all keys, or blocks of keys if rows are few. Private to the
// fused engine.

#include <attn/attention/engines/fused/bf16_block.hpp>
#include <attn/attention/engines/fused/bf16x3_block.hpp>
#include <attn/attention/engines/fused/block.hpp>
#include <attn/attention/state.hpp>
#include <attn/core/execution.hpp>

#include <algorithm>
#include <limits>
#include <type_traits>
#include <vector>

namespace attn::fused {

/// The blocks of rows of a problem, in order. Blocks of unequal work are distributed to the threads' shares with the
/// most work first, so that no thread has a long block at the end. Blocks are smaller if there would be few for each
/// thread.
template <class T>
std::vector<RowBlock> cut(const Plan<T>& plan, std::size_t threads);

/// The blocks of the problem's keys, for Rows: [begin(i), end(i)) for i < count.
template <class Rows>
struct KeyBlocks {
  explicit KeyBlocks(const AttentionProblem& problem)
      : first(problem.first_key),
        last(problem.first_key + problem.block_keys()),
        count((problem.block_keys() + Rows::keys_at_once - 1) / Rows::keys_at_once) {}
  std::size_t begin(std::size_t i) const noexcept { return first + i * Rows::keys_at_once; }
  std::size_t end(std::size_t i) const noexcept { return std::min(begin(i) + Rows::keys_at_once, last); }
  std::size_t first, last, count;
};

/// The keys of the leaf that begins with key `first`, as far as the problem holds them.
inline KeyRange leaf_from(std::size_t first, std::size_t last) { return {first, std::min(first + leaf_keys, last)}; }

template <class T>
void clear(const Plan<T>& plan, const RowBlock& block, const RunningState<T>& state) {
  std::fill_n(state.maximum, block.rows(), -std::numeric_limits<T>::infinity());
  std::fill_n(state.total, block.rows(), T(0));
  std::fill_n(state.out, block.rows() * plan.padded_values, T(0));
}

/// For too few blocks of rows: the threads attend to blocks of keys in parallel, each with a state of its own, and the
/// states are joined in order, as many at a time as memory allows.
template <class Rows, class T, class Begin>
void attend_by_keys(const Plan<T>& plan, const std::vector<RowBlock>& rows, const Execution& execution,
                    const Begin& begin) {
  constexpr std::size_t memory = std::size_t{1} << 20;  // of states, for each thread
  const KeyBlocks<Rows> keys(plan.problem);
  for (const RowBlock& block : rows) {
    const std::size_t count = block.rows(), row_elements = plan.padded_values + 2;
    const std::size_t at_once =
        std::clamp<std::size_t>(memory * execution.threads() / (count * row_elements * sizeof(T)), 1, keys.count);
    const std::shared_ptr<void> space = allocate_scratch((at_once + 1) * (count * row_elements + 64) * sizeof(T));
    const auto state_at = [&](std::size_t slot) {
      T* const base = static_cast<T*>(space.get()) + slot * (count * row_elements + 64);
      T* const totals = base + count * plan.padded_values;
      return RunningState<T>{totals, totals + count, base};
    };
    std::vector<char> has_keys(at_once);
    auto leaves = begin(block);
    const RunningState<T> running = state_at(at_once);
    KeyRange leaf = leaf_from(keys.first, keys.last);
    bool leaf_has_keys = false;
    clear(plan, block, running);
    for (std::size_t wave = 0; wave < keys.count; wave += at_once) {
      const std::size_t parts = std::min(at_once, keys.count - wave);
      const std::size_t tasks = std::min(parts, 4 * execution.threads());
      execution.parallel(tasks, [&](std::size_t task, std::size_t) {
        Rows own(plan, block);
        for (std::size_t part = task * parts / tasks; part < (task + 1) * parts / tasks; ++part) {
          clear(plan, block, state_at(part));
          has_keys[part] = own.attend(keys.begin(wave + part), keys.end(wave + part), state_at(part)) ? 1 : 0;
        }
      });
      for (std::size_t part = 0; part < parts; ++part) {
        const RunningState<T> later = state_at(part);
        simd::MergeRows<T> merge;
        merge.rows = count;
        merge.columns = plan.padded_values;
        merge.maximum = running.maximum;
        merge.total = running.total;
        merge.out = running.out;
        merge.block_maximum = later.maximum;
        merge.block_total = later.total;
        merge.block_out = later.out;
        plan.kernels.merge(merge);
        leaf_has_keys |= has_keys[part] != 0;
        if (keys.end(wave + part) < leaf.last) continue;
        leaves.add(leaf, running, leaf_has_keys);
        leaf = leaf_from(leaf.last, keys.last);
        leaf_has_keys = false;
        clear(plan, block, running);
      }
    }
    leaves.finish();
  }
}

template <class Rows, class T, class Begin>
void attend_with(const Plan<T>& plan, const std::vector<RowBlock>& rows, const Execution& execution,
                 const Begin& begin) {
  const KeyBlocks<Rows> keys(plan.problem);
  if (execution.threads() > 1 && rows.size() < 2 * execution.threads() && keys.count > 1)
    return attend_by_keys<Rows>(plan, rows, execution, begin);
  execution.parallel_with_progress(rows.size(), [&](std::size_t task, std::size_t) {
    Rows own(plan, rows[task]);
    const RunningState<T> state = own.state();
    // Threads take tasks of their share in order, so this is the thread's next task.
    if (keys.count == 1 && task + 1 < rows.size()) own.fetch_ahead(rows[task + 1]);
    auto leaves = begin(rows[task]);
    KeyRange leaf = leaf_from(keys.first, keys.last);
    std::size_t i = 0;
    // A leaf without keys leaves the state as it is.
    bool has_keys = true;
    do {
      if (has_keys) clear(plan, rows[task], state);
      has_keys = false;
      for (; i < keys.count && keys.begin(i) < leaf.last; ++i)
        has_keys |= own.attend(keys.begin(i), keys.end(i), state);
      leaves.add(leaf, state, has_keys);
      leaf = leaf_from(leaf.last, keys.last);
    } while (leaf.first < leaf.last);
    leaves.finish();
  });
}

/// Multiply-adds of a problem without its mask. Pieces take six products, counted by their time for one row.
template <class T>
std::size_t work_of(const Plan<T>& plan) noexcept {
  constexpr std::size_t products = 6;
  const AttentionSizes& n = plan.problem.sizes;
  const std::size_t work = n.batch * n.heads * n.queries * plan.problem.block_keys() * (n.query_width + n.value_width);
  return plan.bf16x3 != nullptr ? products * work : work;
}

/// These rows attend to all keys that the problem holds. begin(rows) gives what takes their leaves, in order:
/// add(keys, state, whether any row attends to any of the keys), then finish(). There is one leaf at least.
template <class T, class Begin>
void attend_blocks(const Plan<T>& plan, const std::vector<RowBlock>& rows, const Execution& execution,
                   const Begin& begin) {
  const Execution sized = execution.sized_for(work_of(plan));
  if constexpr (std::is_same_v<T, float>) {
    if (plan.bf16 != nullptr) return attend_with<Bf16BlockOfRows>(plan, rows, sized, begin);
    if (plan.bf16x3 != nullptr) return attend_with<Bf16x3BlockOfRows>(plan, rows, sized, begin);
  }
  attend_with<BlockOfRows<T>>(plan, rows, sized, begin);
}

}  // namespace attn::fused
