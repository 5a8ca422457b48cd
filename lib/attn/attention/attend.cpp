#include <attn/attention/attend.hpp>

#include <attn/attention/engines/score_rows.hpp>
#include <attn/attention/problem/call.hpp>
#include <attn/attention/problem/past.hpp>

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
  if (request.lse) expect_lse(problem);
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

}  // namespace attn
