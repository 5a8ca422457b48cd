#include <attn/attention/problem/call.hpp>

#include <attn/attention/engines/choice.hpp>

#include <algorithm>
#include <cstring>

namespace attn {

bool has_lse(const AttentionProblem& problem) noexcept {
  // With a kernel, the scores are weights, even if they are computed as a softmax.
  return problem.normalize == Normalize::softmax && !problem.score.is_root;
}

void expect_lse(const AttentionProblem& problem) {
  if (!has_lse(problem))
    throw Error(ErrorKind::usage, "emit", "lse is the log-sum-exp of a softmax; other normalisers have none");
}

void expect_keys_left(EmptyRows empty, std::size_t empty_rows) {
  if (empty_rows > 0 && empty == EmptyRows::error)
    throw Error(
        ErrorKind::data, "attention",
        (empty_rows == 1 ? "1 query has" : std::to_string(empty_rows) + " queries have") + std::string(" no key left"));
}

double operations_of(const AttentionProblem& problem) {
  const AttentionSizes& n = problem.sizes;
  double pairs = 0;
  for (std::size_t row = 0; row < n.batch * n.heads * n.queries; ++row) {
    const KeyRange keys = problem.mask.keys(row / n.queries / n.heads, row / n.queries % n.heads, row % n.queries);
    pairs += static_cast<double>(keys.last - keys.first);
  }
  return pairs * static_cast<double>(2 * (n.query_width + n.value_width) + 4);
}

namespace {

/// x without gaps, converted a piece at a time by all threads.
TensorView converted(const TensorView& x, DType dtype, const Execution& execution) {
  if (x.dtype == dtype) return x;
  constexpr std::size_t piece = std::size_t{1} << 16;
  Tensor out(dtype, x.shape);
  const std::size_t size = x.size(), from = element_size(x.dtype), to = element_size(dtype);
  execution.parallel((size + piece - 1) / piece, [&](std::size_t at, std::size_t) {
    const std::size_t first = at * piece, count = std::min(piece, size - first);
    const TensorView part{static_cast<const char*>(x.data) + first * from, x.dtype, {count}, {1}, nullptr, {}};
    std::memcpy(static_cast<char*>(out.data()) + first * to, cast(part, dtype).data, count * to);
  });
  return out.view(x.name);
}

}  // namespace

Call::Call(const AttendInputs& in, const AttendParameters& p, const AttendRequest& asked, AttentionProblem made,
           Engine choice)
    : inputs(in),
      parameters(p),
      request(asked),
      problem(std::make_shared<const AttentionProblem>(std::move(made))),
      engine(engine_for(*problem, choice)),
      stored(request.dtype.value_or(is_floating(in.query.dtype) ? in.query.dtype : problem->compute)) {}

Shape Call::leading() const {
  Shape shape = rows(1);
  shape.pop_back();
  return shape;
}

bool Call::only_counts(const Execution& execution) const {
  return execution.dry_run != nullptr && execution.only_counts(operations_of(*problem));
}

CallOutputs::CallOutputs(const Call& call)
    : call_(call),
      output_(call.problem->compute,
              like_query(call.inputs.query, call.problem->sizes.value_width, call.parameters.heads)) {
  if (call.request.lse) expect_lse(*call.problem);
  if (call.request.lse || call.problem->empty == EmptyRows::nearest)
    lse_.emplace(call.problem->compute, call.leading());
}

bool Call::has_heads_last() const {
  return is_packed(inputs.query, parameters.heads) || parameters.layout == Layout::batch_length_heads;
}

std::array<std::ptrdiff_t, 3> result_strides(const AttentionSizes& n, bool has_heads_last) {
  const auto H = static_cast<std::ptrdiff_t>(n.heads), L = static_cast<std::ptrdiff_t>(n.queries),
             d_v = static_cast<std::ptrdiff_t>(n.value_width);
  if (has_heads_last) return {L * H * d_v, d_v, H * d_v};
  return {H * L * d_v, L * d_v, d_v};
}

AttentionOutputs CallOutputs::places() {
  return {output_.data(), result_strides(call_.problem->sizes, call_.has_heads_last()), lse_ ? lse_->data() : nullptr};
}

void CallOutputs::clear() {
  output_ = Tensor::zeros(output_.dtype(), output_.shape());
  if (lse_) lse_ = Tensor::zeros(lse_->dtype(), lse_->shape());
}

AttendResult CallOutputs::result(std::size_t empty_rows, const Execution& execution) const {
  expect_keys_left(call_.problem->empty, empty_rows);
  AttendResult result;
  result.empty_rows = empty_rows;
  result.output = converted(output_.view(), call_.stored, execution);
  if (call_.request.lse) result.lse = converted(lse_->view(), call_.stored, execution);
  return result;
}

}  // namespace attn
