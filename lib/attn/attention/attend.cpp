#include <attn/attention/attend.hpp>

#include <attn/attention/attend_joined.hpp>
#include <attn/attention/call.hpp>
#include <attn/attention/rows.hpp>

#include <algorithm>
#include <limits>

namespace attn {
namespace {

/// Gives every query without weights the value of its nearest key; returns for how many there is none.
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

void expect_request(const AttentionProblem& problem, const AttendRequest& request) {
  // Of a kernel the scores are weights, though it may be computed as a softmax.
  if (request.lse && (problem.normalize != Normalize::softmax || problem.score.is_root))
    throw Error(ErrorKind::usage, "emit", "lse is the log-sum-exp of a softmax; other normalisers have none");
}

AttendResult attend(const Call& call, const AttendRequest& request, const Execution& execution) {
  const AttentionProblem& problem = *call.problem;
  expect_request(problem, request);
  CallOutputs memory(call, request);
  const bool computes = !execution.only_counts(call.operations());
  if (!computes) memory.clear();
  const AttentionOutputs outputs = memory.places();
  const std::size_t empty_rows = computes ? call.engine.attend(problem, outputs, execution) : 0;
  std::size_t without_nearest = 0;
  if (empty_rows > 0 && problem.empty == EmptyRows::nearest)
    without_nearest = problem.compute == DType::f64 ? fill_nearest<double>(call, outputs, execution.isa)
                                                    : fill_nearest<float>(call, outputs, execution.isa);
  AttendResult result = memory.result(empty_rows, execution);
  result.without_nearest = without_nearest;
  if (request.top > 0) {
    Tensor weights(problem.compute, call.rows(request.top)), keys(DType::i64, call.rows(request.top));
    if (computes)
      top_weights(problem, call.engine, execution, request.top, weights.data(), keys.data_as<std::int64_t>());
    result.top_weights = cast(weights.view(), call.stored);
    result.top_keys = keys.view();
  }
  if (request.keys) {
    result.keys = in_layout(problem.key, call.layout);
    result.values = in_layout(problem.value, call.layout);
  }
  return result;
}

}  // namespace

AttendResult attend(const AttendInputs& inputs, const AttendParameters& parameters, const AttendRequest& request,
                    const Execution& execution) {
  AttendRequest streamed = request;
  streamed.stages.clear();
  if (request.weights) streamed.stages = {Stage::weights};
  AttendStreams streams = attend_streamed(inputs, parameters, streamed, execution.without_progress());
  if (request.weights) streams.result.weights = collect(streams.stages.front());
  return streams.result;
}

AttendStreams attend_streamed(const AttendInputs& inputs, const AttendParameters& parameters,
                              const AttendRequest& request, const Execution& execution) {
  if (auto result = attend_joined(inputs, parameters, request, execution)) return {std::move(*result), {}};
  const Call call(inputs, parameters, request, execution.engine);
  AttendStreams streams{attend(call, request, execution), {}};
  for (Stage stage : request.stages) {
    execution.only_counts(call.operations());
    streams.stages.push_back(produce_rows(call.problem, call.engine, execution, stage,
                                          request.stages_dtype.value_or(call.stored),
                                          call.rows(call.problem->sizes.keys)));
  }
  return streams;
}

}  // namespace attn
