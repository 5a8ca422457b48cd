#include <attn/attention/vjp.hpp>

#include <attn/attention/inner/backward.hpp>
#include <attn/attention/inner/call.hpp>
#include <attn/attention/problem.hpp>
#include <attn/core/shape.hpp>

#include <algorithm>
#include <numeric>

namespace attn {
namespace {

/// x (B, ...) added up over the batches in their order, if the tensor has one batch for all.
TensorView for_batches(const TensorView& x, std::size_t batches) {
  if (x.shape[0] == batches) return x;
  Shape shape = x.shape;
  shape[0] = batches;
  Tensor sum = Tensor::zeros(x.dtype, shape);
  const TensorView from = contiguous(x);
  const std::size_t count = sum.size(), size = from.size();
  visit_dtype(x.dtype, [&](auto type) {
    using T = decltype(type);
    if constexpr (std::is_floating_point_v<T>)
      for (std::size_t at = 0; at < size; ++at) sum.data_as<T>()[at % count] += from.contiguous_data<T>()[at];
  });
  return sum.view();
}

/// The gradient by a tensor in its shape and the computing type; contiguous if the tensor is.
TensorView as_given(const TensorView& gradient, const TensorView& given, DType compute) {
  const bool is_like_it = gradient.dtype == compute && gradient.strides == given.strides;
  if (is_like_it && gradient.shape == given.shape) return gradient;
  return reshaped(cast(gradient, compute), given.shape);
}

/// The same for rows [first, last) of heads (B, H, S, d), in the caller's layout.
TensorView rows_as_given(const TensorView& heads, std::size_t first, std::size_t last, const TensorView& given,
                         const AttendParameters& p, std::optional<std::size_t> count, DType compute) {
  const AxisSlab whole, rows{static_cast<std::int64_t>(first), static_cast<std::int64_t>(last)};
  const TensorView part = for_batches(slice(heads, {whole, whole, rows}), to_heads(given, p.layout, count).shape[0]);
  return as_given(in_layout(part, unpacked(p.layout, is_packed(given, count))), given, compute);
}

TensorView vector_of(const std::vector<double>& x) {
  Tensor out(DType::f64, {x.size()});
  std::copy(x.begin(), x.end(), out.data_as<double>());
  return out.view();
}

/// Throws Error(data) unless it has the shape of its result.
TensorView expect_cotangent(const TensorView& given, const char* name, const Shape& shape) {
  const TensorView x = named(given, name);
  if (!is_floating(x.dtype)) throw Error(ErrorKind::data, x.name, "has integers, expected floats");
  if (x.shape != shape) throw shape_error(x.name, x.shape, to_string(shape) + ", the shape of its result");
  return x;
}

AttentionCotangents cotangents_of(const AttendInputs& in, const AttendParameters& p, const AttentionProblem& problem,
                                  const AttendCotangents& given) {
  const AttentionSizes& n = problem.sizes;
  AttentionCotangents out;
  const TensorView dy =
      expect_cotangent(given.output, "cotangent", like_query(in.query, n, n.value_width, p.layout, p.heads));
  out.output = to_heads(stored_as(dy, problem.compute), p.layout, p.heads);
  const Shape rows = rows_like_query(in.query, n, n.keys, p.layout, p.heads);
  if (given.weights)
    out.weights = reshaped(contiguous(expect_cotangent(*given.weights, "cotangent of the weights", rows)),
                           {n.batch, n.heads, n.queries, n.keys});
  if (given.lse)
    out.lse = reshaped(contiguous(expect_cotangent(*given.lse, "cotangent of lse", {rows.begin(), rows.end() - 1})),
                       {n.batch, n.heads, n.queries});
  return out;
}

}  // namespace

AttendGradients attend_vjp(const AttendInputs& in, const AttendParameters& p, const AttendCotangents& given,
                           const Execution& execution, const std::optional<AttendForward>& forward) {
  const AttentionProblem problem = make_problem(in, p);
  const AttentionSizes& n = problem.sizes;
  const AttentionCotangents cotangents = cotangents_of(in, p, problem, given);
  if (given.lse) expect_lse(problem);
  const auto added = added_tensors(in, p);
  constexpr double of_forward = 2.5;
  const bool computes = execution.dry_run == nullptr || !execution.only_counts(of_forward * operations_of(problem));
  std::optional<AttentionForward> known;
  if (forward && forward->output.dtype == problem.compute)
    known = AttentionForward{to_heads(forward->output, p.layout, p.heads),
                             reshaped(forward->lse, {n.batch, n.heads, n.queries})};
  const AttentionGradients gradient = computes ? attention_vjp(problem, cotangents, known, !added.empty(), execution)
                                               : AttentionGradients(problem, !added.empty(), problem.compute);
  AttendGradients out;
  const std::size_t past = in.past_key ? key_view(*in.past_key, p).shape[2] : 0;
  const std::optional<std::size_t> kv_heads = p.kv_heads ? p.kv_heads : p.heads;
  const auto rows = [&](const TensorView& heads, std::size_t first, std::size_t last, const TensorView& x,
                        std::optional<std::size_t> count) {
    return rows_as_given(heads, first, last, x, p, count, problem.compute);
  };
  out.inputs.query = rows(gradient.query.view(), 0, n.queries, in.query, p.heads);
  out.inputs.key = rows(gradient.key.view(), past, n.keys, in.key, kv_heads);
  out.inputs.value = rows(gradient.value.view(), past, n.keys, in.value, kv_heads);
  if (in.past_key) {
    out.inputs.past_key = rows(gradient.key.view(), 0, past, *in.past_key, kv_heads);
    out.inputs.past_value = rows(gradient.value.view(), 0, past, *in.past_value, kv_heads);
  }
  for (std::size_t at = 0; at < added.size(); ++at)
    out.inputs.*added[at] = as_given(gradient.biases[at].view(), *(in.*added[at]), problem.compute);
  const auto parameter = [&](std::optional<TensorView> AttendInputs::*member, const std::vector<double>& numbers) {
    if (!numbers.empty()) out.inputs.*member = as_given(vector_of(numbers), *(in.*member), problem.compute);
  };
  const bool is_additive = p.score == Score::additive;
  parameter(&AttendInputs::sinks, gradient.sinks);
  parameter(is_additive ? &AttendInputs::query_weight : &AttendInputs::bilinear, gradient.score.query_matrix);
  parameter(&AttendInputs::key_weight, gradient.score.key_matrix);
  if (is_additive) {
    parameter(&AttendInputs::score_weight, gradient.score.pair);
  } else if (p.score == Score::gaussian || p.score == Score::kernel) {
    std::vector<double> widths = gradient.score.pair;
    if (p.bandwidth.size() == 1) widths = {std::accumulate(widths.begin(), widths.end(), 0.0)};
    out.bandwidth = vector_of(widths);
  }
  return out;
}

}  // namespace attn
