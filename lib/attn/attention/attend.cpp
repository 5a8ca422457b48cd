#include <attn/attention/attend.hpp>

#include <attn/attention/fused/engine.hpp>
#include <attn/attention/inner/call.hpp>
#include <attn/attention/inner/row_states.hpp>
#include <attn/attention/inner/weights.hpp>

#include <algorithm>
#include <limits>

namespace attn {
namespace {

/// Gives every query without weights the value of its nearest key; returns the number of queries without one.
template <class T>
std::size_t fill_nearest(const Call& call, const AttentionOutputs& outputs, Isa isa) {
  const AttentionProblem& problem = *call.problem;
  const AttentionSizes& n = problem.sizes;
  const TensorView value_bgjc = cast(problem.value, problem.compute);
  std::size_t without = 0;
  for (std::size_t row = 0; row < n.batch * n.heads * n.queries; ++row) {
    if (static_cast<const T*>(outputs.lse)[row] != -std::numeric_limits<T>::infinity()) continue;
    const std::size_t b = row / (n.heads * n.queries), h = row / n.queries % n.heads, i = row % n.queries;
    const auto j = nearest_key(problem, call.engine, isa, b, h, i);
    if (!j) {
      ++without;
      continue;
    }
    const T* const value_c =
        value_bgjc.contiguous_data<T>() + ((b * n.kv_heads + problem.kv_head(h)) * n.keys + *j) * n.value_width;
    const std::array<std::size_t, 3> at{b, h, i};
    T* out_c = static_cast<T*>(outputs.output);
    for (std::size_t axis = 0; axis < 3; ++axis) out_c += static_cast<std::ptrdiff_t>(at[axis]) * outputs.strides[axis];
    std::copy_n(value_c, n.value_width, out_c);
  }
  return without;
}

void add_top(AttendResult& result, const Call& call, bool computes, const Execution& execution) {
  const std::size_t top = call.request.top;
  Tensor weights(call.problem->compute, call.rows(top)), keys(DType::i64, call.rows(top));
  if (computes) top_weights(*call.problem, call.engine, execution, top, weights.data(), keys.data_as<std::int64_t>());
  result.top_weights = cast(weights.view(), call.stored);
  result.top_keys = keys.view();
}

/// The rows of a stage, computed on request.
TensorProducer rows_at(Stage stage, const Call& call, const Execution& execution) {
  call.only_counts(execution);
  return produce_rows(call.problem, call.engine, execution, stage, call.request.stages_dtype.value_or(call.stored),
                      call.rows(call.problem->sizes.keys));
}

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

AttendResult attend(const AttendInputs& inputs, const AttendParameters& parameters, const AttendRequest& request,
                    const Execution& execution) {
  const ProblemViews views = views_of(inputs, parameters);
  AttentionProblem made = problem_without_keys(views, inputs, parameters);
  std::optional<BlockSource> blocks;
  if (is_for_blocks(inputs, parameters, request, execution)) blocks = joined_blocks(views);
  if (!blocks) set_keys(made, views);
  const Call call(inputs, parameters, request, std::move(made), execution.engine);
  if (blocks) return attend_in_blocks(call, *blocks, execution);

  const AttentionProblem& problem = *call.problem;
  CallOutputs memory(call);
  const bool computes = !call.only_counts(execution);
  if (!computes) memory.clear();
  const AttentionOutputs outputs = memory.places();
  const std::size_t empty_rows = computes ? call.engine.attend(problem, outputs, execution) : 0;
  std::size_t without_nearest = 0;
  if (empty_rows > 0 && problem.empty == EmptyRows::nearest)
    without_nearest = problem.compute == DType::f64 ? fill_nearest<double>(call, outputs, execution.isa)
                                                    : fill_nearest<float>(call, outputs, execution.isa);
  AttendResult result = memory.result(empty_rows, execution);
  result.without_nearest = without_nearest;
  if (request.top > 0) add_top(result, call, computes, execution);
  if (request.keys) {
    result.keys = in_layout(problem.key, parameters.layout);
    result.values = in_layout(problem.value, parameters.layout);
  }
  if (request.weights) result.weights = collect(rows_at(Stage::weights, call, execution));
  for (const Stage stage : request.stages) result.stages.push_back(rows_at(stage, call, execution));
  return result;
}

bool can_attend_stored(const AttendInputs& inputs, const AttendParameters& parameters, const AttendRequest& request,
                       const Execution& execution) {
  return !inputs.past_key && !inputs.past_value && is_for_blocks(inputs, parameters, request, execution);
}

std::size_t keys_within(const AttendInputs& inputs, const AttendParameters& parameters, std::size_t memory) {
  const ProblemViews views = views_of(inputs, parameters);
  const AttentionSizes& n = views.sizes;
  // The state and the result of every query are in memory together; a block that is converted is held twice.
  const std::size_t result =
      n.batch * n.heads * n.queries * (n.value_width + 1) * element_size(compute_dtype(views.dtype));
  const std::size_t beside = bytes_of_states(n) + result;
  const std::size_t each = bytes_of_key(n, wider(inputs.key.dtype, inputs.value.dtype)) + bytes_of_key(n, views.dtype);
  const std::size_t keys = memory > beside && each > 0 ? (memory - beside) / each : 0, block = leaf_keys;
  return keys >= n.keys || block >= n.keys ? 0 : std::max(keys / block, std::size_t{1}) * block;
}

AttendResult attend_stored(const AttendInputs& inputs, const StoredDatabase& database,
                           const AttendParameters& parameters, const AttendRequest& request,
                           const Execution& execution) {
  const Call call(inputs, parameters, request, problem_without_keys(views_of(inputs, parameters), inputs, parameters),
                  Engine::automatic);
  return attend_in_blocks(call, stored_blocks(database, parameters), execution);
}

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
  part.finish.shape =
      like_query(inputs.query, problem.sizes, problem.sizes.value_width, parameters.layout, parameters.heads);
  part.finish.layout = call.layout();
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
  result.empty_rows =
      fused_engine.finish(problem, std::move(state),
                          {output.data(), strides_in(problem.sizes, n[3], how.layout), log_sums.data()}, execution.isa);
  expect_keys_left(how.empty, result.empty_rows);
  result.output = cast(output.view(), how.stored);
  if (lse) result.lse = cast(log_sums.view(), how.stored);
  return result;
}

}  // namespace attn
