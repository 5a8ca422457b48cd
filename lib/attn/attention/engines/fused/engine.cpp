#include <attn/attention/engines/fused/engine.hpp>

#include <attn/attention/engines/fused/leaves.hpp>

#include <algorithm>
#include <optional>

namespace attn {
namespace {

using fused::BlockOfRows;
using fused::Leaves;
using fused::Plan;
using fused::query_row;
using fused::RowBlock;
using fused::RowFinisher;
using fused::RunningState;

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
    const std::size_t end = std::min(key + fused::key_block, tile.keys.last);
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

const AttentionEngine fused_engine{attend_fused, fold_fused, finish_fused, score_tile_fused};

}  // namespace attn
