#include <attn/attention/attend.hpp>

#include <attn/attention/problem.hpp>
#include <attn/attention/rows.hpp>

#include <cstring>

namespace attn {
namespace {

/// Strides of (b, h, i) in an output of the query's form.
std::array<std::ptrdiff_t, 3> output_strides(const AttentionSizes& n, bool packed) {
  const auto H = static_cast<std::ptrdiff_t>(n.heads), L = static_cast<std::ptrdiff_t>(n.queries),
             d_v = static_cast<std::ptrdiff_t>(n.value_width);
  if (packed) return {L * H * d_v, d_v, H * d_v};
  return {H * L * d_v, L * d_v, d_v};
}

/// All that a producer makes, in memory.
TensorView collect(const TensorProducer& producer) {
  Tensor out(producer.dtype, producer.shape);
  auto* to = static_cast<char*>(out.data());
  producer.produce([&](const void* data, std::size_t bytes) {
    std::memcpy(to, data, bytes);
    to += bytes;
  });
  return out.view();
}

}  // namespace

AttendResult attend(const AttendInputs& inputs, const AttendParameters& parameters, const AttendRequest& request,
                    const Execution& execution) {
  const auto problem = std::make_shared<const AttentionProblem>(make_problem(inputs, parameters));
  const AttentionSizes& n = problem->sizes;
  if (request.lse && problem->normalize != Normalize::softmax)
    throw Error(ErrorKind::usage, "lse", "the log-sum-exp belongs to the softmax; other normalisers have none");
  const auto packed_heads = inputs.query.rank() == 3 ? parameters.heads : std::nullopt;
  const DType stored = is_floating(inputs.query.dtype) ? inputs.query.dtype : problem->compute;
  const AttentionEngine& engine = reference_engine;

  Tensor output(problem->compute, like_query(inputs.query, n.value_width, packed_heads));
  Shape row_shape = rows_like_query(inputs.query, n.keys, packed_heads);
  row_shape.pop_back();
  Tensor lse(problem->compute, row_shape);
  AttentionOutputs outputs{output.data(), output_strides(n, packed_heads.has_value()), lse.data()};

  AttendResult result;
  result.empty_rows = engine.attend(*problem, outputs, execution);
  if (result.empty_rows > 0 && parameters.empty == EmptyRows::error)
    throw Error(ErrorKind::data, "attention", std::to_string(result.empty_rows) + " queries have no key left");
  result.output = cast(output.view(), stored);
  if (request.lse) result.lse = cast(lse.view(), stored);
  if (request.weights)
    result.weights = collect(produce_rows(problem, engine, execution, Stage::weights, stored,
                                          rows_like_query(inputs.query, n.keys, packed_heads)));
  return result;
}

}  // namespace attn
