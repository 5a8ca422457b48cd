#include <attn/attention/fused/engine.hpp>

#include <attn/attention/fused/bf16.hpp>
#include <attn/attention/fused/bf16x3.hpp>
#include <attn/attention/fused/block.hpp>
#include <attn/attention/inner/row_states.hpp>
#include <attn/attention/state.hpp>
#include <attn/core/execution.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>
#include <numeric>
#include <optional>
#include <type_traits>
#include <vector>

namespace attn::fused {
namespace {

// How threads share a problem: blocks of rows, each against all keys, or blocks of keys if rows are few.

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

/// The blocks of rows of a problem, in order. Blocks of unequal work are distributed to the threads' shares with the
/// most work first, so that no thread has a long block at the end. Blocks are smaller if there would be few for each
/// thread.
template <class T>
std::vector<RowBlock> cut(const Plan<T>& plan, std::size_t threads) {
  const AttentionSizes& n = plan.problem.sizes;
  const std::size_t rows = plan.group() * n.queries, most = plan.rows_at_once();
  std::size_t step = most;
  while (step > fewer_rows && n.batch * n.kv_heads * (rows / step) < 8 * threads) step = std::max(step / 2, fewer_rows);
  std::vector<RowBlock> blocks;
  std::vector<double> work;
  for (std::size_t b = 0; b < n.batch; ++b)
    for (std::size_t g = 0; g < n.kv_heads; ++g)
      for (std::size_t first = 0; first < rows; first += step) {
        const RowBlock block{b, g, first, std::min(first + step, rows)};
        double keys = 0;
        for (const std::size_t row : {std::size_t{0}, block.rows() / 2, block.rows() - 1}) {
          const KeyRange range = plan.problem.mask.keys(b, plan.head(block, row), plan.query(block, row));
          keys += static_cast<double>(range.last - range.first);
        }
        blocks.push_back(block);
        work.push_back(keys * static_cast<double>(block.rows()));
      }
  std::vector<std::size_t> order(blocks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return work[a] > work[b]; });
  if (work.empty() || work[order.front()] == work[order.back()]) return blocks;
  // Each thread begins with a share, [t n / threads, (t + 1) n / threads): the blocks are distributed, largest first.
  const auto begin_of = [&](std::size_t share) { return share * blocks.size() / threads; };
  std::vector<std::size_t> next(threads);
  for (std::size_t share = 0; share < threads; ++share) next[share] = begin_of(share);
  std::vector<RowBlock> dealt(blocks.size());
  std::size_t share = 0;
  for (const std::size_t at : order) {
    while (next[share] == begin_of(share + 1)) share = (share + 1) % threads;
    dealt[next[share]++] = blocks[at];
    share = (share + 1) % threads;
  }
  return dealt;
}

// What leaves give, in f64 where f32 cannot hold it, and the tree in which they are joined.

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

struct NodeScratch;

/// The nodes of a block of rows that attends to all keys, in memory of the thread.
template <class T>
NodeStack own_nodes(const Plan<T>& plan, const RowBlock& block, bool needs_them) {
  const AttentionSizes& n = plan.problem.sizes;
  const std::size_t leaves = leaves_of(n.keys), rows = block.rows();
  std::vector<NodeRows> nodes(needs_them ? most_places({}, 0, leaves) : 0);
  const auto carve = [&](simd::Carver memory) {
    for (NodeRows& node : nodes)
      node = {memory.take<double>(rows), memory.take<double>(rows), memory.take<double>(rows * n.value_width)};
    return memory.used();
  };
  carve(simd::Carver(nodes.empty() ? nullptr : simd::scratch<NodeScratch>(carve(simd::Carver()))));
  return NodeStack(rows, n.value_width, plan.alone.isa, std::move(nodes));
}

/// The leaf that has all keys of the rows; none: several leaves have some.
template <class T>
std::optional<std::size_t> only_leaf(const Plan<T>& plan, const RowBlock& block) {
  KeyRange used{plan.problem.sizes.keys, 0};
  for (std::size_t r = 0; r < block.rows(); ++r) {
    const KeyRange keys = plan.problem.mask.keys(block.b, plan.head(block, r), plan.query(block, r));
    if (keys.first < keys.last) used = {std::min(used.first, keys.first), std::max(used.last, keys.last)};
  }
  if (used.first >= used.last) return 0;
  const std::size_t leaf = used.first / leaf_keys;
  return (used.last - 1) / leaf_keys == leaf ? std::optional(leaf) : std::nullopt;
}

/// A block of rows that attends to all keys and is written.
template <class T>
struct RowsToResult {
  const Plan<T>& plan;
  const AttentionOutputs& outputs;
  Leaves<T>& leaves;
  std::atomic<std::size_t>& empty_rows;
  RowBlock block;
  std::optional<std::size_t> only_leaf;  ///< which needs no tree
  NodeStack nodes;

  void add(const KeyRange& leaf, const RunningState<T>& state, bool has_keys) {
    const TreeNode place{0, leaf.first / leaf_keys};
    if (only_leaf && *only_leaf != place.index) return;
    if (!only_leaf && !has_keys) return nodes.add<T>(place, nullptr);
    leaves.close(block, leaf, state, [&](const auto& rows) { only_leaf ? write(rows) : nodes.add(place, &rows); });
  }
  void finish() {
    if (only_leaf) return;
    const NodeRows& root = nodes.root();
    write(AddedRows<double>{root.maximum, root.total, root.output, plan.problem.sizes.value_width});
  }

 private:
  template <class A>
  void write(const AddedRows<A>& rows) {
    RowFinisher<T> finisher(plan.problem, outputs, plan.alone.isa);
    for (std::size_t r = 0; r < block.rows(); ++r)
      finisher(query_row(plan, block, r), rows.maximum[r], rows.total[r], rows.output + r * rows.stride);
    empty_rows += finisher.empty_rows();
  }
};

template <class T>
std::size_t attend_as(const AttentionProblem& problem, const AttentionOutputs& outputs, const Execution& execution) {
  const Plan<T> plan(problem, execution.isa);
  Leaves<T> leaves(plan);
  std::atomic<std::size_t> empty_rows{0};
  attend_blocks(plan, cut(plan, execution.threads()), execution, [&](const RowBlock& block) {
    const auto only = only_leaf(plan, block);
    return RowsToResult<T>{plan, outputs, leaves, empty_rows, block, only, own_nodes(plan, block, !only)};
  });
  return empty_rows;
}

/// A block of rows whose leaves join a state.
template <class T>
struct RowsToState {
  Leaves<T>& leaves;
  RowBlock block;
  NodeStack nodes;

  void add(const KeyRange& leaf, const RunningState<T>& state, bool has_keys) {
    const TreeNode place{0, leaf.first / leaf_keys};
    if (!has_keys) return nodes.add<T>(place, nullptr);
    leaves.close(block, leaf, state, [&](const auto& rows) { nodes.add(place, &rows); });
  }
  void finish() { nodes.write_empty(); }
};

template <class T>
void fold_typed(const AttentionProblem& problem, AttentionState& state, const Execution& execution) {
  const Plan<T> plan(problem, execution.isa);
  Leaves<T> leaves(plan);
  const AttentionSizes& n = problem.sizes;
  const std::size_t first_leaf = problem.first_key / leaf_keys,
                    end_leaf = leaves_of(problem.first_key + problem.block_keys());
  std::vector<TreeNode> places;
  for (const StateNode& node : state.nodes) places.push_back(node.place);
  for (std::size_t most = most_places(places, first_leaf, end_leaf); state.nodes.size() < most;)
    state.nodes.emplace_back(TreeNode{}, n);
  attend_blocks(plan, cut(plan, execution.threads()), execution, [&](const RowBlock& block) {
    // The rows of a block follow each other in (B, H, L) too.
    const std::size_t first = (block.b * n.heads + block.g * plan.group()) * n.queries + block.first;
    std::vector<NodeRows> memory;
    for (StateNode& node : state.nodes) memory.push_back(rows_of(node, first));
    return RowsToState<T>{leaves, block,
                          NodeStack(block.rows(), n.value_width, execution.isa, std::move(memory), places)};
  });
  for (std::size_t leaf = first_leaf; leaf < end_leaf; ++leaf) add_place(places, {0, leaf});
  state.nodes.resize(places.size());
  for (std::size_t at = 0; at < places.size(); ++at) state.nodes[at].place = places[at];
  state.exceeds_f32 |= leaves.any();
}

template <class T>
std::size_t finish_typed(const AttentionProblem& problem, const StateNode& root, const AttentionOutputs& outputs,
                         Isa isa) {
  const AttentionSizes& n = problem.sizes;
  RowFinisher<T> finish(problem, outputs, isa);
  const auto* const maximum = root.maximum.view().contiguous_data<double>();
  const auto* const total = root.total.view().contiguous_data<double>();
  const auto* const output = root.output.view().contiguous_data<double>();
  for (std::size_t row = 0; row < n.batch * n.heads * n.queries; ++row)
    finish({row / n.queries / n.heads, row / n.queries % n.heads, row % n.queries}, maximum[row], total[row],
           output + row * n.value_width);
  return finish.empty_rows();
}

template <class T>
void score_tile_typed(const AttentionProblem& problem, const ScoreTile& tile, T* out, Isa isa) {
  const Plan<T> plan(problem, isa, true);
  const std::size_t g = problem.kv_head(tile.h), columns = tile.keys.last - tile.keys.first;
  const std::size_t origin = (tile.h - g * plan.group()) * problem.sizes.queries;
  BlockOfRows<T> rows(plan, {tile.b, g, origin + tile.first_query, origin + tile.last_query});
  for (std::size_t key = tile.keys.first; key < tile.keys.last;) {
    const std::size_t end = std::min(key + key_block, tile.keys.last);
    rows.scores(key, end, out + (key - tile.keys.first), columns);
    key = end;
  }
}

std::size_t attend_fused(const AttentionProblem& problem, const AttentionOutputs& outputs, const Execution& execution) {
  return problem.compute == DType::f64 ? attend_as<double>(problem, outputs, execution)
                                       : attend_as<float>(problem, outputs, execution);
}

void fold_fused(const AttentionProblem& problem, AttentionState& state, const Execution& execution) {
  problem.compute == DType::f64 ? fold_typed<double>(problem, state, execution)
                                : fold_typed<float>(problem, state, execution);
}

std::size_t finish_fused(const AttentionProblem& problem, AttentionState state, const AttentionOutputs& outputs,
                         Isa isa) {
  const StateNode root = root_of(std::move(state), problem.sizes, isa);
  return problem.compute == DType::f64 ? finish_typed<double>(problem, root, outputs, isa)
                                       : finish_typed<float>(problem, root, outputs, isa);
}

void score_tile_fused(const AttentionProblem& problem, const ScoreTile& tile, void* out, Isa isa) {
  problem.compute == DType::f64 ? score_tile_typed(problem, tile, static_cast<double*>(out), isa)
                                : score_tile_typed(problem, tile, static_cast<float*>(out), isa);
}

}  // namespace
}  // namespace attn::fused

namespace attn {

const AttentionEngine fused_engine{fused::attend_fused, fused::fold_fused, fused::finish_fused,
                                   fused::score_tile_fused};

}  // namespace attn
