#include <attn/attention/problem.hpp>

#include <attn/attention/problem_rules.hpp>
#include <attn/attention/problem_views.hpp>

namespace attn {

AttentionProblem widened(const AttentionProblem& problem) {
  AttentionProblem wide = problem;
  wide.dtype = wide.compute = DType::f64;
  for (TensorView* x : {&wide.query, &wide.key, &wide.value})
    if (x->data != nullptr) *x = cast(*x, DType::f64);
  return wide;
}

void set_keys(AttentionProblem& problem, const TensorView& key, const TensorView& value, std::size_t first_key) {
  problem.key = for_batch(key, problem.sizes.batch, key, problem.query);
  problem.value = for_batch(value, problem.sizes.batch, value, problem.query);
  problem.first_key = first_key;
}

namespace {

/// The Laplace kernel by its logarithm.
void take_logarithm(ScoreRule& rule) {
  rule.kind = Score::gaussian;
  rule.is_root = rule.is_distance = true;
  for (double& inverse : rule.inverse_widths) inverse /= rule.bandwidth;
}

AttentionProblem problem_of(const AttendInputs& inputs, const AttendParameters& parameters, ProblemViews views) {
  AttentionProblem problem;
  problem.sizes = sizes_of(views, inputs, parameters);
  problem.dtype = views.query.dtype;
  problem.compute = compute_dtype(problem.dtype);
  problem.score = score_rule(inputs, parameters, problem.sizes);
  const bool is_weight = parameters.score == Score::kernel;
  problem.normalize = parameters.normalize.value_or(is_weight ? Normalize::sum : Normalize::softmax);
  // The Gaussian kernel over its sum is the softmax of its logarithm, which no distance underflows.
  if (parameters.score == Score::gaussian && problem.normalize == Normalize::sum)
    problem.normalize = Normalize::softmax;
  // That of Laplace likewise, and its best key is the one with the largest logarithm.
  const bool compares = problem.normalize == Normalize::sum || problem.normalize == Normalize::hard;
  if (is_weight && parameters.kernel == Kernel::laplace && problem.score.scale > 0 && compares) {
    take_logarithm(problem.score);
    if (problem.normalize == Normalize::sum) problem.normalize = Normalize::softmax;
  }
  problem.mask = make_mask(inputs, parameters, problem.sizes, views.past, problem.compute);
  if (is_weight) refuse_logit_options(inputs, parameters, problem.mask);
  if (inputs.sinks) problem.sinks = per_head(*inputs.sinks, "sinks", problem.sizes.heads);
  if (!problem.sinks.empty() && problem.normalize != Normalize::softmax)
    throw Error(ErrorKind::usage, "sinks", "join the softmax's denominator; other normalisers have none");
  problem.empty = parameters.empty;
  problem.query = std::move(views.query);
  problem.key = std::move(views.key);
  problem.value = std::move(views.value);
  return problem;
}

}  // namespace

AttentionProblem make_problem(const AttendInputs& given, const AttendParameters& parameters) {
  const AttendInputs inputs = named_inputs(given);
  return problem_of(inputs, parameters, resolve_views(inputs, parameters));
}

AttentionProblem problem_without_keys(const AttendInputs& given, const AttendParameters& parameters) {
  const AttendInputs inputs = named_inputs(given);
  ProblemViews views = shaped_views(inputs, parameters);
  views.query = query_view(inputs, parameters, views.query.dtype);
  return problem_of(inputs, parameters, std::move(views));
}

}  // namespace attn
