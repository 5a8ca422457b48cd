#include <attn/attention/attend_part.hpp>

#include <attn/attention/engines/fused/engine.hpp>
#include <attn/attention/engines/node_stack.hpp>
#include <attn/attention/problem/blocks.hpp>

#include <algorithm>

namespace attn {
namespace {

/// Adds rows [first, last) of x (B, H, L, d), which has no gaps in its last axis.
void add_rows(Hash& hash, const TensorView& x, std::size_t first, std::size_t last) {
  const std::size_t row_bytes = x.shape[3] * element_size(x.dtype);
  // Where one batch stands for all, it counts once.
  const std::size_t batches = x.strides[0] == 0 ? std::min<std::size_t>(x.shape[0], 1) : x.shape[0];
  const std::size_t at_once = x.strides[2] == static_cast<std::ptrdiff_t>(x.shape[3]) ? last - first : 1;
  for (std::size_t b = 0; b < batches; ++b)
    for (std::size_t h = 0; h < x.shape[1]; ++h)
      for (std::size_t i = first; i < last; i += at_once) {
        const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(b) * x.strides[0] +
                                  static_cast<std::ptrdiff_t>(h) * x.strides[1] +
                                  static_cast<std::ptrdiff_t>(i) * x.strides[2];
        hash.add(static_cast<const char*>(x.data) + at * static_cast<std::ptrdiff_t>(element_size(x.dtype)),
                 at_once * row_bytes);
      }
}

/// Joins the hashes of the leaves of these keys and values, from `first_key` on, to `leaves`.
void add_content(const TensorView& key, const TensorView& value, std::size_t first_key, std::vector<Digest>& leaves,
                 const Execution& execution) {
  const std::size_t rows = key.shape[2], held = leaves_of(rows), before = leaves.size();
  leaves.resize(before + held);
  execution.parallel(held, [&](std::size_t at, std::size_t) {
    Hash hash;
    hash.add(first_key / leaf_keys + at);
    for (const TensorView* x : {&key, &value}) add_rows(hash, *x, at * leaf_keys, std::min((at + 1) * leaf_keys, rows));
    leaves[before + at] = hash.value();
  });
}

}  // namespace

AttentionPart attend_part(const AttendInputs& inputs, const StoredDatabase& database,
                          const AttendParameters& parameters, const LeafRange& range, const Execution& execution) {
  const AttendRequest request;
  const Call call(inputs, parameters, request, problem_without_keys(views_of(inputs, parameters), inputs, parameters),
                  Engine::automatic);
  const AttentionProblem& problem = *call.problem;
  AttentionPart part;
  part.sizes = problem.sizes;
  part.finish.normalize = problem.normalize;
  part.finish.has_lse = has_lse(problem);
  part.finish.sinks = problem.sinks;
  part.finish.empty = problem.empty;
  part.finish.compute = problem.compute;
  part.finish.stored = call.stored;
  part.finish.shape = like_query(inputs.query, problem.sizes.value_width, parameters.heads);
  part.finish.has_heads_last = call.has_heads_last();
  part.finish.lse_shape = call.leading();
  std::vector<Digest> leaves;
  const KeyRange keys{range.first * leaf_keys, std::min(range.last * leaf_keys, problem.sizes.keys)};
  const BlockSource blocks = stored_blocks(database, parameters);
  if (execution.dry_run != nullptr) {
    if (keys.first < keys.last) {
      const auto share = static_cast<double>(keys.last - keys.first) / static_cast<double>(problem.sizes.keys);
      execution.only_counts(operations_of(problem) * share);
      // What the first block needs of memory, all need one after another.
      blocks.read(keys.first, std::min(blocks.end(keys.first), keys.last),
                  [&](const TensorView& key, const TensorView& value) {
                    AttentionProblem block = problem;
                    set_keys(block, key, value, keys.first);
                  });
    }
    std::vector<TreeNode> places;
    for (std::size_t leaf = range.first; leaf < range.last; ++leaf) add_place(places, {0, leaf});
    for (const TreeNode& place : places) part.state.nodes.emplace_back(place, problem.sizes);
    leaves.resize(range.last - range.first);
  } else {
    part.state = fold_blocks(
        call, blocks, keys,
        [&](const AttentionProblem& block) { add_content(block.key, block.value, block.first_key, leaves, execution); },
        execution);
  }
  for (const StateNode& node : part.state.nodes) {
    Digest content;
    for (std::size_t leaf = node.place.first_leaf(); leaf < std::min(node.place.end_leaf(), range.last); ++leaf)
      content ^= leaves[leaf - range.first];
    part.content.push_back(content);
  }
  return part;
}

std::vector<Digest> contents_of(const StoredDatabase& database, const AttendParameters& parameters, DType dtype,
                                const Execution& execution) {
  const Shape& shape = database.key.info.shape;
  const std::size_t axis = length_axis(shape.size(), parameters.layout, parameters.heads);
  const BlockSource blocks = stored_blocks(database, parameters);
  std::vector<Digest> leaves;
  for (std::size_t first = 0; first < shape[axis];) {
    const std::size_t last = std::min(blocks.end(first), shape[axis]);
    blocks.read(first, last, [&](const TensorView& key, const TensorView& value) {
      add_content(stored_as(key, dtype), stored_as(value, dtype), first, leaves, execution);
    });
    first = last;
  }
  return leaves;
}

AttendResult finish(AttentionState state, const StateFinish& how, bool lse, const Execution& execution) {
  AttentionProblem problem;
  const Shape& n = state.nodes.front().output.shape();
  problem.sizes.batch = n[0];
  problem.sizes.heads = problem.sizes.kv_heads = n[1];
  problem.sizes.queries = n[2];
  problem.sizes.value_width = n[3];
  problem.compute = how.compute;
  problem.normalize = how.normalize;
  problem.sinks = how.sinks;
  problem.empty = how.empty;
  const std::size_t rows = n[0] * n[1] * n[2];
  if (element_count(how.shape) != rows * n[3] || element_count(how.lse_shape) != rows)
    throw shape_error("state", n, "as many rows as results of shape " + to_string(how.shape) + " have");
  Tensor output(how.compute, how.shape), log_sums(how.compute, how.lse_shape);
  AttendResult result;
  result.empty_rows = fused_engine.finish(
      problem, std::move(state), {output.data(), result_strides(problem.sizes, how.has_heads_last), log_sums.data()},
      execution.isa);
  expect_keys_left(how.empty, result.empty_rows);
  result.output = cast(output.view(), how.stored);
  if (lse) result.lse = cast(log_sums.view(), how.stored);
  return result;
}

}  // namespace attn
